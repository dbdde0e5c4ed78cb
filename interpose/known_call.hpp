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
    bool has_type_arrays = false;       ///< and no types beside these
    std::uint32_t special_buffers = 0;  ///< as special() gives them, two bits a buffer
    int root = 0;

    /// All of it in one word.
    constexpr std::uint64_t packed() const {
        return static_cast<std::uint64_t>(collective) | std::uint64_t{agrees_about_sizes} << 8 |
               std::uint64_t{has_block_counts} << 9 | std::uint64_t{has_type_arrays} << 10 |
               std::uint64_t{special_buffers} << 16 |
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

    /// Whether a call with `given` ones, of which what its collective does not have is known to be
    /// zero where this is compiled: then it is in all others of the collective, too.
    bool are(const CallArguments& given) const {
        const auto same = [](auto one, auto other) {
            const auto bits = std::bit_cast<Bits<decltype(other)>>(other);
            return (__builtin_constant_p(bits) && bits == 0) ||
                   std::bit_cast<Bits<decltype(one)>>(one) == bits;
        };
        return shape == given.shape && same(counts[0], given.counts[0]) &&
               same(counts[1], given.counts[1]) && same(types[0], given.types[0]) &&
               same(types[1], given.types[1]) && same(operation, given.operation) &&
               same(communicator, given.communicator);
    }

  private:
    /// Handles are pointers or integers.
    template <typename Value>
    using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
};

/// Whether it is neither NULL nor MPI_IN_PLACE.
inline bool is_plain(const void* buffer) {
    return buffer != nullptr && buffer != MPI_IN_PLACE;
}

/// For CallShape::special_buffers: two bits a buffer. Of nearly all calls none is.
template <typename... Buffers>
std::uint32_t special(Buffers... buffers) {
    if ((is_plain(buffers) && ...)) [[likely]]
        return 0;
    std::uint32_t bits = 0;
    int place = 0;
    const auto add = [&](const void* buffer) {
        bits |= ((buffer == nullptr ? 1U : 0U) | (buffer == MPI_IN_PLACE ? 2U : 0U)) << place;
        place += 2;
    };
    (add(buffers), ...);
    return bits;
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
