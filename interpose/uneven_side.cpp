#include "interpose/uneven_side.hpp"

#include <algorithm>

#include "interpose/device_buffers.hpp"

namespace tasuki::interpose {

namespace {

std::byte* at(const void* address, std::int64_t distance) {
    // MPI_BOTTOM is a null pointer, from which displacements are addresses.
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(address) + distance);
}

/// Whether the blocks that have something lie one behind the other; `base`: the first one's.
bool are_one_run(const UnevenSide& side, std::byte*& base) {
    std::int64_t before = 0;
    for (int rank = 0; rank < static_cast<int>(side.bytes().size()); ++rank) {
        const std::int64_t bytes = side.bytes()[rank];
        if (bytes == 0) continue;
        if (before == 0) base = side.address(rank);
        if (side.address(rank) != base + before) return false;
        before += bytes;
    }
    return true;
}

}  // namespace

void UnevenSide::add(std::byte* address, MPI_Count count, MPI_Datatype type,
                     const host::TypeLayout& layout) {
    blocks_.push_back({address, count, type, layout});
    bytes_.push_back(count * layout.size);
    all_bytes_ += bytes_.back();
    is_plain_ = is_plain_ && (layout.is_plain || bytes_.back() == 0);
}

bool UnevenSide::make(std::optional<UnevenSide>& side, const void* address, const Integers& counts,
                      const Integers& displacements, MPI_Datatype type, int ranks) {
    host::TypeLayout layout;
    if (address == MPI_IN_PLACE || counts.is_missing() || displacements.is_missing() ||
        !host::layout_of(type, layout)) {
        return false;
    }
    side.emplace(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        if (counts[rank] < 0) return false;
        side->add(at(address, displacements[rank] * layout.extent), counts[rank], type, layout);
    }
    return true;
}

bool UnevenSide::make(std::optional<UnevenSide>& side, const void* address, const Integers& counts,
                      const Integers& displacements, const Datatypes& types, int ranks) {
    if (address == MPI_IN_PLACE || counts.is_missing() || displacements.is_missing() ||
        types.is_missing()) {
        return false;
    }
    side.emplace(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        host::TypeLayout layout;
        const MPI_Count count = counts[rank];
        // Where there is nothing the type may be anything.
        if (count < 0 || (count > 0 && !host::layout_of(types[rank], layout))) return false;
        side->add(at(address, displacements[rank]), count, types[rank], layout);
    }
    return true;
}

Side UnevenSide::block(int rank) const {
    const Block& block = blocks_[rank];
    return {block.address, block.count, block.type, block.layout, 1};
}

bool UnevenSide::is_missing() const {
    return std::ranges::any_of(blocks_, [](const Block& block) {
        return block.address == nullptr && block.layout.is_plain &&
               block.count * block.layout.size > 0;
    });
}

bool UnevenSide::is_in_device_memory() const {
    return std::ranges::any_of(blocks_, [](const Block& block) {
        return block.count > 0 && is_device_memory(block.address);
    });
}

bool UnevenSide::can_be_sent(const Communicator& communicator) const {
    MPI_Datatype last = MPI_DATATYPE_NULL;
    for (int rank = 0; rank < static_cast<int>(blocks_.size()); ++rank) {
        if (blocks_[rank].count == 0 || blocks_[rank].type == last) continue;
        if (!block(rank).can_be_sent(communicator)) return false;
        last = blocks_[rank].type;
    }
    return true;
}

PackedUnevenSide::PackedUnevenSide(const Communicator& communicator, const UnevenSide& side,
                                   bool late_device, bool in_one_run, bool is_copy)
    : communicator_(communicator),
      side_(side),
      by_message_(late_device && side.is_in_device_memory()),
      is_copy_(is_copy || by_message_ || !side.is_plain() ||
               (in_one_run && !are_one_run(side, base_))),
      copy_(is_copy_ ? static_cast<std::size_t>(side.all_bytes()) : 0),
      chunks_(UnevenChunks::packed(side.bytes())) {
    if (by_message_) tell_of_staging();
    if (is_copy_) {
        base_ = copy_.data();
    } else if (!in_one_run) {
        // Places of blocks that have nothing may be anything.
        base_ = nullptr;
        for (int rank = 0; rank < static_cast<int>(side.bytes().size()); ++rank) {
            if (side.bytes()[rank] == 0) continue;
            if (base_ == nullptr) base_ = side.address(rank);
            chunks_.place[rank] = side.address(rank) - base_;
        }
    }
}

template <typename Move>
void PackedUnevenSide::for_each_block(const Move& move) {
    if (!is_copy_) return;
    for (int rank = 0; rank < static_cast<int>(side_.bytes().size()); ++rank) {
        const std::int64_t bytes = side_.bytes()[rank];
        if (bytes == 0) continue;
        Side block = side_.block(rank);
        block.leave_bottom();
        move(block, Buffer::contiguous(copy_.data() + chunks_.place[rank], bytes),
             by_message_ || block.has_huge_elements());
    }
}

void PackedUnevenSide::fetch() {
    for_each_block([&](const Side& block, const Buffer& packed, bool by_message) {
        block.pack(communicator_, by_message, packed);
    });
}

void PackedUnevenSide::deliver() {
    for_each_block([&](const Side& block, const Buffer& packed, bool by_message) {
        block.unpack(communicator_, by_message, packed);
    });
}

Buffer PackedUnevenSide::buffer() const {
    Buffer buffer = Buffer::contiguous(base_, 1);
    buffer.uneven = &chunks_;
    return buffer;
}

}  // namespace tasuki::interpose
