// One function per room that Python sees; each adds its room to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::bindings {

/// The table of algorithms.
void bind_algorithms(nanobind::module_& core);
/// Schedules: building, text, DOT, steps as arrays, proof.
void bind_schedule(nanobind::module_& core);

}  // namespace tasuki::bindings
