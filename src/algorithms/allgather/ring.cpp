#include "algorithms/generators.hpp"
#include "algorithms/ring_allgather.hpp"

namespace tasuki::allgather {

Program ring(std::int32_t rank, const Instance& instance) {
    return ring_allgather(rank, instance.ranks);
}

}  // namespace tasuki::allgather
