#include <algorithm>
#include <array>
#include <vector>

#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoall {

// Receives come first so that arriving data finds its place, and each rank begins with its right
// neighbour so that not everyone sends to rank 0 first. With a window, an exchange starts when the
// one that is `window` before it is complete.
Program spread(std::int32_t rank, const Instance& instance) {
    const std::int32_t ranks = instance.ranks;
    const std::int64_t asked = instance.parameters.get("window");
    const auto window =
        static_cast<std::int32_t>(asked == 0 ? ranks : std::min<std::int64_t>(asked, ranks));
    ProgramBuilder program(ranks, ranks);
    const std::size_t messages = 2 * (static_cast<std::size_t>(ranks) - 1);
    program.expect(messages + 1, window < ranks ? 2 * messages : 0);
    using Exchange = std::array<StepId, 2>;  // recv, send
    std::vector<Exchange> before;
    std::vector<Exchange> current;
    const auto after = [&](std::int32_t number) {
        return before.empty() ? After() : After(std::span<const StepId>(before[number]));
    };
    for (std::int32_t first = 1; first < ranks; first += window) {
        current.resize(std::min(window, ranks - first));
        const auto count = static_cast<std::int32_t>(current.size());
        for (std::int32_t number = 0; number < count; ++number) {
            const std::int32_t source = shifted(rank, first + number, ranks).source;
            current[number][0] = program.recv(source, output(source), after(number));
        }
        for (std::int32_t number = 0; number < count; ++number) {
            const std::int32_t destination = shifted(rank, first + number, ranks).destination;
            current[number][1] = program.send(destination, input(destination), after(number));
        }
        before.swap(current);
    }
    program.copy(input(rank), output(rank));
    return program.finish();
}

}  // namespace tasuki::alltoall
