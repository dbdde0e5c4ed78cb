// What gather and scatter share: a block for each rank at the root, and one at each rank.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "execute/chunk_sizes.hpp"
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
    bool is_in_place = false;   ///< `own` is one of `all`
    bool late_device = false;   ///< see has_late_device()
    std::int64_t capacity = 0;  ///< of heads, where only the root knows all sizes

    bool is_root() const { return communicator->rank() == root; }
};

/// The same as bytes for a program. See PackedSide.
template <typename AllBlocks>
class PackedRootedBlocks {
  public:
    static constexpr bool sizes_are_known = std::is_same_v<AllBlocks, Side>;

    /// For one execution of `program`. A block that is in place gets memory of its own: it is in
    /// the way of nothing else there.
    PackedRootedBlocks(const RootedBlocks<AllBlocks>& blocks, const Program& program)
        : own_(*blocks.communicator, *blocks.own, blocks.late_device, blocks.is_in_place),
          unit_bytes_(sizes_are_known ? blocks.own->bytes() : 1) {
        if constexpr (sizes_are_known) {
            if (blocks.all) all_.emplace(*blocks.communicator, *blocks.all, blocks.late_device);
        } else {
            if (blocks.all) {
                all_.emplace(*blocks.communicator, *blocks.all, blocks.late_device, false);
            }
            own_chunk_ = UnevenChunks::packed(std::vector<std::int64_t>{blocks.own->bytes()});
            if (program.has_tails) {
                split_into_heads_and_tails(own_chunk_, blocks.capacity);
                if (all_) all_->split(blocks.capacity);
                scratch_ = scratch_of(program, {&blocks.capacity, 1});
            }
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
    /// As Work has it: of programs with tails.
    const UnevenChunks* scratch() const { return scratch_.cut.empty() ? nullptr : &scratch_; }

  private:
    using PackedAll = std::conditional_t<sizes_are_known, PackedSide, PackedUnevenSide>;

    PackedSide own_;
    std::int64_t unit_bytes_;
    UnevenChunks own_chunk_;
    UnevenChunks scratch_;
    std::optional<PackedAll> all_;
};

/// How a call of gather or scatter goes on. `own_*`: the arguments for this rank's block;
/// `make_all`: fills RootedBlocks::all for so many ranks, or says that its arguments are invalid;
/// `run`: runs a machine on blocks.
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
    if (sizes_are_known && block_bytes == 0) {
        return nothing_to_do(collective, "there is nothing to move");
    }
    communicator.begin_call();
    blocks.late_device = has_late_device(communicator);
    if (const char* reason =
            why_not_ours(communicator, blocks.all ? &*blocks.all : nullptr, &*blocks.own)) {
        return leave(reason);
    }
    const RowFilter& rows = sizes_are_known ? rows_of_known_sizes : rows_of_unknown_sizes;
    const Wish* wish = current_wish(collective);
    SelectedSize* size = nullptr;
    if constexpr (sizes_are_known) {
        size = communicator.selected_size(collective, *wish, block_bytes, rows);
    } else {
        const auto largest_block = [&] { return blocks.is_root() ? 0 : block_bytes; };
        const auto agreed =
            communicator.agreed_selected_size(collective, *wish, block_bytes, largest_block, rows);
        size = agreed.size;
        blocks.capacity = agreed.capacity;
    }
    return take({collective, root, &rows}, begin_turn(size, wish), communicator,
                [&](Machine& machine) { run(machine, blocks); });
}

}  // namespace tasuki::interpose
