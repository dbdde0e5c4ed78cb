#include "interpose/program_array.hpp"

#include <cstring>

#include "interpose/device_buffers.hpp"
#include "interpose/staging.hpp"

namespace tasuki::interpose {

ProgramArray::ProgramArray(const Communicator& communicator, const void* address, MPI_Count count,
                           MPI_Datatype type, MPI_Count bytes, bool is_copy, bool late_device)
    : communicator_(communicator),
      address_(static_cast<std::byte*>(const_cast<void*>(address))),
      count_(count),
      type_(type),
      bytes_(bytes),
      is_device_(late_device && is_device_memory(address)),
      is_copy_(is_copy || is_device_),
      copy_(is_copy_ ? static_cast<std::size_t>(bytes) : 0) {
    if (is_device_) tell_of_staging();
}

void ProgramArray::fetch() {
    if (is_copy_) move(address_, copy_.data());
}

void ProgramArray::deliver() {
    if (is_copy_) move(copy_.data(), address_);
}

void ProgramArray::move(const void* from, void* to) const {
    if (is_device_) {
        copy_by_host(communicator_, from, to, count_, type_);
    } else {
        std::memcpy(to, from, static_cast<std::size_t>(bytes_));
    }
}

}  // namespace tasuki::interpose
