#include "algorithms/generators.hpp"
#include "algorithms/ring_allreduce.hpp"

namespace tasuki::allreduce {

Program ring(std::int32_t rank, const Instance& instance) {
    return ring_allreduce(rank, instance.ranks, 1);
}

}  // namespace tasuki::allreduce
