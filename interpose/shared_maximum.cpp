#include "interpose/shared_maximum.hpp"

#include <cstddef>
#include <cstring>

#include "algorithms/algorithm.hpp"
#include "interpose/scratch.hpp"
#include "reduce/kernel.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

void keep_larger(const std::byte* from, Operand, std::byte* to, std::int64_t bytes) {
    static const reduction::Kernel& maximum =
        *reduction::find_kernel(reduction::Operation::max, reduction::Element::float64);
    reduction::reduce_from_left(maximum, from, to,
                                static_cast<std::size_t>(bytes) / sizeof(double));
}

}  // namespace

void SharedMaximum::take(std::span<double> values) {
    if (is_by_memory()) {
        take_by_memory(values);
    } else {
        host::check(PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                                   MPI_DOUBLE, MPI_MAX, communicator_));
    }
}

bool SharedMaximum::is_by_memory() {
    if (is_prepared_) return machine_.has_value();
    is_prepared_ = true;
    const Placement* placement = placement_.get();
    if (placement == nullptr || placement->most_ranks_on_a_node() < ranks_) return false;
    if (memory_.get() == nullptr) return false;
    const Instance instance{.ranks = ranks_, .placement = Placement::one_node(ranks_)};
    machine_.emplace(find_algorithm("allreduce", "recursive-doubling")->generate(rank_, instance));
    return true;
}

void SharedMaximum::take_by_memory(std::span<double> values) {
    static const Combine combine = keep_larger;
    const auto bytes = static_cast<std::int64_t>(values.size_bytes());
    const auto scratch_bytes = machine_->program().scratch_chunks * bytes;
    const Scratch memory(static_cast<std::size_t>(2 * bytes + scratch_bytes));
    std::byte* const from = memory.data();
    std::byte* const to = from + bytes;
    std::memcpy(from, values.data(), values.size_bytes());
    const Binding binding{.input = Buffer::contiguous(from, bytes),
                          .output = Buffer::contiguous(to, bytes),
                          .scratch = Buffer::contiguous(to + bytes, bytes),
                          .transport = memory_.get(),
                          .combine = &combine};
    try {
        machine_->run(binding);
    } catch (...) {
        binding.transport->abandon();
        throw;
    }
    std::memcpy(values.data(), to, values.size_bytes());
}

}  // namespace tasuki::interpose
