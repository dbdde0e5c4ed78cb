#include "algorithms/generators.hpp"
#include "algorithms/partners.hpp"
#include "algorithms/stages.hpp"
#include "schedule/builder.hpp"

namespace tasuki::barrier {

Program dissemination(std::int32_t rank, const Instance& instance) {
    ProgramBuilder program(0, 0);
    Stages stages(program);
    const std::int64_t radix = instance.parameters.get("radix");
    for (std::int64_t weight = 1; weight < instance.ranks; weight *= radix) {
        for (std::int64_t digit = 1; digit < radix && digit * weight < instance.ranks; ++digit) {
            const auto [destination, source] =
                shifted(rank, static_cast<std::int32_t>(digit * weight), instance.ranks);
            stages.recv(source, nothing());
            stages.send(destination, nothing());
        }
        stages.next();
    }
    return program.finish();
}

}  // namespace tasuki::barrier
