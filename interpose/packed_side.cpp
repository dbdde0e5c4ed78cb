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

}  // namespace tasuki::interpose
