#include <bit>

#include "algorithms/generators.hpp"
#include "algorithms/growing_sum.hpp"
#include "schedule/builder.hpp"

namespace tasuki::exscan {

Program hillis_steele(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    ProgramBuilder program(1, rank == 0 ? 0 : 1);
    if (rank + 1 < ranks) program.send(rank + 1, input(0));
    if (rank == 0) return program.finish();
    // From here on rank r scans what rank r - 1 has sent.
    const std::int32_t above = rank - 1;
    const auto receives = 1 + std::bit_width(static_cast<std::uint32_t>(above));
    GrowingSum sum(program, std::nullopt, output(0), input(0), receives);
    sum.receive(rank - 1, Operand::left);
    for (std::int64_t distance = 1; distance < ranks - 1; distance *= 2) {
        const auto step = static_cast<std::int32_t>(distance);
        if (rank < ranks - step) sum.send(rank + step);
        if (above >= step) sum.receive(rank - step, Operand::left);
    }
    return program.finish();
}

}  // namespace tasuki::exscan
