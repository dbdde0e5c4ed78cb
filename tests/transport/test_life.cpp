// Ranks that are killed, and systems that deny what others allow.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "transport/denied_calls.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/memory/process_life.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

using memory::Counters;
using memory::MemoryTransport;
using memory::Path;

std::vector<std::int32_t> all_of(const Endpoint& endpoint) {
    std::vector<std::int32_t> all(endpoint.ranks());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Everybody sends `bytes` to everybody, and looks at what has come.
void exchange_once(Endpoint& endpoint, MemoryTransport& transport, std::int64_t bytes) {
    const std::int32_t ranks = endpoint.ranks();
    std::vector<std::byte> out(bytes, static_cast<std::byte>(endpoint.rank()));
    std::vector<std::byte> in(bytes * ranks);
    const Buffer from = Buffer::contiguous(out.data(), bytes);
    const Buffer to = Buffer::contiguous(in.data(), bytes);
    for (std::int32_t peer = 0; peer < ranks; ++peer) {
        transport.start_recv({peer, 0, &to, peer, 1}, 0);
        transport.start_send({peer, 0, &from, 0, 1}, 0);
    }
    transport.wait_for_all();
    for (std::int64_t i = 0; i < bytes * ranks; ++i) {
        ASSERT_EQ(in[i], static_cast<std::byte>(i / bytes));
    }
}

void exchange_all_sizes(Endpoint& endpoint) {
    MemoryTransport transport(endpoint, all_of(endpoint), 0);
    for (const std::int64_t bytes : {8, 3000, 40000, 500000, 2000000, 6000000}) {
        exchange_once(endpoint, transport, bytes);
    }
    endpoint.flush();
}

TEST(Life, OthersEndWhenOneIsKilledAndNothingIsLeft) {
    const auto files = [] {
        const std::filesystem::directory_iterator folder("/dev/shm");
        return std::count_if(begin(folder), end(folder), [](const auto& entry) {
            return entry.path().filename().string().find("tasuki") != std::string::npos;
        });
    };
    for (const unsigned rounds : {1U, 300U}) {
        Shared<std::atomic<unsigned>> done(1);
        const auto processes = start_processes(3, {}, [&](Endpoint& endpoint) {
            MemoryTransport transport(endpoint, all_of(endpoint), 0);
            for (unsigned round = 0;; ++round, ++done[0]) {
                exchange_once(endpoint, transport, 10 << (round % 14));
            }
        });
        while (done[0] < rounds && memory::is_alive(processes[1], 0)) std::this_thread::yield();
        kill(processes[1], SIGKILL);
        for (const pid_t process : processes) {
            int status = 0;
            EXPECT_EQ(waitpid(process, &status, 0), process);
            EXPECT_NE(status, 0);
            EXPECT_EQ(WIFSIGNALED(status), process == processes[1]);
        }
        EXPECT_EQ(files(), 0);
    }
}

/// From now on this process may not copy from or to another's memory.
bool deny_remote_copies() {
    return deny_calls(SYS_process_vm_readv, SYS_process_vm_writev, EPERM);
}

/// How processes of their own are prepared, and what must have come of it.
void run_prepared(bool (*prepare)(), const RankBody& body) {
    Shared<std::atomic<bool>> is_possible(1);
    const pid_t process = fork();
    if (process == 0) {
        is_possible[0] = prepare();
        _exit(is_possible[0] && !end_well(start_processes(3, {}, body)) ? 1 : 0);
    }
    EXPECT_TRUE(end_well({process}));
    if (!is_possible[0]) GTEST_SKIP() << "this system does not let us prepare that";
}

TEST(Life, WorksWithoutRemoteCopiesAndKnowsIt) {
    run_prepared(deny_remote_copies, [](Endpoint& endpoint) {
        exchange_all_sizes(endpoint);
        EXPECT_FALSE(endpoint.has_remote_copies());
        EXPECT_GT(endpoint.counters().messages[static_cast<std::size_t>(Path::pulled)], 0U);
        EXPECT_TRUE(endpoint.is_denied_remote_copies());
    });
}

// Denied in only one process, as between users or PID namespaces: found when it is tried.
TEST(Life, WorksWhereOneRankMayNotCopy) {
    EXPECT_TRUE(end_well(start_processes(3, {}, [](Endpoint& endpoint) {
        if (endpoint.rank() == 1 && !deny_remote_copies()) return;
        exchange_all_sizes(endpoint);
        EXPECT_EQ(endpoint.has_remote_copies(), endpoint.rank() != 1);
    })));
}

// One that may not read cannot help its sender, and who may not write lets the other read.
TEST(Life, MessagesThatBothEndsCouldCopyGetThroughWhereOneMayNot) {
    for (const std::int32_t denied : {0, 1}) {
        EXPECT_TRUE(end_well(start_processes(2, {}, [&](Endpoint& endpoint) {
            if (endpoint.rank() == denied && !deny_remote_copies()) return;
            MemoryTransport transport(endpoint, all_of(endpoint), 0);
            for (int message = 0; message < 5; ++message) {
                std::vector<std::byte> bytes(
                    1 << 20, static_cast<std::byte>(endpoint.rank() == 0 ? message : 99));
                const Buffer buffer = Buffer::contiguous(bytes.data(), 1 << 20);
                if (endpoint.rank() == 0) transport.start_send({1, 0, &buffer, 0, 1}, 0);
                if (endpoint.rank() == 1) transport.start_recv({0, 0, &buffer, 0, 1}, 0);
                transport.wait_for_all();
                ASSERT_EQ(bytes, std::vector<std::byte>(1 << 20, static_cast<std::byte>(message)));
            }
            endpoint.flush();
        })));
    }
}

TEST(Life, NeedsNoDevShm) {
    const auto make_small = [] {
        return unshare(CLONE_NEWNS) == 0 &&
               mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=4k") == 0;
    };
    run_prepared(make_small, [](Endpoint& endpoint) {
        exchange_all_sizes(endpoint);
        EXPECT_FALSE(endpoint.is_denied_remote_copies());
    });
}

TEST(Life, TellsWhyMemoryOfAnotherCannotBeHad) {
    Segment mine = Segment::create(Geometry::within(1 << 20, 2));
    Card card = mine.card();
    card.process = 1;
    card.descriptor = 12345;
    EXPECT_THROW(Segment::attach(card), memory::NoSharedMemory);
}

// One of another number has Linux make the table larger, for which a process with threads waits.
TEST(Life, MemoryHasADescriptorForWhichEveryProcessHasRoom) {
    constexpr int room_of_every_process = 64;
    const Segment mine = Segment::create(Geometry::within(1 << 20, 2));
    EXPECT_LT(mine.card().descriptor, room_of_every_process);
}

// It would otherwise end a program that runs without us.
TEST(Life, TellsThatFilesMayNotBeAsLargeAsTheMemoryToBeShared) {
    const pid_t process = fork();
    if (process == 0) {
        const rlimit small{.rlim_cur = 100000, .rlim_max = RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &small);
        const Geometry geometry = Geometry::within(1 << 20, 2);
        std::string text;
        try {
            Segment::create(geometry);
        } catch (const memory::NoSharedMemory& error) {
            text = error.what();
        }
        const std::string asked = std::to_string(geometry.segment_bytes());
        const bool tells_both = text.starts_with(asked) && text.find(" 100000 ") != text.npos;
        const bool fits = Segment::create(Geometry::within(100000, 2)).card().process == getpid();
        _exit(tells_both && fits ? 0 : 1);
    }
    EXPECT_TRUE(end_well({process}));
}

// A pair that talks takes its own memory and no more.
TEST(Life, MemoryGrowsWithThePeersThatTalk) {
    const auto resident = [](const Segment& segment) {
        const Geometry& geometry = segment.card().geometry;
        std::vector<unsigned char> pages(geometry.segment_bytes() / memory::page_bytes);
        mincore(&segment.front(), geometry.segment_bytes(), pages.data());
        return std::accumulate(pages.begin(), pages.end(), 0,
                               [](int sum, unsigned char page) { return sum + (page & 1); });
    };
    const Geometry geometry = Geometry::within(std::size_t{64} << 20, 64);
    std::vector<Segment> segments;
    std::vector<Card> cards;
    for (std::int32_t rank = 0; rank < 64; ++rank) {
        segments.push_back(Segment::create(geometry));
        cards.push_back(segments.back().card());
    }
    const Segment watched = Segment::attach(cards[0]);
    EXPECT_EQ(resident(watched), 1);
    Endpoint receiver(std::move(segments[0]), cards, 0);
    Endpoint sender(std::move(segments[1]), cards, 1);
    memory::OperationList finished;
    std::array<std::byte, 8> bytes{};
    memory::Operation operation{
        .peer = 0, .tag = 1, .address = bytes.data(), .bytes = 8, .finished = &finished};
    sender.send(operation);
    receiver.progress();
    EXPECT_LE(resident(watched), 4);
}

}  // namespace
}  // namespace tasuki::test
