#include "algorithms/generators.hpp"

namespace tasuki::alltoallv {

Program pairwise(std::int32_t rank, const Instance& instance) {
    return alltoall::pairwise(rank, instance);
}

}  // namespace tasuki::alltoallv
