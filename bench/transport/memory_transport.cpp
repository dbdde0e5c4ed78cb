// Times messages between pairs of ranks by the memory transport and by its floor, a flag and a copy
// in shared memory, in turn. See README.md. Rank 0 writes one JSON object a line for each size,
// order and way.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "../common/payload.h"
#include "../common/statistics.h"
#include "slots.h"
#include "transport/memory/endpoint.hpp"

namespace {

using tasuki::memory::Card;
using tasuki::memory::Endpoint;
using tasuki::memory::Geometry;
using tasuki::memory::Operation;
using tasuki::memory::OperationList;
using tasuki::memory::seconds_now;
using tasuki::memory::Segment;

constexpr std::size_t most_bytes = 64 << 20;
constexpr int fewest_batches = 5;

struct alignas(64) Flag {
    std::atomic<std::uint64_t> value;
    std::byte small[48];
};

/// What ranks share beside the transport: how they meet, and the floor's flags.
struct Shared {
    std::atomic<int> arrived;
    std::atomic<int> generation;
    std::atomic<int> more;
    Card cards[64];
    Flag flags[64];
};

void* share(std::size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void barrier(Shared& shared, int ranks) {
    const int generation = shared.generation;
    if (++shared.arrived == ranks) {
        shared.arrived = 0;
        ++shared.generation;
    }
    while (shared.generation == generation) sched_yield();
}

/// Keeps the rank on a core of its own, as the hosts' launchers do where there are enough.
void take_core(int rank, int ranks) {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) < ranks) return;
    for (int core = 0, before = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &usable) || before++ != rank) continue;
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(core, &own);
        sched_setaffinity(0, sizeof own, &own);
        return;
    }
}

/// One rank's side of its pair.
struct Pair {
    int rank;
    int partner;
    bool begins;
    bool passes_on;
    std::vector<char> outgoing;
    std::vector<char> incoming;

    /// What has come is what is sent next.
    void pass_on() {
        if (passes_on) outgoing.swap(incoming);
    }
};

/// A flag and a copy: short messages lie beside the flag, others in a buffer of the receiver's.
class Floor {
  public:
    Floor(Pair& pair, Shared& shared, std::byte* buffers)
        : pair_(pair),
          out_flag_(shared.flags[pair.partner]),
          in_flag_(shared.flags[pair.rank]),
          out_(buffers + pair.partner * most_bytes),
          in_(buffers + pair.rank * most_bytes) {}

    void send() {
        const std::size_t bytes = pair_.outgoing.size();
        std::memcpy(bytes <= sizeof out_flag_.small ? out_flag_.small : out_, pair_.outgoing.data(),
                    bytes);
        out_flag_.value.store(++sent_, std::memory_order_release);
    }
    void receive() {
        ++received_;
        for (int look = 0; in_flag_.value.load(std::memory_order_acquire) < received_; ++look) {
            tasuki::memory::relax();
            if (look > 1000) sched_yield();
        }
        const std::size_t bytes = pair_.incoming.size();
        std::memcpy(pair_.incoming.data(), bytes <= sizeof in_flag_.small ? in_flag_.small : in_,
                    bytes);
    }
    void finish_send() {}
    void end_turns() {}

  private:
    Pair& pair_;
    Flag& out_flag_;
    Flag& in_flag_;
    std::byte* out_;
    std::byte* in_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
};

class Transport {
  public:
    Transport(Pair& pair, Endpoint& endpoint) : pair_(pair), endpoint_(endpoint) {}

    void send() {
        is_sent_ =
            endpoint_.send_now(pair_.partner, tag, begin_of(pair_.outgoing), pair_.outgoing.size());
        if (is_sent_) return;
        prepare(send_, pair_.outgoing, sent_);
        endpoint_.send(send_);
    }
    void receive() {
        if (endpoint_.receive_now(pair_.partner, tag, begin_of(pair_.incoming),
                                  pair_.incoming.size())) {
            return;
        }
        prepare(receive_, pair_.incoming, received_);
        endpoint_.receive(receive_);
        wait(received_, receive_);
    }
    void finish_send() {
        if (is_sent_) return;
        if (sent_.empty()) return wait(sent_, send_);
        sent_.pop();
    }
    /// What was sent last reaches a partner that sleeps.
    void end_turns() { endpoint_.progress(); }

  private:
    static constexpr tasuki::memory::Tag tag = 0;

    static std::byte* begin_of(std::vector<char>& bytes) {
        return reinterpret_cast<std::byte*>(bytes.data());
    }
    void prepare(Operation& operation, std::vector<char>& bytes, OperationList& finished) {
        operation.reset();
        operation.peer = pair_.partner;
        operation.tag = tag;
        operation.address = begin_of(bytes);
        operation.bytes = bytes.size();
        operation.finished = &finished;
    }
    void wait(OperationList& finished, const Operation& operation) {
        endpoint_.wait(finished, operation);
        finished.pop();
    }

    Pair& pair_;
    Endpoint& endpoint_;
    Operation send_;
    Operation receive_;
    bool is_sent_ = false;
    OperationList sent_;
    OperationList received_;
};

template <typename Way>
void turn(Pair& pair, Way& way, bool receiver_first) {
    if (!receiver_first || pair.begins) way.send();
    if (receiver_first && pair.begins) way.finish_send();
    way.receive();
    if (!receiver_first) way.finish_send();
    pair.pass_on();
    if (receiver_first && !pair.begins) {
        way.send();
        way.finish_send();
    }
}

