// How a call that reduces goes on, once its arguments are known to make sense.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/reduction.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/reduction_plan.hpp"
#include "interpose/run_choice.hpp"

namespace tasuki::interpose {

inline constexpr char in_device_memory[] = "a buffer is in device memory";
inline constexpr char joined_by_host[] = "its operation and datatype are for it to join";

/// `act(reduction, communicator)` where these can be Tasuki's; else the host does the call.
template <typename Act>
Handled with_reduction(Collective collective, MPI_Op operation, MPI_Datatype type, MPI_Comm parent,
                       const Act& act) {
    const std::optional<Reduction> reduction = Reduction::of(operation, type);
    if (!reduction) {
        if (checks_reductions()) note_unchecked(collective, parent, joined_by_host);
        return reduction_to_the_host(collective, joined_by_host);
    }
    Communicator* communicator = Communicator::of(parent);
    if (communicator == nullptr) {
        const char* const reason = Communicator::why_not(parent);
        if (checks_reductions()) note_unchecked(collective, parent, reason);
        return reduction_to_the_host(collective, reason);
    }
    return act(*reduction, *communicator);
}

/// What the mode that is on and selection say. `call` as in run_by_plan().
template <typename Call>
Handled run_planned(const Call& call, const Reduction& reduction, Communicator& communicator,
                    Collective collective, int root) {
    const bool late_device = has_late_device(communicator);
    const ReductionPlan plan =
        plan_reduction(collective, reduction, communicator.ranks(), call.bytes());
    if (plan.is_exact) {
        communicator.report_size(collective, every_row, call.bytes(), call.bytes());
        call.sum_exactly(late_device);
        note_exact_sum(collective);
        return {true, MPI_SUCCESS};
    }
    SelectedSize* size =
        communicator.selected_size(collective, *plan.wish, call.bytes(), *plan.rows);
    return take({collective, root, plan.rows, call.bytes()}, begin_turn(size, plan.wish),
                communicator, [&](Machine& machine) { call.run(machine, late_device); });
}

/// `call` has is_valid(), meets_device_memory() (collective), bytes(), run(machine, late_device),
/// sum_exactly(late_device) and checked(). Throws what these throw.
template <typename Call>
Handled run_by_plan(const Call& call, const Reduction& reduction, Communicator& communicator,
                    Collective collective, int root) {
    if (!call.is_valid()) return to_the_host(collective, "its arguments are invalid");
    communicator.begin_call();
    if (call.meets_device_memory()) {
        if (checks_reductions()) note_unchecked(collective, communicator.own(), in_device_memory);
        return reduction_to_the_host(collective, in_device_memory);
    }
    std::unique_ptr<ReductionCheck> check;
    if (checks_reductions()) check = ReductionCheck::begin(call.checked(), reduction, communicator);
    const Handled handled = run_planned(call, reduction, communicator, collective, root);
    return end_check(std::move(check), handled);
}

}  // namespace tasuki::interpose
