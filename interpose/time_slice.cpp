#include "interpose/time_slice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::interpose {

namespace {

/// struct sched_attr of sched_setattr(2), which not every C library declares.
struct SchedulingAttributes {
    std::uint32_t size = sizeof(SchedulingAttributes);
    std::uint32_t policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 0;  ///< the slice, nanoseconds; 0 where slices cannot be told
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
    std::uint32_t least_utilisation = 0;
    std::uint32_t most_utilisation = 0;
};

}  // namespace

void shorten_time_slice(std::uint64_t nanoseconds) {
    constexpr int this_thread = 0;
    constexpr unsigned no_flags = 0;
    SchedulingAttributes attributes;
    if (syscall(SYS_sched_getattr, this_thread, &attributes, sizeof attributes, no_flags) != 0) {
        return;
    }
    if (attributes.policy != SCHED_OTHER || attributes.runtime <= nanoseconds) return;
    attributes.runtime = nanoseconds;
    syscall(SYS_sched_setattr, this_thread, &attributes, no_flags);
}

}  // namespace tasuki::interpose
