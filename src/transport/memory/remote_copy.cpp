#include "transport/memory/remote_copy.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>

namespace tasuki::memory {

namespace {

using Call = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long,
                         unsigned long);

/// A call moves up to 2 GiB and may move less than it was asked for.
Remote copy(Call call, std::int32_t process, std::uint64_t remote, std::byte* local,
            std::size_t bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;
    while (bytes > 0) {
        const std::size_t part = std::min(bytes, most);
        const iovec here{local, part};
        const iovec there{reinterpret_cast<void*>(remote), part};  // NOLINT: an address elsewhere
        const ssize_t moved = call(process, &here, 1, &there, 1, 0);
        if (moved <= 0) return moved < 0 && errno == ESRCH ? Remote::gone : Remote::denied;
        bytes -= static_cast<std::size_t>(moved);
        remote += static_cast<std::uint64_t>(moved);
        local += moved;
    }
    return Remote::done;
}

}  // namespace

Remote remote_write(std::int32_t process, std::uint64_t address, const std::byte* from,
                    std::size_t bytes) {
    return copy(process_vm_writev, process, address, const_cast<std::byte*>(from), bytes);
}

Remote remote_read(std::int32_t process, std::uint64_t address, std::byte* to, std::size_t bytes) {
    return copy(process_vm_readv, process, address, to, bytes);
}

bool remote_copies_are_allowed() {
    std::byte from{1};
    std::byte to{0};
    const auto address = reinterpret_cast<std::uintptr_t>(&from);
    return remote_read(getpid(), address, &to, 1) == Remote::done && to == from;
}

}  // namespace tasuki::memory
