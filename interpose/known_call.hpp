// What is compared of a call that comes again, and what is known of one of ours.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "calls/collectives.hpp"
#include "execute/copy_chunks.hpp"
#include "interpose/array_arguments.hpp"
#include "interpose/machine.hpp"
#include "transport/host/mpi_header.hpp"
#include "transport/memory/boards.hpp"

namespace tasuki::interpose {

/// What a call is, beside its counts and handles.
struct CallShape {
    Collective collective{};
    bool agrees_about_sizes = false;    ///< see AgreedSize
    bool has_block_counts = false;      ///< of all ranks, in an array that is equal on all of them
    std::uint32_t special_buffers = 0;  ///< as special() gives them, two bits a buffer
    int root = 0;

    /// All of it in one word.
    constexpr std::uint64_t packed() const {
        return static_cast<std::uint64_t>(collective) | std::uint64_t{agrees_about_sizes} << 8 |
               std::uint64_t{has_block_counts} << 9 | std::uint64_t{special_buffers} << 16 |
               std::uint64_t{static_cast<std::uint32_t>(root)} << 32;
    }
};

/// What decides about a call that is known. Of buffers only whether they are NULL or MPI_IN_PLACE
/// counts, and of what is in arrays only the sum of block counts, if it has_block_counts().
struct CallArguments {
    std::uint64_t shape = 0;  ///< CallShape::packed()
    MPI_Comm communicator{};
    MPI_Count counts[2]{};
    MPI_Datatype types[2]{};
    MPI_Op operation{};

    Collective collective() const { return Collective(shape & 0xff); }
    bool agrees_about_sizes() const { return (shape >> 8 & 1) != 0; }
    bool has_block_counts() const { return (shape >> 9 & 1) != 0; }
    std::uint32_t special_buffers() const { return shape >> 16 & 0xffff; }
    int root() const { return static_cast<int>(shape >> 32); }

    /// Without a branch for each of them.
    friend bool operator==(const CallArguments& a, const CallArguments& b) {
        const auto differ = [](auto one, auto other) {
            return std::bit_cast<Bits<decltype(one)>>(one) ^
                   std::bit_cast<Bits<decltype(other)>>(other);
        };
        return (differ(a.shape, b.shape) | differ(a.communicator, b.communicator) |
                differ(a.counts[0], b.counts[0]) | differ(a.counts[1], b.counts[1]) |
                differ(a.types[0], b.types[0]) | differ(a.types[1], b.types[1]) |
                differ(a.operation, b.operation)) == 0;
    }

  private:
    /// Handles are pointers or integers.
    template <typename Value>
    using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
};

/// For CallShape::special_buffers: two bits a buffer.
inline std::uint32_t special(const void* buffer) {
    return (buffer == nullptr ? 1U : 0U) | (buffer == MPI_IN_PLACE ? 2U : 0U);
}

/// The buffers of a call, as the program gives them. Where it gives one, both are that one.
struct CallBuffers {
    const void* send = nullptr;
    void* receive = nullptr;
};

/// The arrays of a call, as the program gives them: of what is sent, and of what is received. What
/// has none is missing; where only the root's count they may be anything elsewhere.
struct CallArrays {
    Integers counts[2];
    Integers displacements[2];
    Datatypes types[2];
};

/// What a call of ours does, all of it: a program of steps between the buffers that it was given.
struct KnownRun {
    Machine* machine = nullptr;        ///< nullptr: not known
    memory::Boards* boards = nullptr;  ///< where its round is posted; nullptr: it sends messages
    const Combine* combine = nullptr;
    std::int64_t unit_bytes = 0;
    std::uint64_t changes = 0;  ///< known_call_changes, while `machine` is there
    bool reads = false;         ///< from CallBuffers::send
    bool writes = false;        ///< to CallBuffers::receive
    bool is_uneven = false;     ///< between KnownBlocks in place of equal chunks
    /// Of CallArguments::types, where it is uneven; 0 where there is none, or one with gaps.
    std::int64_t element_bytes[2]{};
};

}  // namespace tasuki::interpose
