#include "interpose/shared_maximum.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "interpose/communicator.hpp"
#include "interpose/run_choice.hpp"
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

/// nullptr, on all ranks alike, where not all of them share memory.
Machine* machine_by_memory(Communicator& communicator) {
    static const Choice choice = parse_choice("allreduce", "recursive-doubling:carrier=memory");
    const Placement* placement = communicator.placement().get();
    if (placement == nullptr || placement->most_ranks_on_a_node() < communicator.ranks()) {
        return nullptr;
    }
    return communicator.programs().get(&choice, 0).machine.get();
}

}  // namespace

void share_maximum(Communicator& communicator, std::span<double> values) {
    static const Combine combine = keep_larger;
    Machine* machine = machine_by_memory(communicator);
    if (machine == nullptr) {
        host::check(PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                                   MPI_DOUBLE, MPI_MAX, communicator.own()));
        return;
    }
    const auto bytes = static_cast<std::int64_t>(values.size_bytes());
    const Scratch shared(values.size_bytes());
    execute(communicator, *machine,
            {.input = Buffer::contiguous(values.data(), bytes),
             .output = Buffer::contiguous(shared.data(), bytes),
             .unit_bytes = bytes,
             .combine = &combine});
    std::memcpy(values.data(), shared.data(), values.size_bytes());
}

}  // namespace tasuki::interpose
