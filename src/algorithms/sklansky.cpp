#include "algorithms/sklansky.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/growing_sum.hpp"

namespace tasuki {

namespace {

/// What of the halves concerns one rank: `low` counts the ones that its number ends in, and so the
/// halves that it sums up before it has the sum of a lower half.
struct Halves {
    std::int32_t rank;
    std::int32_t ranks;
    std::int32_t low;
    std::int32_t received;  // sums that come from lower halves

    Halves(std::int32_t rank, std::int32_t ranks)
        : rank(rank),
          ranks(ranks),
          low(std::countr_one(static_cast<std::uint32_t>(rank))),
          received(std::popcount(static_cast<std::uint32_t>(rank))) {}

    bool passes_on() const { return rank + 1 < ranks; }

    /// To all of the upper half; first to its last rank, for whose sum others wait.
    template <typename Send>
    void for_each_reader(const Send& send) const {
        const std::int32_t end = std::min(rank + 1 + (std::int32_t{1} << low), ranks);
        for (std::int32_t reader = end; --reader > rank;) send(reader);
    }

    /// `receive(sender, level)`, from the smallest half on; `level` counts them.
    template <typename Receive>
    void for_each_sender(const Receive& receive) const {
        std::int32_t level = 0;
        for (std::int32_t half = 1; half <= rank; half *= 2) {
            if ((rank & half) != 0) receive(rank / half * half - 1, level++);
        }
    }
};

}  // namespace

Program sklansky_scan(std::int32_t rank, const Instance& instance) {
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    ProgramBuilder program(segments, segments);
    const Halves halves(rank, instance.ranks);
    for (std::int32_t segment = 0; segment < segments; ++segment) {
        if (rank == 0) program.copy(input(segment), output(segment));
        GrowingSum sum(program, Partial{input(segment)}, output(segment), input(segment),
                       halves.received);
        const auto pass_on = [&] {
            halves.for_each_reader([&](std::int32_t reader) { sum.send(reader); });
        };
        if (halves.low == 0) pass_on();
        halves.for_each_sender([&](std::int32_t sender, std::int32_t level) {
            sum.receive(sender, Operand::left);
            if (level + 1 == halves.low) pass_on();
        });
    }
    return program.finish();
}

Program sklansky_exscan(std::int32_t rank, const Instance& instance) {
    const auto segments = static_cast<std::int32_t>(instance.parameters.get("segments"));
    ProgramBuilder program(segments, rank == 0 ? 0 : segments);
    const Halves halves(rank, instance.ranks);
    for (std::int32_t segment = 0; segment < segments; ++segment) {
        Partial passed{input(segment)};
        const auto pass_on = [&] {
            halves.for_each_reader(
                [&](std::int32_t reader) { program.send(reader, passed.region, passed.after); });
        };
        if (halves.low == 0) {
            pass_on();
        } else if (halves.passes_on()) {
            passed.region = scratch(program.reserve_scratch(1, segment));
            passed.after = {program.copy(input(segment), passed.region)};
        }
        GrowingSum prefix(program, std::nullopt, output(segment), input(segment), halves.received);
        halves.for_each_sender([&](std::int32_t sender, std::int32_t level) {
            const Partial& before = prefix.arrive(sender);
            if (level < halves.low && halves.passes_on()) {
                passed.after = {program.reduce(before.region, Operand::left, passed.region,
                                               joined(passed.after, before.after))};
                prefix.read_by(passed.after[0]);
                if (level + 1 == halves.low) pass_on();
            }
            prefix.absorb(Operand::left);
        });
    }
    return program.finish();
}

}  // namespace tasuki
