#include "schedule/program.hpp"

namespace tasuki {

std::string_view name_of(Space space) {
    switch (space) {
        case Space::input:
            return "input";
        case Space::output:
            return "output";
        case Space::scratch:
            return "scratch";
    }
    return "?";
}

std::string_view name_of(StepKind kind) {
    switch (kind) {
        case StepKind::send:
            return "send";
        case StepKind::recv:
            return "recv";
        case StepKind::copy:
            return "copy";
        case StepKind::reduce:
            return "reduce";
    }
    return "?";
}

}  // namespace tasuki
