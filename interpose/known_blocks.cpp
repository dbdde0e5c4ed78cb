#include "interpose/known_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "execute/chunk_sizes.hpp"
#include "interpose/vector_blocks.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

namespace {

/// Of the type of one block, which may be any where that has nothing; 0 if it has gaps, or may come
/// to mean something else.
std::int64_t plain_bytes(MPI_Datatype type) {
    host::TypeLayout layout;
    const bool is_known = host::layout_of(type, layout) && layout.is_predefined && layout.is_plain;
    return is_known ? layout.size : 0;
}

}  // namespace

struct KnownBlocks::Call {
    const CallArguments& arguments;
    const KnownRun& run;
    const CallBuffers& buffers;
    const CallArrays& arrays;
    int rank;
    int ranks;

    const void* address(int side) const { return side == 0 ? buffers.send : buffers.receive; }
};

void KnownBlocks::Side::begin(const void* address, std::int64_t unit_bytes) {
    chunks.clear();
    buffer = Buffer::contiguous(const_cast<void*>(address), unit_bytes);
    buffer.uneven = &chunks;
}

bool KnownBlocks::bind(const CallArguments& arguments, const KnownRun& run,
                       Communicator& communicator, const CallBuffers& buffers,
                       const CallArrays& arrays) {
    const int ranks = communicator.ranks();
    if (ranks > most_ranks || run.machine->program().scratch_chunks > most_scratch_chunks ||
        buffers.send == MPI_IN_PLACE || buffers.receive == MPI_IN_PLACE) {
        return false;
    }
    const Call call{arguments, run, buffers, arrays, communicator.rank(), ranks};
    try {
        if (!bind_sides(call)) return false;
        lay_out(call, communicator.agreed_size(arguments.collective()).capacity());
        return true;
    } catch (...) {
        // A type that is none, or no memory: the handler meets it again, and tells of it.
        return false;
    }
}

bool KnownBlocks::bind_sides(const Call& call) {
    switch (call.arguments.collective()) {
        case Collective::gather:
            return bind_rooted(call, 1);
        case Collective::scatter:
            return bind_rooted(call, 0);
        case Collective::allgather:
            return bind_own(call, 0) && bind_all(call, 1, true) &&
                   sides_[0].units(0) == sides_[1].units(call.rank);
        case Collective::alltoallv:
            return bind_all(call, 0, false) && bind_all(call, 1, false);
        case Collective::reduce_scatter:
            return bind_reduced(call);
        default:
            return false;
    }
}

/// `all`: the side of the root's blocks. Elsewhere what the call says of them may be anything.
bool KnownBlocks::bind_rooted(const Call& call, int all) {
    const int own = 1 - all;
    sides_[all].clear();
    if (!bind_own(call, own)) return false;
    return call.rank != call.arguments.root() ||
           (bind_all(call, all, false) && sides_[all].units(call.rank) == sides_[own].units(0));
}

/// All blocks of the input one behind the other, one in the output, in elements. Blocks that are
/// equal have chunks that are, too.
bool KnownBlocks::bind_reduced(const Call& call) {
    // Elements with gaps are moved part by part: what the program keeps in the gaps stays.
    if (call.run.element_bytes[0] == 0) return false;
    const Integers& counts = call.arrays.counts[1];
    sides_[0].begin(call.buffers.send, call.run.unit_bytes);
    sides_[1].begin(call.buffers.receive, call.run.unit_bytes);
    bool is_even = true;
    std::int64_t longest = 0;
    for (int rank = 0; rank < call.ranks; ++rank) {
        if (counts[rank] < 0) return false;
        is_even = is_even && counts[rank] == counts[0];
        longest = std::max<std::int64_t>(longest, counts[rank]);
        sides_[0].chunks.add(counts[rank]);
    }
    // Who does not know the call makes several passes of it.
    const bool goes_in_passes = call.run.machine->gathers() &&
                                longest > elements_of_a_pass(call.ranks, call.run.unit_bytes);
    if (goes_in_passes) return false;
    const std::int64_t own = counts[call.rank];
    sides_[1].chunks.add(own);
    return !is_even && (own == 0 || call.buffers.receive != nullptr);
}

/// A block whose count is no array.
bool KnownBlocks::bind_own(const Call& call, int side) {
    const std::int64_t element_bytes = call.run.element_bytes[side];
    const std::int64_t bytes = call.arguments.counts[0] * element_bytes;
    sides_[side].begin(call.address(side), 1);
    sides_[side].chunks.add(bytes);
    return element_bytes != 0 && bytes >= 0 && (bytes == 0 || call.address(side) != nullptr);
}

bool KnownBlocks::bind_all(const Call& call, int side, bool in_one_run) {
    const Integers& counts = call.arrays.counts[side];
    const Integers& displacements = call.arrays.displacements[side];
    const Datatypes& types = call.arrays.types[side];
    const bool has_types = !types.is_missing();
    if (counts.is_missing() || displacements.is_missing()) return false;
    std::int64_t element_bytes = call.run.element_bytes[side];
    if (!has_types && element_bytes == 0) return false;
    const std::int64_t displacement_bytes = has_types ? 1 : element_bytes;
    // MPI_BOTTOM is a null pointer, from which displacements are addresses.
    const auto from = reinterpret_cast<std::intptr_t>(call.address(side));
    Side& made = sides_[side];
    made.begin(nullptr, 1);
    for (int rank = 0; rank < call.ranks; ++rank) {
        const std::int64_t count = counts[rank];
        if (count < 0) return false;
        if (count > 0 && has_types) {
            element_bytes = plain_bytes(types[rank]);
            if (element_bytes == 0) return false;
        }
        const std::int64_t packed = made.chunks.cut.back();
        made.chunks.add(count * element_bytes);
        // Places of blocks that have nothing may be anything.
        if (count == 0) continue;
        auto* const address =
            reinterpret_cast<std::byte*>(from + displacements[rank] * displacement_bytes);
        if (address == nullptr) return false;
        if (made.buffer.base == nullptr) made.buffer.base = address;
        std::int64_t& place = made.chunks.place.back();
        place = address - made.buffer.base;
        if (in_one_run && place != packed) return false;
    }
    return true;
}

/// `capacity`: of heads.
void KnownBlocks::lay_out(const Call& call, std::int64_t capacity) {
    const Program& program = call.run.machine->program();
    const bool has_tails = call.arguments.agrees_about_sizes() && program.has_tails;
    if (has_tails) {
        for (Side& side : sides_) split_into_heads_and_tails(side.chunks, capacity);
    }
    has_uneven_scratch_ = has_tails || call.arguments.has_block_counts();
    if (!has_uneven_scratch_) return;
    sizes_.clear();
    if (has_tails) {
        sizes_.push_back(capacity);
    } else {
        const Side& all = sides_[call.arguments.collective() == Collective::reduce_scatter ? 0 : 1];
        for (int rank = 0; rank < call.ranks; ++rank) sizes_.push_back(all.units(rank));
    }
    lay_out_scratch(program, sizes_, scratch_);
}

}  // namespace tasuki::interpose
