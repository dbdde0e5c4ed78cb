#include "algorithms/one_shot.hpp"

#include <utility>
#include <vector>

#include "algorithms/canonical_sum.hpp"
#include "algorithms/partners.hpp"

namespace tasuki {

Program one_shot(std::int32_t rank, std::int32_t ranks,
                 std::int32_t (*summands)(std::int32_t rank, std::int32_t ranks)) {
    const std::int32_t count = summands(rank, ranks);
    ProgramBuilder program(1, count > 0 ? 1 : 0);
    std::vector<Partial> operands = receive_operands(program, rank, ranks, count, 0, output(0));
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
        const std::int32_t destination = shifted(rank, distance, ranks).destination;
        if (rank < summands(destination, ranks)) program.send(destination, input(0));
    }
    if (count > 0) sum_canonically(program, std::move(operands), output(0));
    return program.finish();
}

}  // namespace tasuki
