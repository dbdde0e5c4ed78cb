#include "interpose/device_buffers.hpp"

#include <algorithm>

#include "interpose/maximum_of_all.hpp"
#include "interpose/say.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

bool any_rank_has_device_memory(Communicator& communicator, bool mine) {
    if (!communicator.may_meet_device_memory()) return false;
    int found = mine;
    host::check(maximum_of_all(communicator.own(), {&found, 1}));
    return found != 0;
}

bool any_rank_has_device_memory(Communicator& communicator,
                                std::initializer_list<const void*> mine) {
    if (!communicator.may_meet_device_memory()) return false;
    return any_rank_has_device_memory(communicator, std::ranges::any_of(mine, is_device_memory));
}

void tell_of_staging() {
    say_once(
        "a device runtime was loaded after the ranks agreed that there is none: buffers in device "
        "memory go through the host's memory until the ranks have agreed anew");
}

}  // namespace tasuki::interpose
