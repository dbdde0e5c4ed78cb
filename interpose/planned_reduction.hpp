// How a call that reduces goes on, once its arguments are known to make sense.
#pragma once

#include <optional>

#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/reduction.hpp"
#include "interpose/reduction_plan.hpp"
#include "interpose/run_choice.hpp"

namespace tasuki::interpose {

/// `act(reduction, communicator)` where these can be Tasuki's; else the host does the call.
template <typename Act>
Handled with_reduction(Collective collective, MPI_Op operation, MPI_Datatype type, MPI_Comm parent,
                       const Act& act) {
    const std::optional<Reduction> reduction = Reduction::of(operation, type);
    if (!reduction) {
        return reduction_to_the_host(collective, "its operation and datatype are for it to join");
    }
    Communicator* communicator = Communicator::of(parent);
    if (communicator == nullptr) {
        return reduction_to_the_host(collective, Communicator::why_not(parent));
    }
    return act(*reduction, *communicator);
}

/// `call` has is_valid(), meets_device_memory() (collective), bytes(), run(machine, late_device)
/// and sum_exactly(late_device). Throws what these throw.
template <typename Call>
Handled run_by_plan(const Call& call, const Reduction& reduction, Communicator& communicator,
                    Collective collective, int root) {
    if (!call.is_valid()) return to_the_host(collective, "its arguments are invalid");
    communicator.begin_call();
    if (call.meets_device_memory()) {
        return reduction_to_the_host(collective, "a buffer is in device memory");
    }
    const bool late_device = has_late_device(communicator);
    const ReductionPlan plan =
        plan_reduction(collective, reduction, communicator.ranks(), call.bytes());
    if (plan.is_exact) {
        call.sum_exactly(late_device);
        note_exact_sum(collective);
        return {true, MPI_SUCCESS};
    }
    SelectedSize* size =
        communicator.selected_size(collective, *plan.wish, call.bytes(), *plan.rows);
    return take({collective, root, plan.rows, call.bytes()}, begin_turn(size, plan.wish),
                communicator, [&](Machine& machine) { call.run(machine, late_device); });
}

}  // namespace tasuki::interpose
