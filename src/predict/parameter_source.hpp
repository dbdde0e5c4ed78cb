// Where the parameters that a run predicts with come from.
#pragma once

#include <cstdint>
#include <string_view>

#include "predict/machine_parameters.hpp"

namespace tasuki {

enum class ParameterSource : std::uint8_t {
    built_in,  ///< constants, of another machine
    quick,     ///< those, scaled by what the run itself has measured: QuickMeasurement
    measured,  ///< by `tasuki model measure`, kept in a file
};

/// How fingerprints begin that are none of a file's.
inline constexpr std::string_view built_in_prefix = "built in, ";
inline constexpr std::string_view quick_prefix = "quick, ";

/// By the fingerprint, which ranks tell each other with the parameters.
ParameterSource source_of(const MachineParameters& machine);

/// "built-in", "quick", "measured".
std::string_view name_of(ParameterSource source);

}  // namespace tasuki
