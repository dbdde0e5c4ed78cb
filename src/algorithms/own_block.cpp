#include "algorithms/own_block.hpp"

#include <utility>
#include <vector>

#include "algorithms/canonical_sum.hpp"
#include "algorithms/partners.hpp"

namespace tasuki {

Partial reduce_own_block(ProgramBuilder& program, std::int32_t rank, std::int32_t ranks,
                         const Region& into) {
    std::vector<Partial> parts = receive_operands(program, rank, ranks, ranks, rank, into);
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t destination = shifted(rank, distance, ranks).destination;
        program.send(destination, input(destination));
    }
    return sum_canonically(program, std::move(parts), into);
}

}  // namespace tasuki
