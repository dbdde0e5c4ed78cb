// Times the ways of a message between two ranks of this node by the memory transport, each with
// settings that leave no other, in turn. See README.md. Rank 0 writes one JSON object a line for
// each size: the seconds that each way took in each round.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "../common/ranks.hpp"
#include "transport/memory/endpoint.hpp"

namespace {

using tasuki::memory::Card;
using tasuki::memory::Endpoint;
using tasuki::memory::Geometry;
using tasuki::memory::Operation;
using tasuki::memory::OperationList;
using tasuki::memory::seconds_now;
using tasuki::memory::Segment;
using tasuki::memory::Settings;

constexpr int ranks = 2;
constexpr std::uint64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t always = 4096;

struct Way {
    const char* name;
    Settings settings;
    /// Whether the receiver answers by a message as large, which makes blocks warm.
    bool is_answered;
};

const Way ways[] = {
    {"straight",
     {.direct_bytes = always, .warm_bytes = 0, .shared_bytes = never, .stream_bytes = never},
     false},
    {"shared",
     {.direct_bytes = always, .warm_bytes = 0, .shared_bytes = always, .stream_bytes = never},
     false},
    {"warm blocks", {.direct_bytes = never, .shared_bytes = never}, true},
    {"straight, answered",
     {.direct_bytes = always, .warm_bytes = 0, .shared_bytes = never, .stream_bytes = never},
     true},
};
constexpr std::size_t number_of_ways = std::size(ways);

struct Shared {
    Meeting meeting;
    std::atomic<int> turns;
    Card cards[number_of_ways][ranks];
};

/// One rank's end of a way.
class End {
  public:
    End(Endpoint& endpoint, bool is_answered) : endpoint_(endpoint), is_answered_(is_answered) {}

    /// A message and its answer; seconds of this rank.
    double turn(std::vector<std::byte>& bytes, std::vector<std::byte>& short_answer) {
        const double began = seconds_now();
        std::vector<std::byte>& answer = is_answered_ ? bytes : short_answer;
        if (endpoint_.rank() == 0) {
            // As programs do: what is sent was just written here, and what came is read.
            std::memset(bytes.data(), ++written_, bytes.size());
            move(bytes, true);
            move(answer, false);
            if (is_answered_) read(bytes);
        } else {
            move(bytes, false);
            read(bytes);
            move(answer, true);
        }
        return seconds_now() - began;
    }

  private:
    void read(const std::vector<std::byte>& bytes) {
        constexpr std::size_t line = 64;
        for (std::size_t at = 0; at < bytes.size(); at += line) seen_ = bytes[at];
    }
    void move(std::vector<std::byte>& bytes, bool is_send) {
        Operation operation;
        operation.reset();
        operation.peer = 1 - endpoint_.rank();
        operation.tag = 0;
        operation.address = bytes.data();
        operation.bytes = bytes.size();
        operation.finished = &finished_;
        if (is_send) {
            endpoint_.send(operation);
        } else {
            endpoint_.receive(operation);
        }
        if (finished_.empty()) endpoint_.wait(finished_, operation);
        finished_.pop();
        endpoint_.progress();
    }

    Endpoint& endpoint_;
    bool is_answered_;
    int written_ = 0;
    volatile std::byte seen_{};
    OperationList finished_;
};

double measure(int rank, Shared& shared, End& end, std::vector<std::byte>& bytes, double seconds) {
    std::vector<std::byte> short_answer(8);
    constexpr int turns_before = 3;
    for (int turn = 0; turn < turns_before; ++turn) end.turn(bytes, short_answer);
    const double once = end.turn(bytes, short_answer);
    if (rank == 0) shared.turns = std::clamp(static_cast<int>(seconds / once), 3, 1000);
    shared.meeting.await(ranks);
    std::vector<double> times(static_cast<std::size_t>(shared.turns));
    for (double& time : times) time = end.turn(bytes, short_answer);
    shared.meeting.await(ranks);
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

void run(int rank, Shared& shared, double seconds, const char* sizes, int rounds) {
    std::deque<Endpoint> endpoints;
    std::vector<End> ends;
    for (std::size_t way = 0; way < number_of_ways; ++way) {
        const Settings& settings = ways[way].settings;
        Segment segment = Segment::create(Geometry::of_communicator(settings.memory_limit, ranks));
        shared.cards[way][rank] = segment.card();
        shared.meeting.await(ranks);
        const std::vector<Card> cards(shared.cards[way], shared.cards[way] + ranks);
        endpoints.emplace_back(std::move(segment), cards, rank, settings);
        ends.emplace_back(endpoints.back(), ways[way].is_answered);
        shared.meeting.await(ranks);
    }
    for (const char* text = sizes; *text != 0;) {
        char* next = nullptr;
        std::vector<std::byte> bytes(std::strtoul(text, &next, 10));
        text = *next == ',' ? next + 1 : next;
        std::vector<double> times[number_of_ways];
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t way = 0; way < number_of_ways; ++way) {
                times[way].push_back(measure(rank, shared, ends[way], bytes, seconds / rounds));
            }
        }
        if (rank != 0) continue;
        std::string line = "{\"bytes\": " + std::to_string(bytes.size());
        for (std::size_t way = 0; way < number_of_ways; ++way) {
            line += std::string(", \"") + ways[way].name + "\": [";
            for (std::size_t round = 0; round < times[way].size(); ++round) {
                char number[32];
                std::snprintf(number, sizeof number, "%s%.4g", round > 0 ? ", " : "",
                              times[way][round]);
                line += number;
            }
            line += "]";
        }
        std::printf("%s}\n", line.c_str());
        std::fflush(stdout);
    }
    for (Endpoint& endpoint : endpoints) {
        endpoint.flush();
        // Without them there is but one way.
        if (rank == 0 && !endpoint.has_remote_copies()) {
            std::printf("{\"refused\": \"the system denies process_vm_readv\"}\n");
            break;
        }
    }
    std::fflush(stdout);
    shared.meeting.await(ranks);
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc == 4 ? std::atof(argv[1]) : 0;
    const int rounds = argc == 4 ? std::atoi(argv[3]) : 0;
    if (seconds <= 0 || rounds < 1) {
        std::fprintf(stderr,
                     "usage: memory_thresholds SECONDS SIZE[,SIZE...] ROUNDS\n"
                     "  SECONDS  time to spend on each size and way\n"
                     "  SIZE     bytes of a message\n"
                     "  ROUNDS   in which the ways have their turns\n");
        return 2;
    }
    auto* const shared = new (share(sizeof(Shared))) Shared{};
    const auto refuse = [](const char* reason) {
        std::printf("{\"refused\": \"%s\"}\n", reason);
        std::fflush(stdout);
    };
    return run_ranks(
        ranks,
        [&](int rank) {
            if (take_core(rank, ranks)) {
                run(rank, *shared, seconds, argv[2], rounds);
            } else if (rank == 0) {
                refuse("there are no two cores");
            }
        },
        [&](int, const std::exception& error) { refuse(error.what()); });
}
