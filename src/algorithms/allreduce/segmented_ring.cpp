#include "algorithms/generators.hpp"
#include "algorithms/ring_allreduce.hpp"

namespace tasuki::allreduce {

Program segmented_ring(std::int32_t rank, const Instance& instance) {
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    return ring_allreduce(rank, instance.ranks, segments);
}

}  // namespace tasuki::allreduce
