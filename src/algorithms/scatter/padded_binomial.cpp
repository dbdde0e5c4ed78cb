#include "algorithms/binomial_blocks.hpp"
#include "algorithms/generators.hpp"

namespace tasuki::scatter {

Program padded_binomial(std::int32_t rank, const Instance& instance) {
    return binomial_scatter(rank, instance, Passing::padded);
}

}  // namespace tasuki::scatter
