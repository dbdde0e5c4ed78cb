#include "interpose/program_array.hpp"

#include <cstring>

#include "interpose/device_buffers.hpp"
#include "interpose/staging.hpp"
#include "reduce/copy_elements.hpp"

namespace tasuki::interpose {

ProgramArray::ProgramArray(const Communicator& communicator, const void* address, MPI_Count count,
                           MPI_Datatype type, MPI_Count bytes, bool is_copy, bool late_device)
    : communicator_(communicator),
      address_(static_cast<std::byte*>(const_cast<void*>(address))),
      count_(count),
      type_(type),
      bytes_(bytes),
      is_device_(late_device && is_device_memory(address)),
      is_copy_((is_copy && address != nullptr) || is_device_),
      copy_(is_copy_ ? static_cast<std::size_t>(bytes) : 0) {
    if (is_device_) tell_of_staging();
}

void ProgramArray::fetch() {
    if (is_device_) {
        copy_by_host(communicator_, address_, copy_.data(), count_, type_);
    } else if (is_copy_) {
        std::memcpy(copy_.data(), address_, static_cast<std::size_t>(bytes_));
    }
}

void ProgramArray::deliver(const Reduction& reduction) {
    if (!is_copy_) return;
    if (is_device_ || !reduction.element()) {
        copy_by_host(communicator_, copy_.data(), address_, count_, type_);
    } else {
        reduction::copy_elements(*reduction.element(), copy_.data(), address_,
                                 static_cast<std::size_t>(count_));
    }
}

}  // namespace tasuki::interpose
