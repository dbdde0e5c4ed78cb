#include "algorithms/binomial_blocks.hpp"
#include "algorithms/generators.hpp"

namespace tasuki::scatter {

Program binomial(std::int32_t rank, const Instance& instance) {
    return binomial_scatter(rank, instance, Passing::sized);
}

}  // namespace tasuki::scatter
