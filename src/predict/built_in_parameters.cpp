#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "predict/kept_parameters.hpp"
#include "predict/parameter_source.hpp"

namespace tasuki {

namespace {

// Measured on one node with two cores (AMD EPYC, Linux 6) by `tasuki model measure --seconds 0.05`,
// the medians of three runs; by size in bytes.
constexpr std::array<std::int64_t, 8> sizes = {0, 64, 1024, 4096, 8192, 65536, 262144, 1048576};

struct Measured {
    double latency;
    std::array<double, sizes.size()> send_overhead, receive_overhead, gap, copy;
};

// Open MPI v5.0.11, 2 ranks on 2 cores.
constexpr Measured open_mpi = {
    .latency = 5.61e-8,
    .send_overhead = {2e-8, 3e-8, 4e-8, 4e-8, 4e-8, 4e-8, 4e-8, 1.41e-7},
    .receive_overhead = {1e-7, 1.1e-7, 1.7e-7, 1.16e-6, 2.91e-6, 7.03e-6, 2.44e-5, 1.03e-4},
    .gap = {7.89e-8, 9.99e-8, 3.65e-7, 1.33e-6, 3.17e-6, 6.8e-6, 1.96e-5, 9.04e-5},
    .copy = {4.1e-9, 4.81e-9, 1.6e-8, 5.3e-8, 9.61e-8, 1.56e-6, 8.8e-6, 2.48e-5},
};
// Open MPI v5.0.11, 8 ranks on 2 cores.
constexpr Measured open_mpi_sharing_cores = {
    .latency = 6.42e-6,
    .send_overhead = {1.6e-7, 1.9e-7, 3.4e-7, 4.11e-7, 4.11e-7, 5.21e-7, 6.1e-7, 1.59e-6},
    .receive_overhead = {8.91e-7, 1.11e-6, 1.54e-6, 6.33e-6, 1.29e-5, 3.34e-5, 9.41e-5, 3.58e-4},
    .gap = {4.14e-7, 1.2e-6, 6.33e-6, 1.97e-5, 2.47e-5, 5.81e-5, 1.57e-4, 7.36e-4},
    .copy = {1.74e-8, 1.8e-8, 6.43e-8, 1.94e-7, 3.46e-7, 4.73e-6, 2.13e-5, 1.01e-4},
};
// MPICH Version: 5.0.2, 2 ranks on 2 cores.
constexpr Measured mpich = {
    .latency = 3.3e-7,
    .send_overhead = {1e-7, 1.3e-7, 2.9e-7, 3.4e-7, 3.4e-7, 3.61e-7, 4.4e-7, 8.51e-7},
    .receive_overhead = {8.62e-7, 8.62e-7, 8.85e-7, 8.85e-7, 4.35e-6, 9.79e-6, 2.63e-5, 9.55e-5},
    .gap = {8.84e-7, 1.01e-6, 1.01e-6, 1.11e-6, 4.53e-6, 9.47e-6, 2.8e-5, 1.02e-4},
    .copy = {3.6e-9, 3.6e-9, 1.33e-8, 4.58e-8, 8.46e-8, 1.2e-6, 5.45e-6, 2.27e-5},
};
// MPICH Version: 5.0.2, 8 ranks on 2 cores.
constexpr Measured mpich_sharing_cores = {
    .latency = 4e-5,
    .send_overhead = {1.24e-6, 1.24e-6, 2.16e-6, 2.45e-6, 2.45e-6, 2.8e-6, 3.81e-6, 5.96e-6},
    .receive_overhead = {3.25e-5, 3.25e-5, 4.52e-5, 4.64e-5, 1.03e-4, 2.07e-4, 6.1e-4, 2.41e-3},
    .gap = {2.55e-5, 2.55e-5, 2.66e-5, 3.09e-5, 6.64e-5, 1.33e-4, 5.33e-4, 2.18e-3},
    .copy = {1.6e-8, 1.6e-8, 6.47e-8, 2.48e-7, 3.89e-7, 5.09e-6, 2.19e-5, 1.02e-4},
};
// Intel(R) MPI Library 2021.18.1 for Linux* OS, 2 ranks on 2 cores.
constexpr Measured intel = {
    .latency = 3.1e-8,
    .send_overhead = {7.01e-8, 7.01e-8, 1.8e-7, 6e-7, 1.23e-6, 4.13e-6, 1.33e-5, 3.89e-5},
    .receive_overhead = {1.6e-7, 1.7e-7, 3.31e-7, 4.3e-7, 7.21e-7, 2.44e-6, 1.04e-5, 2.86e-5},
    .gap = {1.39e-7, 1.49e-7, 2.76e-7, 7.82e-7, 1.61e-6, 4.59e-6, 1.38e-5, 3.97e-5},
    .copy = {4.42e-9, 4.49e-9, 1.91e-8, 5.29e-8, 1.02e-7, 1.33e-6, 5.52e-6, 2.5e-5},
};
// Intel(R) MPI Library 2021.18.1 for Linux* OS, 8 ranks on 2 cores.
constexpr Measured intel_sharing_cores = {
    .latency = 9.84e-6,
    .send_overhead = {4.31e-7, 5.51e-7, 9.01e-7, 1.36e-6, 3.57e-6, 5.12e-5, 1.2e-4, 1.2e-4},
    .receive_overhead = {2.28e-6, 2.92e-6, 3.9e-6, 4.53e-6, 4.53e-6, 1.54e-5, 7.43e-5, 4.32e-4},
    .gap = {4.31e-7, 5.71e-7, 1.17e-6, 2.05e-6, 2.9e-5, 2.16e-4, 3.93e-4, 3.93e-4},
    .copy = {1.63e-8, 1.88e-8, 7.56e-8, 3.34e-7, 7.41e-7, 5.35e-6, 2.15e-5, 1.01e-4},
};

// The memory transport, which needs no library: from `tasuki bench selection` with 2 ranks on the
// same machine, the geometric mean of all-to-alls on cores that have a common cache and on cores
// that have none (64 B 0.10 and 0.31 us, 4 KiB 0.36 and 1.05, 32 KiB 2.4 and 4.2, 256 KiB 18 and
// 28), and from all-to-alls of 8 ranks. The copy is the library's.
constexpr Measured memory = {
    .latency = 1e-7,
    .send_overhead = {5e-8, 8e-8, 1.3e-7, 2.5e-7, 5e-7, 2.5e-6, 9e-6, 4e-5},
    .receive_overhead = {5e-8, 8e-8, 1.3e-7, 2.5e-7, 5e-7, 2.5e-6, 9e-6, 4e-5},
    .gap = {8e-8, 1.5e-7, 2.5e-7, 4.5e-7, 9e-7, 4.4e-6, 1.7e-5, 7e-5},
    .copy = {},
};
constexpr Measured memory_sharing_cores = {
    .latency = 5e-6,
    .send_overhead = {2e-7, 4e-7, 6e-7, 1.5e-6, 3e-6, 1.5e-5, 6e-5, 2.4e-4},
    .receive_overhead = {2e-7, 4e-7, 6e-7, 1.5e-6, 3e-6, 1.5e-5, 6e-5, 2.4e-4},
    .gap = {4e-7, 9e-7, 1.3e-6, 3.2e-6, 6e-6, 3.2e-5, 1.1e-4, 4.2e-4},
    .copy = {},
};

// What is posted, from the same all-to-alls of 2 ranks; on 8 ranks `tasuki bench collective
// alltoall,allgather,bcast` with rows of one round: 10 us for an all-to-all of 8 B, and 7 and 157
// us for broadcasts of 1 and 256 KiB.
constexpr Measured posts = {
    .latency = 4e-8,
    .send_overhead = {5e-8, 6e-8, 1.5e-7, 2.4e-7, 4.5e-7, 2.6e-6, 8.5e-6, 4e-5},
    .receive_overhead = {5e-8, 6e-8, 1.5e-7, 2.4e-7, 4.5e-7, 2.6e-6, 8.5e-6, 4e-5},
    .gap = {},
    .copy = {},
};
constexpr Measured posts_sharing_cores = {
    .latency = 5e-6,
    .send_overhead = {2e-7, 4e-7, 6e-7, 1.5e-6, 3e-6, 1.5e-5, 6e-5, 2.4e-4},
    .receive_overhead = {6e-7, 7e-7, 1.6e-6, 3e-6, 5e-6, 3e-5, 1e-4, 4.8e-4},
    .gap = {},
    .copy = {},
};

PiecewiseLinear function_of(const std::array<double, sizes.size()>& seconds) {
    std::vector<PiecewiseLinear::Point> points;
    for (std::size_t i = 0; i < sizes.size(); ++i) points.push_back({sizes[i], seconds[i]});
    return PiecewiseLinear(std::move(points));
}

/// Nobody measured this: what an InfiniBand of 100 Gbit/s would give one of several ranks of a node
/// that send at once, and the turns of the scheduler that on-node messages wait for.
LinkParameters off_node_link(double on_node_latency) {
    return {on_node_latency + 1.5e-6, PiecewiseLinear::line(2.5e-7, 1.2e-10),
            PiecewiseLinear::line(2.5e-7, 1.2e-10), PiecewiseLinear::line(5e-7, 1e-9)};
}

LinkParameters link_of(const Measured& measured) {
    return {measured.latency, function_of(measured.send_overhead),
            function_of(measured.receive_overhead), function_of(measured.gap)};
}

MachineParameters machine_of(const std::string& name, const Measured& measured) {
    return {std::string(built_in_prefix) + name, link_of(measured), off_node_link(measured.latency),
            function_of(measured.copy)};
}

}  // namespace

const MachineParameters& built_in_parameters(std::string_view library, bool oversubscribed) {
    // [kind of library][oversubscribed]
    static const std::array<std::array<MachineParameters, 2>, 3> machines = {{
        {machine_of("Open MPI", open_mpi),
         machine_of("Open MPI, sharing cores", open_mpi_sharing_cores)},
        {machine_of("MPICH", mpich), machine_of("MPICH, sharing cores", mpich_sharing_cores)},
        {machine_of("Intel MPI", intel),
         machine_of("Intel MPI, sharing cores", intel_sharing_cores)},
    }};
    const std::size_t kind = library.starts_with("Open MPI") ? 0
                             : library.starts_with("Intel")  ? 2
                                                             : 1;
    return machines[kind][oversubscribed ? 1 : 0];
}

MachineParameters with_memory_inside(const MachineParameters& machine, bool oversubscribed) {
    MachineParameters changed = machine;
    changed.on_node = link_of(oversubscribed ? memory_sharing_cores : memory);
    changed.posts = link_of(oversubscribed ? posts_sharing_cores : posts);
    return changed;
}

}  // namespace tasuki
