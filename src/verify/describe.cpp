#include "verify/describe.hpp"

#include "schedule/text.hpp"

namespace tasuki {

std::string describe(const Schedule& schedule, std::int32_t rank, StepId step) {
    return "rank " + std::to_string(rank) + " step " + std::to_string(step) + " (" +
           text_of(schedule.programs[rank].steps[step]) + ")";
}

std::string describe(Space space, std::int64_t chunk) {
    return std::string(name_of(space)) + " chunk " + std::to_string(chunk);
}

}  // namespace tasuki
