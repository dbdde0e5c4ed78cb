#include <bit>

#include "algorithms/generators.hpp"
#include "algorithms/growing_sum.hpp"
#include "schedule/builder.hpp"

namespace tasuki::scan {

Program hillis_steele(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(1, 1);
    const auto receives = std::bit_width(static_cast<std::uint32_t>(rank));
    GrowingSum sum(program, Partial{input(0)}, output(0), input(0), receives);
    if (rank == 0) program.copy(input(0), output(0));
    for (std::int64_t distance = 1; distance < instance.ranks; distance *= 2) {
        const auto step = static_cast<std::int32_t>(distance);
        if (rank < instance.ranks - step) sum.send(rank + step);
        if (rank >= step) sum.receive(rank - step, Operand::left);
    }
    return program.finish();
}

}  // namespace tasuki::scan
