#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "verify/structure.hpp"

namespace tasuki {

std::vector<Finding> find_unsynchronised(const Schedule& schedule, const SymbolicRun& run) {
    const auto ranks = static_cast<std::size_t>(schedule.instance.ranks);
    const std::size_t words = (ranks + 63) / 64;
    // Which ranks have surely begun when a step is over, one bit each; and when the rank ends.
    std::vector<std::vector<std::uint64_t>> begun(ranks);
    std::vector<std::uint64_t> at_end(ranks * words, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        begun[rank].resize(schedule.programs[rank].steps.size() * words, 0);
        at_end[rank * words + rank / 64] |= std::uint64_t{1} << (rank % 64);
    }
    for (const SymbolicRun::Place& place : run.order()) {
        const Program& program = schedule.programs[place.rank];
        const Step& step = program.steps[place.step];
        std::uint64_t* here = begun[place.rank].data() + place.step * words;
        const auto learn = [&](const std::uint64_t* known) {
            for (std::size_t word = 0; word < words; ++word) here[word] |= known[word];
        };
        here[place.rank / 64] |= std::uint64_t{1} << (place.rank % 64);
        for (StepId earlier : program.after(step)) {
            learn(begun[place.rank].data() + earlier * words);
        }
        if (step.kind == StepKind::recv) {
            const SymbolicRun::Place sent = run.met_by(place);
            learn(begun[sent.rank].data() + sent.step * words);
        }
        for (std::size_t word = 0; word < words; ++word) {
            at_end[place.rank * words + word] |= here[word];
        }
    }
    std::vector<Finding> findings;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t other = 0; other < ranks; ++other) {
            if ((at_end[rank * words + other / 64] >> (other % 64)) & 1) continue;
            findings.push_back({static_cast<std::int32_t>(rank),
                                {},
                                {},
                                "rank " + std::to_string(rank) + " may end before rank " +
                                    std::to_string(other) + " has begun"});
            break;
        }
    }
    return findings;
}

}  // namespace tasuki
