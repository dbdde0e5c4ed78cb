#include "algorithms/canonical_scan.hpp"

#include <bit>

#include "algorithms/growing_sum.hpp"

namespace tasuki {

namespace {

/// Whether a rank has a use for the sum of its block, after the exchange over `bit`.
bool needs_block(std::int32_t rank, std::int64_t bit, std::int32_t ranks) {
    for (std::int64_t next = 2 * bit; next < ranks; next *= 2) {
        const std::int64_t partner = rank ^ next;
        if (partner >= ranks) continue;
        if (partner > rank) return true;
        if (needs_block(static_cast<std::int32_t>(partner), next, ranks)) return true;
    }
    return false;
}

}  // namespace

Program canonical_scan(std::int32_t rank, std::int32_t ranks, bool inclusive) {
    const bool has_output = inclusive || rank > 0;
    ProgramBuilder program(1, has_output ? 1 : 0);
    std::vector<StepId> prefix;
    if (inclusive) prefix = {program.copy(input(0), output(0))};
    GrowingSum block(program, Partial{input(0)}, std::nullopt, input(0),
                     2 * std::bit_width(static_cast<std::uint32_t>(ranks)));
    for (std::int64_t bit = 1; bit < ranks; bit *= 2) {
        const std::int64_t other = rank ^ bit;
        if (other >= ranks) continue;
        const auto partner = static_cast<std::int32_t>(other);
        if (partner > rank) {
            block.send(partner);
            if (!needs_block(rank, bit, ranks)) continue;
            block.receive(partner, Operand::right);
            continue;
        }
        if (needs_block(partner, bit, ranks)) block.send(partner);
        const Partial& before = block.arrive(partner);
        const StepId put = prefix.empty() ? program.copy(before.region, output(0), before.after)
                                          : program.reduce(before.region, Operand::left, output(0),
                                                           joined(prefix, before.after));
        prefix = {put};
        block.read_by(put);
        if (needs_block(rank, bit, ranks)) block.absorb(Operand::left);
    }
    return program.finish();
}

}  // namespace tasuki
