#include "predict/parameter_source.hpp"

#include <array>
#include <cstddef>

namespace tasuki {

ParameterSource source_of(const MachineParameters& machine) {
    if (machine.fingerprint.starts_with(built_in_prefix)) return ParameterSource::built_in;
    if (machine.fingerprint.starts_with(quick_prefix)) return ParameterSource::quick;
    return ParameterSource::measured;
}

std::string_view name_of(ParameterSource source) {
    static constexpr std::array<std::string_view, 3> names = {"built-in", "quick", "measured"};
    return names[static_cast<std::size_t>(source)];
}

}  // namespace tasuki
