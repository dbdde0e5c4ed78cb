#include "arena/described_machine.hpp"

#include <vector>

namespace tasuki {

namespace {

/// `latency` and `overhead` in microseconds, `bandwidth` in MB/s.
LinkParameters link(double latency, double overhead, double gap, double bandwidth) {
    const double per_byte = 1e-6 / bandwidth;
    return {latency * 1e-6, PiecewiseLinear::line(overhead * 1e-6, 0.1 * per_byte),
            PiecewiseLinear::line(overhead * 1e-6, 0.1 * per_byte),
            PiecewiseLinear::line(gap * 1e-6, per_byte)};
}

DescribedMachine machine(std::string_view name, std::string_view sentence, Placement placement,
                         const LinkParameters& on_node, const LinkParameters& off_node,
                         double copy_bandwidth) {
    return {
        name,
        sentence,
        std::move(placement),
        {std::string(name), on_node, off_node, PiecewiseLinear::line(5e-8, 1e-6 / copy_bandwidth)}};
}

}  // namespace

std::span<const DescribedMachine> described_machines() {
    static const std::vector<DescribedMachine> machines = {
        machine("primergy", "8 nodes of 4 cores, InfiniBand", Placement::blocks(32, 4),
                link(0.8, 0.5, 0.9, 900), link(4, 0.9, 2.0, 200), 1800),
        machine("primequest", "one node of 32 cores", Placement::one_node(32),
                link(2.5, 0.8, 1.6, 350), link(2.5, 0.8, 1.6, 350), 1200),
        machine("sr11000", "2 nodes of 16 cores, crossbar", Placement::blocks(32, 16),
                link(1.5, 0.7, 1.2, 700), link(6, 1.5, 2.5, 300), 2500),
        machine("rscc", "32 nodes with one rank each, InfiniBand", Placement::blocks(32, 1),
                link(0.8, 0.5, 0.9, 900), link(6, 1.2, 2.2, 700), 1500),
        machine("cluster", "32 nodes of 32 cores, 1,024 ranks", Placement::blocks(1024, 32),
                link(0.3, 0.15, 0.25, 4000), link(1.5, 0.25, 0.5, 800), 8000),
    };
    return machines;
}

}  // namespace tasuki
