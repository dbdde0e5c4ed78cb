#include "transport/memory/boards.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

namespace tasuki::memory {

Boards::Boards(Endpoint& endpoint, BoardKind kind) : endpoint_(endpoint), kind_(kind) {
    for (std::int32_t rank = 0; rank < endpoint.ranks(); ++rank) {
        const Segment& segment = endpoint.segment_of(rank);
        places_.push_back({&segment.front(), segment.board(kind)});
        shape_ = segment.card().geometry.board(kind);
    }
}

/// In all slots at once: otherwise the first calls would be slow, as many as there are slots. An
/// older system does it page by page, when they are written to.
void Boards::map(std::int64_t bytes) {
    constexpr int populate_for_writing = 23;  // MADV_POPULATE_WRITE of Linux 5.14
    static const auto system_page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto populate = [](std::uintptr_t begin, std::uintptr_t end) {
        const std::uintptr_t page = begin / system_page_bytes * system_page_bytes;
        madvise(reinterpret_cast<void*>(page), end - page, populate_for_writing);  // NOLINT
    };
    const auto begin = reinterpret_cast<std::uintptr_t>(places_[endpoint_.rank()].slots);
    const std::size_t pages =
        (sizeof(BoardSlot) + static_cast<std::size_t>(bytes) + page_bytes - 1) / page_bytes;
    const std::size_t used = std::min<std::size_t>(pages * page_bytes, shape_.slot_bytes);
    if (used == shape_.slot_bytes) {
        populate(begin, begin + shape_.bytes());
    } else {
        for (std::uintptr_t slot = begin; slot < begin + shape_.bytes(); slot += shape_.slot_bytes)
            populate(slot, slot + used);
    }
    mapped_bytes_ = static_cast<std::int64_t>(used - sizeof(BoardSlot));
}

/// Looks at the others, whose lines must come from their cores, in one of several calls only.
void Boards::find_room() {
    std::uint64_t least = ~std::uint64_t{0};
    for (std::int32_t rank = 0; rank < endpoint_.ranks(); ++rank) {
        if (rank == endpoint_.rank()) continue;
        const auto& calls = finished(rank);
        const auto is_free = [&] { return slot_is_free(call_, calls.count(), shape_.slots); };
        if (!is_free()) endpoint_.wait_for_board(rank, shape_.slot_bytes, is_free);
        least = std::min(least, calls.count());
    }
    finished_by_all_ = least;
}

/// Wakes who sleeps, and may wait for what was written.
void Boards::announce() {
    Hardware::full_fence();
    for (const Place& place : places_) place.front->bell.ring();
    is_announced_ = true;
}

const std::byte* Boards::wait(std::int32_t rank, std::uint64_t bytes) {
    const BoardSlot& there = slot(rank);
    const auto is_there = [&] { return there.has(call_); };
    for (int looks = endpoint_.looks_before_bells(); looks > 0; --looks) {
        if (is_there()) return bytes_behind(there);
        relax();
    }
    if (!is_announced_) announce();
    if (!is_there()) endpoint_.wait_for_board(rank, bytes, is_there);
    return bytes_behind(there);
}

void Boards::finish() {
    finished(endpoint_.rank()).finish(call_);
    // Who waits for the slot sleeps, perhaps.
    announce();
    is_announced_ = false;
    ++call_;
    slot_offset_ = call_ % shape_.slots * shape_.slot_bytes;
}

}  // namespace tasuki::memory
