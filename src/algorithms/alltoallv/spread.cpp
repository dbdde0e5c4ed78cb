#include "algorithms/generators.hpp"

namespace tasuki::alltoallv {

Program spread(std::int32_t rank, const Instance& instance) {
    return alltoall::spread(rank, instance);
}

}  // namespace tasuki::alltoallv
