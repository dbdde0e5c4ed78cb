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
    written,  ///< the receiver came first: one copy, by the sender, or the receiver if it waits
    read,     ///< the sender came first: one copy, by the receiver
    pulled,   ///< where remote copies are slower, or denied: copied in, copied out
    posted,   ///< written once on the board, where all read that want it
};
inline constexpr std::size_t paths = 6;
inline constexpr std::array<const char*, paths> path_names = {"small", "eager",  "written",
                                                              "read",  "pulled", "posted"};

struct Counters {
    std::array<std::uint64_t, paths> messages{};  ///< [path] sent by this rank
    std::array<std::uint64_t, paths> bytes{};     ///< [path] sent by this rank
    /// By this rank, in messages that it sent or received, to pack and unpack them too.
    std::uint64_t copied_bytes = 0;
    std::uint64_t sleeps = 0;
    double asleep_seconds = 0;
    /// Waiting, but not asleep; without the first looks, which ask for no time.
    double awake_seconds = 0;

    void count(Path path, std::uint64_t message_bytes) { count(path, 1, message_bytes); }
    void count(Path path, std::uint64_t more_messages, std::uint64_t more_bytes) {
        messages[static_cast<std::size_t>(path)] += more_messages;
        bytes[static_cast<std::size_t>(path)] += more_bytes;
    }
};

}  // namespace tasuki::memory