template <typename Way>
double time_batch(Pair& pair, Way& way, bool receiver_first, int turns) {
    const double start = seconds_now();
    for (int i = 0; i < turns; ++i) turn(pair, way, receiver_first);
    way.end_turns();
    return (seconds_now() - start) / turns / (receiver_first ? 2 : 1);
}

template <typename Way>
void check(Pair& pair, Way& way, bool receiver_first) {
    const auto number = static_cast<long>(pair.outgoing.size());
    pair.passes_on = false;
    payload_fill(pair.outgoing.data(), pair.outgoing.size(), pair.rank, pair.partner, number);
    std::fill(pair.incoming.begin(), pair.incoming.end(), 0);
    turn(pair, way, receiver_first);
    way.end_turns();
    if (payload_holds(pair.incoming.data(), pair.incoming.size(), pair.partner, pair.rank, number))
        return;
    std::fprintf(stderr, "memory_transport: rank %d, %zu bytes: the data received is wrong\n",
                 pair.rank, pair.incoming.size());
    _exit(1);
}

void report(const char* way, bool receiver_first, std::size_t bytes, std::vector<double>& times) {
    const Summary all = summarise(times.data(), static_cast<int>(times.size()));
    std::printf(
        "{\"way\": \"%s\", \"order\": \"%s first\", \"bytes\": %zu, \"median_seconds\": %.9g, "
        "\"spread\": %.6g}\n",
        way, receiver_first ? "receiver" : "sender", bytes, all.median, relative_spread(&all));
    std::fflush(stdout);
}

template <typename Way>
void measure(Pair& pair, Shared& shared, int ranks, const char* name, Way& way, bool receiver_first,
             double seconds) {
    const std::size_t bytes = pair.outgoing.size();
    const int turns = bytes <= 1024 ? 200 : bytes <= 65536 ? 40 : 4;
    check(pair, way, receiver_first);
    pair.passes_on = true;
    std::vector<double> times;
    const double began = seconds_now();
    for (int batch = 0; batch < fewest_batches || shared.more != 0; ++batch) {
        times.push_back(time_batch(pair, way, receiver_first, turns));
        barrier(shared, ranks);
        if (pair.rank == 0) shared.more = seconds_now() - began < seconds ? 1 : 0;
        barrier(shared, ranks);
    }
    if (pair.rank == 0) report(name, receiver_first, bytes, times);
}

/// What the command line asks for.
struct Arguments {
    int ranks;
    double seconds;
    const char* sizes;
    int rounds;
    const char* folder;
};

void run(int rank, const Arguments& wanted, Shared& shared, std::byte* buffers) {
    const int ranks = wanted.ranks;
    const int slots = open_slots(wanted.folder, rank);
    const tasuki::memory::Settings settings;
    Segment segment = Segment::create(Geometry::within(settings.memory_limit, ranks));
    shared.cards[rank] = segment.card();
    barrier(shared, ranks);
    Endpoint endpoint(std::move(segment), {shared.cards, shared.cards + ranks}, rank, settings);
    Pair pair{rank, (rank + ranks / 2) % ranks, rank < ranks / 2, false, {}, {}};
    Floor floor(pair, shared, buffers);
    Transport transport(pair, endpoint);
    for (const char* text = wanted.sizes; *text != 0;) {
        char* end = nullptr;
        const std::size_t bytes = std::strtoul(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
        pair.outgoing.assign(bytes, 0);
        pair.incoming.assign(bytes, 0);
        for (const bool receiver_first : {true, false}) {
            for (int round = 0; round < wanted.rounds; ++round) {
                await_slot(slots);
                measure(pair, shared, ranks, "floor", floor, receiver_first, wanted.seconds);
                await_slot(slots);
                measure(pair, shared, ranks, "tasuki", transport, receiver_first, wanted.seconds);
            }
        }
    }
    endpoint.flush();
    barrier(shared, ranks);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments wanted{};
    if (argc == 5 || argc == 6) {
        wanted = {std::atoi(argv[1]), std::atof(argv[2]), argv[3], std::atoi(argv[4]), argv[5]};
    }
    const int ranks = wanted.ranks;
    if (ranks < 2 || ranks > 64 || ranks % 2 != 0 || wanted.seconds <= 0 || wanted.rounds < 1) {
        std::fprintf(stderr,
                     "usage: memory_transport RANKS SECONDS SIZE[,SIZE...] ROUNDS [FOLDER]\n"
                     "  RANKS    an even number, up to 64\n"
                     "  SECONDS  time to spend on each size and order in a round\n"
                     "  SIZE     bytes of a message\n"
                     "  ROUNDS   how often each size is measured\n"
                     "  FOLDER   of pipes, one for each rank: a byte there begins a round of a\n"
                     "           size, order and way\n");
        return 2;
    }
    auto* const shared = new (share(sizeof(Shared))) Shared{};
    auto* const buffers = static_cast<std::byte*>(share(ranks * most_bytes));
    std::vector<pid_t> processes;
    for (int rank = 0; rank < ranks; ++rank) {
        processes.push_back(fork());
        if (processes.back() != 0) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        try {
            take_core(rank, ranks);
            run(rank, wanted, *shared, buffers);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "memory_transport: rank %d: %s\n", rank, error.what());
            _exit(1);
        }
        _exit(0);
    }
    int failed = 0;
    for (int status = 0; wait(&status) > 0; failed |= status) {
        if (status == 0 || failed != 0) continue;
        // The others would wait for it for ever.
        for (const pid_t process : processes) kill(process, SIGKILL);
    }
    return failed == 0 ? 0 : 1;
}
