#include "algorithms/binomial_blocks.hpp"
#include "algorithms/generators.hpp"

namespace tasuki::gather {

Program binomial(std::int32_t rank, const Instance& instance) {
    return binomial_gather(rank, instance, Passing::sized);
}

}  // namespace tasuki::gather
