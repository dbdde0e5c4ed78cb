#include "algorithms/generators.hpp"
#include "algorithms/partial.hpp"
#include "schedule/builder.hpp"

namespace tasuki::scan {

Program linear(std::int32_t rank, const Instance& instance) {
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    const bool is_last = rank + 1 == instance.ranks;
    ProgramBuilder program(segments, segments);
    for (std::int32_t segment = 0; segment < segments; ++segment) {
        Partial sum{input(segment)};
        if (rank == 0) {
            program.copy(sum.region, output(segment));
        } else {
            const StepId received = program.recv(rank - 1, output(segment));
            sum = {output(segment),
                   {program.reduce(input(segment), Operand::right, output(segment), {received})}};
        }
        if (!is_last) program.send(rank + 1, sum.region, sum.after);
    }
    return program.finish();
}

}  // namespace tasuki::scan
