// Copies between the memory of two processes by the kernel: remote write and remote read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::memory {

/// What became of a remote copy.
enum class Remote : std::uint8_t {
    done,
    denied,
    unreachable,  ///< not that memory, as no process reaches some of another's (memfd_secret,
                  ///< devices)
    gone,
};

/// Writes `bytes` from here to `address` of the process.
Remote remote_write(std::int32_t process, std::uint64_t address, const std::byte* from,
                    std::size_t bytes);
/// Reads `bytes` from `address` of the process.
Remote remote_read(std::int32_t process, std::uint64_t address, std::byte* to, std::size_t bytes);

/// The same for nothing but the first and the last of `bytes` bytes, of which there is one at
/// least: tells whether memory is reachable before others rely on it. Costs up to two microseconds.
Remote remote_write_ends(std::int32_t process, std::uint64_t address, const std::byte* from,
                         std::size_t bytes);
Remote remote_read_ends(std::int32_t process, std::uint64_t address, std::size_t bytes);

/// Whether the system lets us copy so at all: containers and seccomp may deny it even within a
/// process. That it is allowed here does not mean that it is between two processes (Yama); only
/// trying tells.
bool remote_copies_are_allowed();

}  // namespace tasuki::memory
