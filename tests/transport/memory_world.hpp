// Ranks that meet in memory, as threads of one process or as processes of their own.
#pragma once

#include <atomic>
#include <cstdlib>
#include <exception>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "transport/memory/endpoint.hpp"

namespace tasuki::test {

using memory::Card;
using memory::Endpoint;
using memory::Geometry;
using memory::Segment;
using memory::Settings;

using RankBody = std::function<void(Endpoint& endpoint)>;

/// Runs `body` on a thread for each rank; rethrows the first exception after all have ended.
inline void run_threads(std::int32_t ranks, const Settings& settings, const RankBody& body) {
    const Geometry geometry = Geometry::within(settings.memory_limit, ranks);
    std::vector<Segment> segments;
    std::vector<Card> cards;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        segments.push_back(Segment::create(geometry));
        cards.push_back(segments.back().card());
    }
    // All stay until all have ended: a rank may still look whether another sleeps.
    std::vector<std::unique_ptr<Endpoint>> endpoints;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        endpoints.push_back(
            std::make_unique<Endpoint>(std::move(segments[rank]), cards, rank, settings));
    }
    std::exception_ptr failure;
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                body(*endpoints[rank]);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

/// Memory that processes share from the time that they are made.
template <typename Value>
class Shared {
  public:
    explicit Shared(std::size_t count)
        : count_(count),
          values_(static_cast<Value*>(mmap(nullptr, count * sizeof(Value), PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
    Shared(const Shared&) = delete;
    ~Shared() { munmap(values_, count_ * sizeof(Value)); }

    Value& operator[](std::size_t index) { return values_[index]; }

  private:
    std::size_t count_;
    Value* values_;
};

/// Starts a process for each rank, which runs `body` and ends with 0 if nothing failed in it.
/// Returns their ids; wait for them with ended_well().
inline std::vector<pid_t> start_processes(std::int32_t ranks, const Settings& settings,
                                          const RankBody& body) {
    const Geometry geometry = Geometry::within(settings.memory_limit, ranks);
    auto* const cards = new Shared<Card>(ranks);
    auto* const arrived = new Shared<std::atomic<std::int32_t>>(1);
    std::vector<pid_t> processes;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const pid_t process = fork();
        if (process != 0) {
            processes.push_back(process);
            continue;
        }
        int code = 1;
        try {
            Segment segment = Segment::create(geometry);
            (*cards)[rank] = segment.card();
            ++(*arrived)[0];
            while ((*arrived)[0] < ranks) std::this_thread::yield();
            std::vector<Card> all(&(*cards)[0], &(*cards)[0] + ranks);
            Endpoint endpoint(std::move(segment), std::move(all), rank, settings);
            // Who ends takes its segment along: not before the others have it.
            ++(*arrived)[0];
            while ((*arrived)[0] < 2 * ranks) std::this_thread::yield();
            body(endpoint);
            code = testing::Test::HasFailure() ? 1 : 0;
        } catch (const std::exception& error) {
            std::cerr << "rank " << rank << ": " << error.what() << '\n';
            (*arrived)[0] += 2 * ranks;  // nobody waits for it
        }
        std::cout.flush();
        _exit(code);
    }
    delete cards;
    delete arrived;
    return processes;
}

/// Waits for the processes; whether all ended with 0.
inline bool end_well(const std::vector<pid_t>& processes) {
    bool is_well = true;
    for (const pid_t process : processes) {
        int status = 0;
        waitpid(process, &status, 0);
        is_well = is_well && status == 0;
    }
    return is_well;
}

}  // namespace tasuki::test
