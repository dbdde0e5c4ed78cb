// Shared memory without a name: it goes when the last process that has it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <utility>

#include "transport/memory/layout.hpp"

namespace tasuki::memory {

/// Why ranks of a node cannot share memory. The text is for users.
class NoSharedMemory : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Where the segment of a rank is found. Plain bytes: ranks tell each other by whatever they have.
struct Card {
    std::int32_t process = 0;
    std::uint64_t started = 0;     ///< when that process did, as the system counts; 0: not known
    std::int32_t descriptor = -1;  ///< of that process
    std::uint64_t token = 0;
    Geometry geometry;
};

/// The memory that one rank shares: a Front, its boards and a Box for each rank of the node. It is
/// a file that never had a name (memfd), which others open at /proc/<process>/fd; nothing can be
/// left behind, and the size of /dev/shm does not matter. Pages that nobody has touched take no
/// memory. They are taken from the owner's NUMA domain, whoever touches them first; where the
/// system refuses that, and there are several domains, the owner touches at once what it looks at
/// (domains.hpp), and the rest lies where it is first touched.
class Segment {
  public:
    /// A new one for this rank. Throws NoSharedMemory.
    static Segment create(const Geometry& geometry);
    /// Another rank's. Within a process it is the same memory at the same address.
    static Segment attach(const Card& card);

    Segment(Segment&& other) noexcept;
    Segment& operator=(Segment&&) = delete;
    ~Segment();

    const Card& card() const { return card_; }
    /// Whether the rank's process still runs (process_life.hpp).
    bool has_living_owner() const;
    Front& front() const { return *reinterpret_cast<Front*>(base_); }
    /// The first slot of a board of the owner's; the others follow.
    std::byte* board(BoardKind kind) const {
        return base_ + page_bytes +
               (kind == BoardKind::small ? 0 : card_.geometry.board(BoardKind::small).bytes());
    }
    Box& box(std::int32_t sender) const { return *reinterpret_cast<Box*>(box_address(sender)); }
    std::byte* blocks(std::int32_t sender) const {
        return box_address(sender) + card_.geometry.blocks_offset();
    }

  private:
    Segment(const Card& card, std::byte* base, bool is_mapped)
        : card_(card), base_(base), is_mapped_(is_mapped) {}
    std::byte* box_address(std::int32_t sender) const {
        return base_ + card_.geometry.fixed_bytes() + sender * card_.geometry.box_bytes();
    }

    Card card_;
    std::byte* base_;
    bool is_mapped_;
    std::pair<dev_t, ino_t> file_{};  // if is_owner_
    bool is_owner_ = false;
};

}  // namespace tasuki::memory
