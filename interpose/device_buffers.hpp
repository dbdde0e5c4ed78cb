// What ranks do about buffers in device memory; which buffers these are is device_memory.hpp's.
#pragma once

#include <initializer_list>

#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"

namespace tasuki::interpose {

/// Whether any rank has a buffer of the call in device memory, as `mine` says of this one: then the
/// host has to do it. All ranks ask, and get the same answer; it costs messages only where a device
/// runtime is known of. Throws TransportError.
bool any_rank_has_device_memory(Communicator& communicator, bool mine);
/// The same of buffers at `mine`; nullptr is none.
bool any_rank_has_device_memory(Communicator& communicator,
                                std::initializer_list<const void*> mine);

/// Whether this rank may have device memory that no rank could know of when they agreed about it:
/// such buffers go through memory of ours.
inline bool has_late_device(const Communicator& communicator) {
    return !communicator.may_meet_device_memory() && device_runtime_is_loaded();
}

/// Whether in the next call of a communicator ranks look for device memory, or this one has to: if
/// not, a call that is known needs no look at its buffers.
inline bool may_look_for_devices(const Communicator& communicator) {
    return communicator.looks_for_devices_in_next_call() || device_runtime_is_loaded();
}

/// Says once that it happens: it is slow, though right.
void tell_of_staging();

}  // namespace tasuki::interpose
