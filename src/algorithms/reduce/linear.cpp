#include <utility>
#include <vector>

#include "algorithms/canonical_sum.hpp"
#include "algorithms/generators.hpp"

namespace tasuki::reduce {

Program linear(std::int32_t rank, const Instance& instance) {
    const std::int32_t root = instance.root;
    ProgramBuilder program(1, rank == root ? 1 : 0);
    if (rank == root) {
        auto operands =
            receive_operands(program, root, instance.ranks, instance.ranks, 0, output(0));
        sum_canonically(program, std::move(operands), output(0));
    } else {
        program.send(root, input(0));
    }
    return program.finish();
}

}  // namespace tasuki::reduce
