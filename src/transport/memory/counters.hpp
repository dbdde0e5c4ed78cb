// What was carried by which path, for reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki::memory {

/// The ways of a message.
enum class Path : std::uint8_t {
    small,    ///< in a record
    eager,    ///< in blocks: copied in, copied out
    written,  ///< the receiver came first: one copy, by the sender
    read,     ///< the sender came first: one copy, by the receiver
    pulled,   ///< as `read`, where remote copies are denied: copied in, copied out
};
inline constexpr std::size_t paths = 5;
inline constexpr std::array<const char*, paths> path_names = {"small", "eager", "written", "read",
                                                              "pulled"};

struct Counters {
    std::array<std::uint64_t, paths> messages{};  ///< [path] sent by this rank
    std::array<std::uint64_t, paths> bytes{};     ///< [path] sent by this rank
    std::uint64_t copied_bytes = 0;  ///< by this rank, in messages that it sent or received
    std::uint64_t sleeps = 0;
    double asleep_seconds = 0;
    double awake_seconds = 0;  ///< waiting, but not asleep

    void count(Path path, std::uint64_t message_bytes) {
        ++messages[static_cast<std::size_t>(path)];
        bytes[static_cast<std::size_t>(path)] += message_bytes;
    }
};

}  // namespace tasuki::memory
