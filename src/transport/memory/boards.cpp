#include "transport/memory/boards.hpp"

#include <algorithm>
#include <sys/mman.h>

namespace tasuki::memory {

Boards::Boards(Endpoint& endpoint, BoardKind kind) : endpoint_(endpoint) {
    for (std::int32_t rank = 0; rank < endpoint.ranks(); ++rank) {
        const Segment& segment = endpoint.segment_of(rank);
        places_.push_back(
            {&segment.front().finished_calls[static_cast<std::size_t>(kind)], segment.board(kind)});
        shape_ = segment.card().geometry.board(kind);
    }
}

/// In all slots at once: otherwise the first calls would be slow, as many as there are slots. An
/// older system does it page by page, when they are written to.
void Boards::map(std::int64_t bytes) {
    constexpr int populate_for_writing = 23;  // MADV_POPULATE_WRITE of Linux 5.14
    for (std::uint32_t slot = 0; slot < shape_.slots; ++slot) {
        const auto begin = reinterpret_cast<std::uintptr_t>(places_[endpoint_.rank()].slots) +
                           std::size_t{slot} * shape_.slot_bytes;
        const std::uintptr_t page = begin / page_bytes * page_bytes;
        const std::uintptr_t end = begin + sizeof(BoardSlot) + static_cast<std::size_t>(bytes);
        madvise(reinterpret_cast<void*>(page), end - page, populate_for_writing);  // NOLINT
    }
    mapped_bytes_ = bytes;
}

/// Looks at the others, whose lines must come from their cores, in one of several calls only.
void Boards::find_room() {
    std::uint64_t least = ~std::uint64_t{0};
    for (std::int32_t rank = 0; rank < endpoint_.ranks(); ++rank) {
        if (rank == endpoint_.rank()) continue;
        const auto& finished = *places_[rank].finished;
        const auto is_free = [&] { return slot_is_free(call_, finished.count(), shape_.slots); };
        if (!is_free()) endpoint_.wait_for_board(rank, shape_.slot_bytes, is_free);
        least = std::min(least, finished.count());
    }
    finished_by_all_ = least;
}

const std::byte* Boards::wait(std::int32_t rank, std::uint64_t bytes) {
    const BoardSlot& there = slot(rank);
    const auto is_there = [&] { return there.has(call_); };
    if (!is_there()) endpoint_.wait_for_board(rank, bytes, is_there);
    return bytes_behind(there);
}

void Boards::finish() {
    places_[endpoint_.rank()].finished->finish(call_);
    // Who waits for the slot sleeps, perhaps.
    endpoint_.ring_everybody();
    ++call_;
    slot_offset_ = call_ % shape_.slots * shape_.slot_bytes;
}

}  // namespace tasuki::memory
