#include "transport/memory/process_life.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::memory {

namespace {

#ifdef SYS_pidfd_open
constexpr long pidfd_open_call = SYS_pidfd_open;
#else
constexpr long pidfd_open_call = 434;  // on all architectures, since Linux 5.3
#endif

struct Status {
    char state = '?';
    std::uint64_t started = 0;
};

/// By /proc/<process>/stat; nothing if that cannot be read.
std::optional<Status> status_of(std::int32_t process) {
    const std::string path = "/proc/" + std::to_string(process) + "/stat";
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    std::array<char, 1024> text{};
    const ssize_t length = read(descriptor, text.data(), text.size());
    close(descriptor);
    if (length <= 0) return std::nullopt;
    // The second field is the program's name, which may hold anything; the third is the state.
    std::string_view rest(text.data(), static_cast<std::size_t>(length));
    const std::size_t name_end = rest.rfind(") ");
    if (name_end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(name_end + 2);
    if (rest.empty()) return std::nullopt;
    Status status{rest.front(), 0};
    constexpr int fields_from_state_to_start = 22 - 3;
    for (int field = 0; field < fields_from_state_to_start; ++field) {
        const std::size_t space = rest.find(' ');
        if (space == std::string_view::npos) return std::nullopt;
        rest.remove_prefix(space + 1);
    }
    std::from_chars(rest.data(), rest.data() + rest.size(), status.started);
    return status;
}

bool is_there(std::int32_t process) {
    return kill(process, 0) == 0 || errno != ESRCH;
}

}  // namespace

std::optional<std::uint64_t> start_of(std::int32_t process) {
    const std::optional<Status> status = status_of(process);
    if (!status || status->started == 0) return std::nullopt;
    return status->started;
}

bool is_alive(std::int32_t process, std::uint64_t started) {
    const std::optional<Status> status = status_of(process);
    const bool is_later_one = status && started != 0 && status->started != started;
    if (is_later_one) return false;
    const auto descriptor = static_cast<int>(syscall(pidfd_open_call, process, 0));
    if (descriptor >= 0) {
        pollfd ended{descriptor, POLLIN, 0};
        const bool has_ended = poll(&ended, 1, 0) == 1;
        close(descriptor);
        return !has_ended;
    }
    if (errno == ESRCH) return false;
    // An older system, one that denies it, or no descriptor left.
    if (status) return status->state != 'Z' && status->state != 'X';
    return is_there(process);
}

}  // namespace tasuki::memory
