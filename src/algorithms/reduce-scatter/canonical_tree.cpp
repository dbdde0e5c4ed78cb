#include "algorithms/generators.hpp"
#include "algorithms/own_block.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce_scatter {

Program canonical_tree(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(instance.ranks, 1);
    reduce_own_block(program, rank, instance.ranks, output(0));
    return program.finish();
}

}  // namespace tasuki::reduce_scatter
