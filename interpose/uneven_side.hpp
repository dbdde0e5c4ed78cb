// One side of a v- or w-form: a block for each rank, of its own size and place, or of its own type.
#pragma once

#include <optional>
#include <vector>

#include "execute/chunk_sizes.hpp"
#include "interpose/array_arguments.hpp"
#include "interpose/communicator.hpp"
#include "interpose/scratch.hpp"
#include "interpose/side.hpp"
#include "transport/buffer.hpp"

namespace tasuki::interpose {

/// Memory: 72 bytes a rank.
class UnevenSide {
  public:
    /// Of no blocks yet, with room for `ranks`.
    explicit UnevenSide(int ranks) {
        blocks_.reserve(static_cast<std::size_t>(ranks));
        bytes_.reserve(static_cast<std::size_t>(ranks));
    }
    /// Blocks of one type, displacements in its extents. false if the arguments are invalid.
    static bool make(std::optional<UnevenSide>& side, const void* address, const Integers& counts,
                     const Integers& displacements, MPI_Datatype type, int ranks);
    /// Each of its own type, displacements in bytes.
    static bool make(std::optional<UnevenSide>& side, const void* address, const Integers& counts,
                     const Integers& displacements, const Datatypes& types, int ranks);

    const std::vector<std::int64_t>& bytes() const { return bytes_; }  ///< [rank] packed
    std::int64_t all_bytes() const { return all_bytes_; }
    /// Every block is one run of bytes.
    bool is_plain() const { return is_plain_; }
    std::byte* address(int rank) const { return blocks_[rank].address; }
    Side block(int rank) const;

    bool is_missing() const;
    bool is_in_device_memory() const;
    bool can_be_sent(const Communicator& communicator) const;
    /// Sides that are made of blocks see to that themselves.
    void leave_bottom() {}

  private:
    struct Block {
        std::byte* address;
        MPI_Count count;
        MPI_Datatype type;
        host::TypeLayout layout;
    };

    void add(std::byte* address, MPI_Count count, MPI_Datatype type,
             const host::TypeLayout& layout);

    std::vector<Block> blocks_;
    std::vector<std::int64_t> bytes_;
    std::int64_t all_bytes_ = 0;
    bool is_plain_ = true;
};

/// An uneven side as runs of bytes: the program's own memory where these lie there, else a copy.
/// See PackedSide.
class PackedUnevenSide {
  public:
    /// `in_one_run`: blocks are sent several in a message, so that they must follow each other.
    PackedUnevenSide(const Communicator& communicator, const UnevenSide& side, bool late_device,
                     bool in_one_run, bool is_copy = false);
    PackedUnevenSide(const PackedUnevenSide&) = delete;
    PackedUnevenSide& operator=(const PackedUnevenSide&) = delete;

    void fetch();
    void deliver();
    /// Makes two chunks of each block, its head and its tail.
    void split(std::int64_t capacity) { split_into_heads_and_tails(chunks_, capacity); }
    /// A chunk for each block, in units of bytes. Holds as long as this does.
    Buffer buffer() const;

  private:
    template <typename Move>
    void for_each_block(const Move& move);

    const Communicator& communicator_;
    const UnevenSide& side_;
    std::byte* base_ = nullptr;
    bool by_message_;
    bool is_copy_;
    Scratch copy_;
    UnevenChunks chunks_;
};

}  // namespace tasuki::interpose
