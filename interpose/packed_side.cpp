#include "interpose/packed_side.hpp"

#include "interpose/device_buffers.hpp"

namespace tasuki::interpose {

PackedSide::PackedSide(const Communicator& communicator, const Side& side, bool late_device,
                       bool is_copy)
    : communicator_(communicator),
      side_(side),
      by_message_(late_device && is_device_memory(side.address())),
      is_copy_(is_copy || by_message_ || !side.is_plain()),
      copy_(is_copy_ ? static_cast<std::size_t>(side.bytes()) : 0) {
    if (by_message_) tell_of_staging();
    by_message_ = by_message_ || side.has_huge_elements();
}

void PackedSide::fetch() {
    if (is_copy_ && side_.bytes() > 0) side_.pack(communicator_, by_message_, packed());
}

void PackedSide::deliver() {
    if (is_copy_ && side_.bytes() > 0) side_.unpack(communicator_, by_message_, packed());
}

const char* why_not_ours(Communicator& communicator, std::initializer_list<Side*> sides) {
    const char* reason = nullptr;
    bool device = false;
    for (Side* side : sides) {
        if (side->is_missing()) reason = "its arguments are invalid";
        if (!side->can_be_sent(communicator)) reason = "its datatypes are not committed";
        if (communicator.may_meet_device_memory()) device |= is_device_memory(side->address());
    }
    if (any_rank_has_device_memory(communicator, device)) reason = "a buffer is in device memory";
    if (reason == nullptr) {
        for (Side* side : sides) side->leave_bottom();
    }
    return reason;
}

}  // namespace tasuki::interpose
