#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/stages.hpp"
#include "schedule/builder.hpp"

namespace tasuki::barrier {

Program dissemination(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(0, 0);
    Stages stages(program);
    for (std::int64_t distance = 1; distance < instance.ranks; distance *= 2) {
        const auto [destination, source] =
            shifted(rank, static_cast<std::int32_t>(distance), instance.ranks);
        stages.recv(source, nothing());
        stages.send(destination, nothing());
        stages.next();
    }
    return program.finish();
}

}  // namespace tasuki::barrier
