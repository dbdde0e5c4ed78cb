#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "schedule/builder.hpp"

namespace tasuki::exscan {

Program linear(std::int32_t rank, const Instance& instance) {
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    const bool is_last = rank + 1 == instance.ranks;
    ProgramBuilder program(segments, rank == 0 ? 0 : segments);
    for (std::int32_t segment = 0; segment < segments; ++segment) {
        Partial sum{input(segment)};
        if (rank > 0) {
            const StepId received = program.recv(rank - 1, output(segment));
            if (is_last) continue;
            const Region passed = scratch(program.reserve_scratch(1, segment));
            const StepId copied = program.copy(input(segment), passed);
            sum = {passed,
                   {program.reduce(output(segment), Operand::left, passed, {received, copied})}};
        }
        if (!is_last) program.send(rank + 1, sum.region, sum.after);
    }
    return program.finish();
}

}  // namespace tasuki::exscan
