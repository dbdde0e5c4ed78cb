#include "interpose/shared_timings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "interpose/communicator.hpp"
#include "interpose/own_arithmetic.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/scratch.hpp"
#include "transport/host/wait_for_requests.hpp"

namespace tasuki::interpose {

namespace {

/// Seconds are counted in units of 58 ps. A double holds their sum exactly up to six days.
constexpr double units_per_second = 0x1p34;

/// nullptr, on all ranks alike, where not all of them share memory.
Machine* machine_by_memory(Communicator& communicator) {
    static const Choice one_round = parse_choice("allreduce", "one-shot:carrier=memory");
    static const Choice rounds = parse_choice("allreduce", "recursive-doubling:carrier=memory");
    const Choice& choice = communicator.ranks() <= most_of_few_ranks ? one_round : rounds;
    const Placement* placement = communicator.placement().get();
    if (placement == nullptr || placement->most_ranks_on_a_node() < communicator.ranks()) {
        return nullptr;
    }
    if (communicator.memory().get() == nullptr) return nullptr;
    return communicator.programs().get(&choice, 0).machine.get();
}

void combine_by_memory(Communicator& communicator, Machine& machine, std::span<double> values,
                       std::size_t maxima) {
    const Combine combine = [maxima](const std::byte* from, Operand, std::byte* to,
                                     std::int64_t bytes) {
        const std::size_t count = static_cast<std::size_t>(bytes) / sizeof(double);
        for (std::size_t i = 0; i < count; ++i) {
            double mine = 0, other = 0;
            std::memcpy(&other, from + i * sizeof(double), sizeof other);
            std::memcpy(&mine, to + i * sizeof(double), sizeof mine);
            mine = i + maxima < count ? mine + other : std::max(mine, other);
            std::memcpy(to + i * sizeof(double), &mine, sizeof mine);
        }
    };
    const auto bytes = static_cast<std::int64_t>(values.size_bytes());
    const Scratch shared(values.size_bytes());
    execute(communicator, machine,
            {.input = Buffer::contiguous(values.data(), bytes),
             .output = Buffer::contiguous(shared.data(), bytes),
             .unit_bytes = bytes,
             .combine = &combine});
    std::memcpy(values.data(), shared.data(), values.size_bytes());
}

void combine_by_host(MPI_Comm communicator, std::span<double> sums, std::span<double> maxima) {
    std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    host::check(PMPI_Iallreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()),
                                MPI_DOUBLE, MPI_SUM, communicator, &requests[0]));
    host::check(PMPI_Iallreduce(MPI_IN_PLACE, maxima.data(), static_cast<int>(maxima.size()),
                                MPI_DOUBLE, MPI_MAX, communicator, &requests[1]));
    host::wait_for_requests(static_cast<int>(requests.size()), requests.data());
}

}  // namespace

void share_timings(Communicator& communicator, std::span<double> values, std::size_t maxima) {
    const std::span<double> times = values.first(values.size() - maxima);
    {
        const OwnArithmetic own;
        for (double& seconds : times) seconds = std::round(seconds * units_per_second);
    }
    if (Machine* machine = machine_by_memory(communicator)) {
        combine_by_memory(communicator, *machine, values, maxima);
    } else {
        combine_by_host(communicator.own(), times, values.last(maxima));
    }
    const OwnArithmetic own;
    for (double& seconds : times) seconds /= units_per_second * communicator.ranks();
}

}  // namespace tasuki::interpose
