#include "algorithms/generators.hpp"
#include "algorithms/ordered_halving.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce {

Program rabenseifner(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    const PairFold fold(instance.ranks, instance.root);
    ProgramBuilder program(fold.cube(), is_root ? fold.cube() : 0);
    if (!fold.takes_part(rank)) {
        program.send(fold.mate(rank), input(0, fold.cube()));
        return program.finish();
    }
    const Region sums = is_root ? output(0, fold.cube())
                                : scratch(program.reserve_scratch(fold.cube(), 0), fold.cube());
    OrderedHalving halving(program, fold, rank, sums);
    halving.reduce_scatter();
    halving.gather(fold.number_of(instance.root));
    return program.finish();
}

}  // namespace tasuki::reduce
