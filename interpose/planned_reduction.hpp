// How a call that reduces goes on, once its arguments are known to make sense.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "execute/kernel_combine.hpp"
#include "interpose/communicator.hpp"
#include "interpose/communicator_mode.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/exact_ways.hpp"
#include "interpose/own_thread.hpp"
#include "interpose/reduction.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/reduction_plan.hpp"
#include "interpose/run_choice.hpp"

namespace tasuki::interpose {

inline constexpr char in_device_memory[] = "a buffer is in device memory";
inline constexpr char joined_by_host[] = "its operation and datatype are for it to join";

/// Whether this call is to be checked: of those that threads of ours carry out it is not known
/// where in the program they were made.
inline bool checks_this_call() {
    return checks_reductions() && !own_thread.is_ours;
}

inline PlannedCall plan_call(Collective collective, int root, MPI_Comm parent) {
    if (own_thread.is_ours) return {collective, root, own_thread.mode, own_thread.wish};
    return {collective, root, mode_of(parent), current_wish(collective)};
}

/// `act(reduction, communicator, call)` where these can be Tasuki's; else the host does the call.
template <typename Act>
Handled with_reduction(Collective collective, int root, MPI_Op operation, MPI_Datatype type,
                       MPI_Comm parent, const Act& act) {
    const PlannedCall call = plan_call(collective, root, parent);
    // Nothing of ours is made for it: other ranks may not even look at such a call.
    if (call.mode == ReductionMode::off && !is_asked_of_all(collective)) {
        return to_the_host(collective, "");
    }
    const std::optional<Reduction> reduction = Reduction::of(operation, type);
    if (!reduction) {
        if (checks_this_call()) note_unchecked(collective, parent, joined_by_host);
        return reduction_to_the_host(call, joined_by_host);
    }
    Communicator* communicator = call.mode == ReductionMode::off
                                     ? Communicator::of(parent, collective)
                                     : Communicator::of(parent);
    if (communicator == nullptr) {
        const char* const reason = Communicator::why_not(parent);
        if (checks_this_call()) note_unchecked(collective, parent, reason);
        return reduction_to_the_host(call, reason);
    }
    return act(*reduction, *communicator, call);
}

/// By ExactSums. `data` as in run_by_plan().
template <typename Data>
Handled run_exact_sums(const PlannedCall& call, const Data& data, const ReductionPlan& plan,
                       Communicator& communicator, bool late_device) {
    SelectedSize* size =
        communicator.selected_size(call.collective, *plan.wish, data.bytes(), *plan.rows);
    const Turn turn = begin_turn(size, plan.wish);
    const Choice* way = turn.choice;
    if (size == nullptr) {
        const bool by_memory =
            plan.wish->carrier == Carrier::memory && communicator.memory().get() != nullptr;
        way = usual_exact_way(call.collective, communicator.ranks(), data.bytes(),
                              by_memory ? Carrier::memory : Carrier::host);
    }
    data.sum_exactly(*way, late_device);
    if (turn.is_watched()) turn.size->end(turn, true);
    note_call(call.collective, way, "");
    return {true, MPI_SUCCESS};
}

/// What the mode that is on and selection say. `data` as in run_by_plan().
template <typename Data>
Handled run_planned(const PlannedCall& call, const Data& data, const Reduction& reduction,
                    Communicator& communicator) {
    const Collective collective = call.collective;
    const bool late_device = has_late_device(communicator);
    const ReductionPlan plan = plan_reduction(call, reduction, communicator.ranks(), data.bytes());
    if (plan.exact == ExactSumsBy::ways) {
        return run_exact_sums(call, data, plan, communicator, late_device);
    }
    const Combine& combine = plan.exact == ExactSumsBy::pairs
                                 ? *find_exact_pair_combine(*reduction.exact_sum_of())
                                 : reduction.combine();
    SelectedSize* size =
        communicator.selected_size(collective, *plan.wish, data.bytes(), *plan.rows);
    return take({collective, call.root, plan.rows, data.bytes()}, begin_turn(size, plan.wish),
                communicator, [&](Machine& machine) { data.run(machine, combine, late_device); });
}

/// `data` has is_valid(), meets_device_memory() (collective), bytes(), run(machine, combine,
/// late_device), sum_exactly(way, late_device) and checked(). Throws what these throw.
template <typename Data>
Handled run_by_plan(const PlannedCall& call, const Data& data, const Reduction& reduction,
                    Communicator& communicator) {
    if (!data.is_valid()) return to_the_host(call.collective, "its arguments are invalid");
    communicator.begin_call();
    if (data.meets_device_memory()) {
        if (checks_this_call()) {
            note_unchecked(call.collective, communicator.own(), in_device_memory);
        }
        return reduction_to_the_host(call, in_device_memory);
    }
    std::unique_ptr<ReductionCheck> check;
    if (checks_this_call()) check = ReductionCheck::begin(data.checked(), reduction, communicator);
    const Handled handled = run_planned(call, data, reduction, communicator);
    return end_check(std::move(check), handled);
}

}  // namespace tasuki::interpose
