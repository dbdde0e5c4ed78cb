// One function per room that Python sees; each adds its room to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tasuki::bindings {

/// The table of algorithms.
void bind_algorithms(nanobind::module_& core);
/// Stages without hot spots, and the files by which runs learn their fabric.
void bind_fabric(nanobind::module_& core);
/// Schedules: building, text, DOT, steps as arrays, proof.
void bind_schedule(nanobind::module_& core);
/// What is computed of the rows of reductions.
void bind_verify(nanobind::module_& core);
/// P-LogP parameters and predictions.
void bind_predict(nanobind::module_& core);
/// Kept decisions, and selection in virtual time.
void bind_select(nanobind::module_& core);

}  // namespace tasuki::bindings
