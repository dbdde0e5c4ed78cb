#include "interpose/scratch.hpp"

#include <cstdlib>
#include <new>
#include <string>
#include <utility>

#include "interpose/process.hpp"
#include "interpose/say.hpp"

namespace tasuki::interpose {

namespace {

struct Kept {
    std::size_t bytes = 0;
    std::unique_ptr<std::byte[]> block;
};
thread_local Kept kept;

[[noreturn]] void end_run(std::size_t bytes) {
    say("rank " + std::to_string(process().world_rank) + " has no memory for the " +
        std::to_string(bytes) +
        " bytes that a collective needs beside the program's own buffers, and the other ranks "
        "would wait for it for ever. The run ends. TASUKI_ALLTOALL=pairwise needs none, nor does "
        "the host MPI's own algorithm.");
    PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::abort();
}

}  // namespace

void Scratch::take() {
    if (bytes_ <= kept.bytes) {
        bytes_ = std::exchange(kept.bytes, 0);
        block_ = std::move(kept.block);
        return;
    }
    try {
        block_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
    } catch (const std::bad_alloc&) {
        end_run(bytes_);
    }
}

void Scratch::give_back() {
    if (bytes_ <= most_kept && bytes_ > kept.bytes) kept = {bytes_, std::move(block_)};
}

}  // namespace tasuki::interpose
