// Sleeping and waking between processes.
#include <cmath>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

// Not the private variants: the word lies in memory that processes share.
void Hardware::sleep_on(const Word<std::uint32_t>& word, std::uint32_t expected, double seconds) {
    const double whole = std::floor(seconds);
    timespec limit{static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
    syscall(SYS_futex, word.address(), FUTEX_WAIT, expected, &limit, nullptr, 0);
}

void Hardware::wake(const Word<std::uint32_t>& word) {
    syscall(SYS_futex, word.address(), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace tasuki::memory
