#include "algorithms/binomial_blocks.hpp"
#include "algorithms/generators.hpp"

namespace tasuki::gather {

Program padded_binomial(std::int32_t rank, const Instance& instance) {
    return binomial_gather(rank, instance, Passing::padded);
}

}  // namespace tasuki::gather
