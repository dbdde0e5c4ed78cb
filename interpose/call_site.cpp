#include "interpose/call_site.hpp"

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unwind.h>

namespace tasuki::interpose {

namespace {

struct Place {
    ModuleAddress address;
    bool is_of_program = false;
};

Place look_at(std::uintptr_t address) {
    static const std::string own =
        locate(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(&look_at))).module;
    Place place{locate(reinterpret_cast<const void*>(address))};
    place.is_of_program = place.address.module != own && !is_mpi_library(place.address.module);
    return place;
}

/// References stay: a map moves none of what it holds.
const Place& place_of(std::uintptr_t address) {
    static std::mutex mutex;
    static std::unordered_map<std::uintptr_t, Place> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(address);
    return found != known.end() ? found->second
                                : known.emplace(address, look_at(address)).first->second;
}

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* found) {
    const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
    if (address == 0) return _URC_END_OF_STACK;
    const Place& place = place_of(address - 1);
    *static_cast<const Place**>(found) = &place;
    return place.is_of_program ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

const ModuleAddress& find_call_site() {
    static const ModuleAddress unknown;
    const Place* found = nullptr;
    _Unwind_Backtrace(look_at_frame, &found);
    return found == nullptr ? unknown : found->address;
}

}  // namespace tasuki::interpose
