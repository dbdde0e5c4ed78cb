#include "algorithms/generators.hpp"
#include "algorithms/ordered_halving.hpp"
#include "schedule/builder.hpp"

namespace tasuki::allreduce {

Program rabenseifner(std::int32_t rank, const Instance& instance) {
    const PairFold fold(instance.ranks);
    ProgramBuilder program(fold.cube(), fold.cube());
    const Region sums = output(0, fold.cube());
    if (!fold.takes_part(rank)) {
        program.send(fold.mate(rank), input(0, fold.cube()));
        program.recv(fold.mate(rank), sums);
        return program.finish();
    }
    OrderedHalving halving(program, fold, rank, sums);
    halving.reduce_scatter();
    halving.allgather();
    if (fold.in_pair(rank)) program.send(fold.mate(rank), sums, halving.ready());
    return program.finish();
}

}  // namespace tasuki::allreduce
