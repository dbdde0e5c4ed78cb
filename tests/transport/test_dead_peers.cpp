// What ranks find out about others that have been killed, also where the system tells them little.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "transport/denied_calls.hpp"
#include "transport/executed.hpp"
#include "transport/memory/process_life.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

// The suite of all rows is for others that use their cases.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryRow);

using memory::BoardKind;
using memory::Boards;
using memory::is_alive;
using memory::PeerGone;

/// As on Linux before 5.3, and where a container denies calls that it does not know.
bool deny_process_descriptors() {
    return deny_calls(SYS_pidfd_open, SYS_pidfd_open, ENOSYS);
}

pid_t sleeping_child() {
    const pid_t child = fork();
    if (child == 0) {
        for (;;) pause();
    }
    return child;
}

void expect_that_lives_are_told() {
    EXPECT_TRUE(is_alive(getpid(), 0));
    const auto started = memory::start_of(getpid());
    ASSERT_TRUE(started);
    EXPECT_TRUE(is_alive(getpid(), *started));
    EXPECT_FALSE(is_alive(getpid(), *started + 1)) << "a later process of the same number";
    const pid_t child = sleeping_child();
    EXPECT_TRUE(is_alive(child, 0));
    kill(child, SIGKILL);
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
    EXPECT_FALSE(is_alive(child, 0)) << "nobody has asked for it yet";
    waitpid(child, nullptr, 0);
    EXPECT_FALSE(is_alive(child, 0));
}

/// In a process of its own, where calls are denied.
void run_denied(void (*body)()) {
    const pid_t process = fork();
    constexpr int cannot_be_denied = 77;
    if (process == 0) {
        if (!deny_process_descriptors()) _exit(cannot_be_denied);
        body();
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(process, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == cannot_be_denied) {
        GTEST_SKIP() << "this system does not let us deny calls";
    }
    EXPECT_EQ(status, 0);
}

TEST(DeadPeers, AProcessIsToldFromNoneAndFromALaterOne) {
    expect_that_lives_are_told();
}

TEST(DeadPeers, AProcessIsToldFromNoneWithoutDescriptorsOfProcesses) {
    run_denied(expect_that_lives_are_told);
}

/// Rank 1 is killed after `before`; `then` is what rank 0 does, which must be done within seconds.
void run_killed(const RankBody& before, const RankBody& then, bool is_denied) {
    const auto processes = start_processes(2, {.warm_bytes = 0}, [&](Endpoint& endpoint) {
        if (endpoint.rank() == 1) {
            before(endpoint);
            raise(SIGKILL);
        }
        if (is_denied && !deny_process_descriptors()) return;
        alarm(20);
        then(endpoint);
    });
    // As launchers do.
    waitpid(processes[1], nullptr, 0);
    int status = 0;
    waitpid(processes[0], &status, 0);
    EXPECT_EQ(status, 0) << "denied: " << is_denied;
}

struct Message {
    explicit Message(const Endpoint& endpoint, std::size_t bytes) : data(bytes) {
        operation.peer = 1 - endpoint.rank();
        operation.tag = 1;
        operation.address = data.data();
        operation.bytes = data.size();
        operation.finished = &finished;
    }
    std::vector<std::byte> data;
    memory::OperationList finished;
    memory::Operation operation;
};

TEST(DeadPeers, AMessageOfOneIsNotWaitedForForEver) {
    for (const bool is_denied : {false, true}) {
        run_killed([](Endpoint&) {},
                   [](Endpoint& endpoint) {
                       Message message(endpoint, 8);
                       endpoint.receive(message.operation);
                       EXPECT_THROW(endpoint.wait(message.finished, message.operation), PeerGone);
                   },
                   is_denied);
    }
}

// That its memory is gone was taken for a denial by the system, of all ranks' memory.
TEST(DeadPeers, WhatOneHasOfferedIsNoDenial) {
    for (const bool is_denied : {false, true}) {
        run_killed(
            [](Endpoint& endpoint) {
                auto* const message = new Message(endpoint, 1 << 20);
                endpoint.send(message->operation);
                endpoint.progress();
            },
            [](Endpoint& endpoint) {
                Message message(endpoint, 1 << 20);
                EXPECT_THROW(
                    {
                        while (is_alive(endpoint.segment_of(1).card().process, 0)) usleep(1000);
                        endpoint.receive(message.operation);
                        endpoint.wait(message.finished, message.operation);
                    },
                    PeerGone);
                EXPECT_FALSE(endpoint.is_denied_remote_copies());
            },
            is_denied);
    }
}

/// Of one round, in which everybody needs what everybody else has.
Schedule exchange_among(std::int32_t ranks) {
    for (const Algorithm* row : rows()) {
        if (row->collective == "alltoall" && row->name == "spread") {
            return schedules(*row, ranks).front();
        }
    }
    throw std::logic_error("there is no row alltoall spread");
}

// The next call took what had been posted for the one that failed, at once.
TEST(DeadPeers, ThePostsOfACallThatFailedAreNotThoseOfTheNext) {
    const Schedule schedule = exchange_among(3);
    Shared<std::atomic<bool>> has_looked(1);
    const auto processes = start_processes(3, {}, [&](Endpoint& endpoint) {
        if (endpoint.rank() == 2) raise(SIGKILL);
        Boards boards(endpoint, BoardKind::small);
        const auto generate = [&](std::int32_t peer) { return schedule.programs[peer]; };
        const Program& program = schedule.programs[endpoint.rank()];
        auto round = PostedRound::of(program, endpoint.rank(), 3, generate);
        ASSERT_TRUE(round);
        std::vector<std::byte> output;
        execute_by(program, endpoint.rank(), 8, output, [&](const Binding& binding) {
            EXPECT_THROW(round->run(binding, boards), PeerGone);
        });
        if (endpoint.rank() == 1) {
            EXPECT_EQ(boards.look(0), nullptr);
            has_looked[0] = true;
        }
        while (!has_looked[0]) usleep(1000);
    });
    for (const pid_t process : processes) {
        int status = 0;
        waitpid(process, &status, 0);
        EXPECT_TRUE(process == processes[2] ? WIFSIGNALED(status) : status == 0);
    }
}

}  // namespace
}  // namespace tasuki::test
