#include "transport/memory/segment.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "transport/memory/domains.hpp"
#include "transport/memory/process_life.hpp"

namespace tasuki::memory {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw NoSharedMemory(what + ": " + std::strerror(errno));
}

std::byte* map(int descriptor, std::size_t bytes) {
    void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (base == MAP_FAILED) refuse("shared memory cannot be mapped");
    return static_cast<std::byte*>(base);
}

/// A program that has closed its standard output may still write there, and others count on the
/// lowest number that is free. The first 16 are below 64, for which every process has room from the
/// beginning: in one that has threads, Linux waits before it makes more until every core has passed
/// through the scheduler, 10 to 20 ms where ranks compute or wait busily.
constexpr int first_descriptor = 48;
constexpr int first_beside_the_standard_ones = 3;

/// Of a file without a name; -1 and errno if there is none to be had.
int open_nameless() {
    // Without this flag newer systems may refuse, or complain; older ones do not know it.
    constexpr unsigned never_executable = 8;  // MFD_NOEXEC_SEAL of Linux 6.3
    int lowest = memfd_create("tasuki", MFD_CLOEXEC | never_executable);
    if (lowest < 0 && errno == EINVAL) lowest = memfd_create("tasuki", MFD_CLOEXEC);
    if (lowest < 0) return lowest;
    int descriptor = fcntl(lowest, F_DUPFD_CLOEXEC, first_descriptor);
    // Fewer may be allowed.
    if (descriptor < 0) descriptor = fcntl(lowest, F_DUPFD_CLOEXEC, first_beside_the_standard_ones);
    const int reason = errno;
    close(lowest);
    errno = reason;
    return descriptor;
}

/// To the system such memory is a file: one that is larger than it allows would end the program.
void check_file_size_limit(std::size_t bytes) {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes <= limit.rlim_cur) return;
    throw NoSharedMemory(
        std::to_string(bytes) + " bytes of memory to be shared are more than the " +
        std::to_string(limit.rlim_cur) + " that a file of this process may have (ulimit -f)");
}

/// Which file it is: a program may have closed what it has not opened, and opened another there.
std::pair<dev_t, ino_t> file_of(int descriptor) {
    struct stat status{};
    if (fstat(descriptor, &status) != 0) return {};
    return {status.st_dev, status.st_ino};
}

/// Where the segments of this process are, by their tokens: in another PID namespace the same
/// number is another process.
struct OwnSegments {
    std::mutex mutex;
    std::map<std::uint64_t, std::byte*> bases;
};
OwnSegments& own_segments() {
    static auto* const segments = new OwnSegments;
    return *segments;
}

}  // namespace

Geometry Geometry::within(std::size_t limit, std::int32_t ranks) {
    std::array<BoardShape, board_kinds> boards{};
    if (usual_small_board.bytes() <= limit / 4) boards[0] = usual_small_board;
    // A pair has no need of it: what one posts, nobody but the other reads.
    if (ranks > 2 && usual_large_board.bytes() <= limit / 4) boards[1] = usual_large_board;
    // Large blocks cost fewer records, many let more messages be under way.
    for (std::uint32_t bytes = most_block_bytes; bytes > usual_piece_bytes; bytes -= page_bytes) {
        const Geometry geometry{ranks, most_blocks, bytes, boards};
        if (geometry.segment_bytes() <= limit) return geometry;
    }
    for (std::uint32_t bytes = usual_piece_bytes; bytes >= 1024; bytes /= 2) {
        const std::uint32_t fewest = bytes > 1024 ? most_blocks / 2 : fewest_blocks;
        for (std::uint32_t blocks = most_blocks; blocks >= fewest; blocks /= 2) {
            const Geometry geometry{ranks, blocks, bytes, boards};
            if (geometry.segment_bytes() <= limit) return geometry;
        }
    }
    return {ranks, 0, 0, {}};
}

Segment Segment::create(const Geometry& geometry) {
    const std::size_t bytes = geometry.segment_bytes();
    check_file_size_limit(bytes);
    const int descriptor = open_nameless();
    if (descriptor < 0) refuse("memory to be shared cannot be had (memfd_create)");
    Card card{getpid(), start_of(getpid()).value_or(0), descriptor, 0, geometry};
    try {
        if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
            refuse(std::to_string(bytes) + " bytes of memory to be shared cannot be had");
        }
        std::byte* base = map(descriptor, bytes);
        if (!prefer_this_domain(base, bytes) && names_several_domains(domains_of_this_node())) {
            touch_what_is_looked_at(base, geometry);
        }
        if (getrandom(&card.token, sizeof card.token, 0) != sizeof card.token) {
            card.token = reinterpret_cast<std::uintptr_t>(base) ^ getpid();
        }
        Segment segment(card, base, true);
        segment.file_ = file_of(descriptor);
        segment.front().token = card.token;
        OwnSegments& own = own_segments();
        const std::lock_guard lock(own.mutex);
        own.bases.emplace(card.token, base);
        segment.is_owner_ = true;
        return segment;
    } catch (...) {
        close(descriptor);
        throw;
    }
}

Segment Segment::attach(const Card& card) {
    if (card.process == getpid()) {
        OwnSegments& own = own_segments();
        const std::lock_guard lock(own.mutex);
        const auto found = own.bases.find(card.token);
        if (found != own.bases.end()) return {card, found->second, false};
    }
    const std::string path =
        "/proc/" + std::to_string(card.process) + "/fd/" + std::to_string(card.descriptor);
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) refuse("the memory of another rank cannot be opened at " + path);
    std::byte* base = nullptr;
    try {
        const off_t end = lseek(descriptor, 0, SEEK_END);
        if (end < 0 || static_cast<std::size_t>(end) != card.geometry.segment_bytes()) {
            throw NoSharedMemory(path + " is not the memory of the rank that named it");
        }
        base = map(descriptor, card.geometry.segment_bytes());
    } catch (...) {
        close(descriptor);
        throw;
    }
    close(descriptor);
    Segment segment(card, base, true);
    // In another PID namespace the same number is another process.
    if (segment.front().token != card.token) {
        throw NoSharedMemory(path + " is not the memory of the rank that named it");
    }
    return segment;
}

Segment::Segment(Segment&& other) noexcept
    : card_(other.card_),
      base_(std::exchange(other.base_, nullptr)),
      is_mapped_(std::exchange(other.is_mapped_, false)),
      file_(other.file_),
      is_owner_(std::exchange(other.is_owner_, false)) {}

bool Segment::has_living_owner() const {
    return is_alive(card_.process, card_.started);
}

Segment::~Segment() {
    if (is_owner_) {
        OwnSegments& own = own_segments();
        const std::lock_guard lock(own.mutex);
        own.bases.erase(card_.token);
    }
    if (is_mapped_) munmap(base_, card_.geometry.segment_bytes());
    if (is_owner_ && file_of(card_.descriptor) == file_) close(card_.descriptor);
}

}  // namespace tasuki::memory
