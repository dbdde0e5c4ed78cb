#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::reduce_scatter {

Program pairwise(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(ranks, 1);
    if (ranks == 1) {
        program.copy(input(0), output(0));
        return program.finish();
    }
    std::vector<StepId> before;
    std::vector<StepId> sum;
    Partial rooms[2];
    for (Partial& room : rooms) {
        if (ranks > 2) room.region = scratch(program.reserve_scratch(1, rank));
    }
    for (std::int32_t stage = 1; stage < ranks; ++stage) {
        const Partners partners = pairwise_partners(rank, stage, ranks);
        const Operand side = partners.source > rank ? Operand::right : Operand::left;
        Partial& room = rooms[stage % 2];
        const Region arrived = stage == 1 ? output(0) : room.region;
        const StepId received = program.recv(partners.source, arrived, joined(before, room.after));
        const StepId sent = program.send(partners.destination, input(partners.destination), before);
        sum = {stage == 1 ? program.reduce(input(rank), opposite(side), arrived, {received})
                          : program.reduce(arrived, side, output(0), joined(sum, {received}))};
        if (stage > 1) room.after = sum;
        before = {received, sent};
    }
    return program.finish();
}

}  // namespace tasuki::reduce_scatter
