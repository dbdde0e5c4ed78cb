#include "transport/memory/remote_copy.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>

namespace tasuki::memory {

namespace {

using Call = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long,
                         unsigned long);

/// What may go better with another buffer, or later, as where memory is short, is not denied.
Remote reason_of_failure() {
    const bool is_denied = errno == EPERM || errno == EACCES || errno == ENOSYS;
    return errno == ESRCH ? Remote::gone : is_denied ? Remote::denied : Remote::unreachable;
}

/// A call moves up to 2 GiB and may move less than it was asked for.
Remote copy(Call call, std::int32_t process, std::uint64_t remote, std::byte* local,
            std::size_t bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;
    while (bytes > 0) {
        const std::size_t part = std::min(bytes, most);
        const iovec here{local, part};
        const iovec there{reinterpret_cast<void*>(remote), part};  // NOLINT: an address elsewhere
        const ssize_t moved = call(process, &here, 1, &there, 1, 0);
        if (moved == 0) return Remote::denied;
        if (moved < 0) return reason_of_failure();
        bytes -= static_cast<std::size_t>(moved);
        remote += static_cast<std::uint64_t>(moved);
        local += moved;
    }
    return Remote::done;
}

Remote copy_ends(Call call, std::int32_t process, std::uint64_t remote, std::byte* first,
                 std::byte* last, std::size_t bytes) {
    const std::array<iovec, 2> here{iovec{first, 1}, iovec{last, 1}};
    auto* const there_first = reinterpret_cast<std::byte*>(remote);  // NOLINT: an address elsewhere
    const std::array<iovec, 2> there{iovec{there_first, 1}, iovec{there_first + bytes - 1, 1}};
    const ssize_t moved = call(process, here.data(), 2, there.data(), 2, 0);
    if (moved < 0) return reason_of_failure();
    return moved == 2 ? Remote::done : Remote::unreachable;
}

}  // namespace

Remote remote_write(std::int32_t process, std::uint64_t address, const std::byte* from,
                    std::size_t bytes) {
    return copy(process_vm_writev, process, address, const_cast<std::byte*>(from), bytes);
}

Remote remote_read(std::int32_t process, std::uint64_t address, std::byte* to, std::size_t bytes) {
    return copy(process_vm_readv, process, address, to, bytes);
}

Remote remote_write_ends(std::int32_t process, std::uint64_t address, const std::byte* from,
                         std::size_t bytes) {
    auto* const first = const_cast<std::byte*>(from);
    return copy_ends(process_vm_writev, process, address, first, first + bytes - 1, bytes);
}

Remote remote_read_ends(std::int32_t process, std::uint64_t address, std::size_t bytes) {
    std::array<std::byte, 2> ends{};
    return copy_ends(process_vm_readv, process, address, &ends[0], &ends[1], bytes);
}

bool remote_copies_are_allowed() {
    std::byte from{1};
    std::byte to{0};
    const auto address = reinterpret_cast<std::uintptr_t>(&from);
    return remote_read(getpid(), address, &to, 1) == Remote::done && to == from;
}

}  // namespace tasuki::memory
