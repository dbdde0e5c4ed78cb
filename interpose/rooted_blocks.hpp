// What gather and scatter share: a block for each rank at the root, and one at each rank.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpose/check_sides.hpp"
#include "interpose/communicator.hpp"
#include "interpose/packed_side.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/uneven_side.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

/// The data of this rank. `AllBlocks`: Side, or UnevenSide where only the root knows all sizes.
template <typename AllBlocks>
struct RootedBlocks {
    Communicator* communicator = nullptr;
    int root = 0;
    std::optional<AllBlocks> all;  ///< at the root
    std::optional<Side> own;
    bool is_in_place = false;  ///< `own` is one of `all`

    bool is_root() const { return communicator->rank() == root; }
};

/// The same as bytes for a program. See PackedSide.
template <typename AllBlocks>
class PackedRootedBlocks {
  public:
    static constexpr bool sizes_are_known = std::is_same_v<AllBlocks, Side>;

    /// A block that is in place gets memory of its own: it is in the way of nothing else there.
    PackedRootedBlocks(const RootedBlocks<AllBlocks>& blocks, bool late_device)
        : own_(*blocks.communicator, *blocks.own, late_device, blocks.is_in_place),
          own_chunk_(UnevenChunks::packed(std::vector<std::int64_t>{blocks.own->bytes()})),
          unit_bytes_(sizes_are_known ? blocks.own->bytes() : 1) {
        if constexpr (sizes_are_known) {
            if (blocks.all) all_.emplace(*blocks.communicator, *blocks.all, late_device);
        } else {
            if (blocks.all) all_.emplace(*blocks.communicator, *blocks.all, late_device, false);
        }
    }

    PackedSide& own() { return own_; }
    void fetch_all() {
        if (all_) all_->fetch();
    }
    void deliver_all() {
        if (all_) all_->deliver();
    }
    Buffer own_buffer() const { return sizes_are_known ? own_.buffer() : own_.buffer(own_chunk_); }
    Buffer all_buffer() const { return all_ ? all_->buffer() : Buffer{}; }
    std::int64_t unit_bytes() const { return unit_bytes_; }

  private:
    using PackedAll = std::conditional_t<sizes_are_known, PackedSide, PackedUnevenSide>;

    PackedSide own_;
    UnevenChunks own_chunk_;
    std::int64_t unit_bytes_;
    std::optional<PackedAll> all_;
};

/// How a call of gather or scatter goes on. `own_*`: the arguments for this rank's block;
/// `make_all`: fills RootedBlocks::all for so many ranks, or says that its arguments are invalid;
/// `run`: runs a machine on blocks, told of late device memory.
template <typename AllBlocks, typename MakeAll, typename Run>
Handled handle_rooted(Collective collective, MPI_Comm parent, int root, const void* own_address,
                      MPI_Count own_count, MPI_Datatype own_type, const MakeAll& make_all,
                      const Run& run) {
    constexpr bool sizes_are_known = std::is_same_v<AllBlocks, Side>;
    const auto leave = [&](const char* reason) { return to_the_host(collective, reason); };
    if (parent == MPI_COMM_NULL) return leave("its arguments are invalid");
    RootedBlocks<AllBlocks> blocks;
    blocks.communicator = Communicator::of(parent, collective);
    blocks.root = root;
    if (blocks.communicator == nullptr) return leave(Communicator::why_not(parent));
    Communicator& communicator = *blocks.communicator;
    if (root < 0 || root >= communicator.ranks()) return leave("its root is no rank");
    if (blocks.is_root() && !make_all(blocks.all, communicator.ranks())) {
        return leave("its arguments are invalid");
    }
    blocks.is_in_place = blocks.is_root() && own_address == MPI_IN_PLACE;
    if (blocks.is_in_place) {
        blocks.own.emplace(blocks.all->block(root));
    } else if (!make_side(blocks.own, own_address, own_count, own_type, 1)) {
        return leave("its arguments are invalid");
    }
    const std::int64_t block_bytes = blocks.own->bytes();
    if (blocks.is_root() && blocks.all->block(root).bytes() != block_bytes) {
        return leave("the sizes of what is sent and received differ");
    }
    if (sizes_are_known && block_bytes == 0) return leave("there is nothing to move");
    communicator.begin_call();
    const bool late_device = has_late_device(communicator);
    if (const char* reason =
            why_not_ours(communicator, blocks.all ? &*blocks.all : nullptr, &*blocks.own)) {
        return leave(reason);
    }
    const RowFilter& rows = sizes_are_known ? every_row : rows_of_unknown_sizes;
    const Wish* wish = current_wish(collective);
    SelectedSize* size =
        sizes_are_known ? communicator.selected_size(collective, *wish, block_bytes, rows)
                        : communicator.agreed_selected_size(collective, *wish, block_bytes, rows);
    return take({collective, root, &rows}, begin_turn(size, wish), communicator,
                [&](Machine& machine) { run(machine, blocks, late_device); });
}

}  // namespace tasuki::interpose
