// Times messages between pairs of ranks by the memory transport and by its floor, a flag and a copy
// in shared memory, in turn. See README.md. Rank 0 writes one JSON object a line for each size,
// order and way.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "../common/payload.h"
#include "../common/ranks.hpp"
#include "../common/statistics.h"
#include "slots.h"
#include "transport/memory/endpoint.hpp"
#include "ways.hpp"

namespace {

using tasuki::memory::Card;
using tasuki::memory::Endpoint;
using tasuki::memory::Geometry;
using tasuki::memory::seconds_now;
using tasuki::memory::Segment;

constexpr std::size_t most_bytes = 64 << 20;
constexpr int fewest_batches = 5;

/// What ranks share beside the transport: how they meet, and the floor's flags.
struct Shared {
    Meeting meeting;
    std::atomic<int> more;
    Card cards[64];
    FloorFlag flags[64];
    Carried carried[64];
};

/// In which order sender and receiver come.
enum class Order : std::uint8_t { receiver_first, sender_first, stream };
constexpr std::array orders = {Order::receiver_first, Order::sender_first, Order::stream};

const char* name_of(Order order) {
    return order == Order::receiver_first ? "receiver first"
           : order == Order::sender_first ? "sender first"
                                          : "stream";
}

/// Messages one after the other, or one way, in a turn.
int messages_of(const Pair& pair, Order order) {
    return order == Order::receiver_first ? 2 : order == Order::sender_first ? 1 : pair.window;
}

int turns_of(const Pair& pair, Order order) {
    const int turns = pair.bytes() <= 1024 ? 200 : pair.bytes() <= 65536 ? 40 : 4;
    return order == Order::stream ? std::max(1, 4 * turns / pair.window) : turns;
}

template <typename Way>
void ping_pong(Pair& pair, Way& way) {
    if (pair.begins) {
        way.send();
        way.finish_send();
    }
    way.receive();
    pair.pass_on();
    if (!pair.begins) {
        way.send();
        way.finish_send();
    }
}

template <typename Way>
void exchange(Pair& pair, Way& way) {
    way.send();
    way.receive();
    way.finish_send();
    pair.pass_on();
}

template <typename Way>
void turn(Pair& pair, Way& way, Order order) {
    switch (order) {
        case Order::receiver_first:
            return ping_pong(pair, way);
        case Order::sender_first:
            return exchange(pair, way);
        case Order::stream:
            return pair.begins ? way.send_window() : way.receive_window();
    }
}

template <typename Way>
double time_batch(Pair& pair, Way& way, Order order, int turns) {
    const double start = seconds_now();
    for (int i = 0; i < turns; ++i) turn(pair, way, order);
    way.end_turns();
    return (seconds_now() - start) / turns / messages_of(pair, order);
}

/// Fills what is sent in a turn, and clears what is received.
void fill(Pair& pair) {
    const auto number = static_cast<long>(pair.bytes());
    payload_fill(pair.outgoing.data(), pair.bytes(), pair.rank, pair.partner, number);
    std::fill(pair.incoming.begin(), pair.incoming.end(), 0);
    std::fill(pair.stream.begin(), pair.stream.end(), 0);
    if (!pair.begins) return;
    for (int message = 0; message < pair.window; ++message) {
        payload_fill(pair.streamed(message), pair.bytes(), pair.rank, pair.partner,
                     number + message);
    }
}

bool has_come(Pair& pair, Order order) {
    const auto number = static_cast<long>(pair.bytes());
    if (order != Order::stream) {
        return payload_holds(pair.incoming.data(), pair.bytes(), pair.partner, pair.rank, number);
    }
    bool holds = true;
    for (int message = 0; !pair.begins && message < pair.window; ++message) {
        holds = holds && payload_holds(pair.streamed(message), pair.bytes(), pair.partner,
                                       pair.rank, number + message);
    }
    return holds;
}

template <typename Way>
void check(Pair& pair, Way& way, Order order) {
    pair.passes_on = false;
    fill(pair);
    turn(pair, way, order);
    way.end_turns();
    if (has_come(pair, order)) return;
    std::fprintf(stderr, "memory_transport: rank %d, %zu bytes: the data received is wrong\n",
                 pair.rank, pair.bytes());
    _exit(1);
}

void report(const char* way, Order order, std::size_t bytes, std::vector<double>& times,
            const Carried& carried) {
    const Summary all = summarise(times.data(), static_cast<int>(times.size()));
    std::printf(
        "{\"way\": \"%s\", \"order\": \"%s\", \"bytes\": %zu, \"median_seconds\": %.9g, "
        "\"spread\": %.6g",
        way, name_of(order), bytes, all.median, relative_spread(&all));
    if (carried.bytes > 0) {
        std::printf(", \"copies_per_byte\": %.6g",
                    static_cast<double>(carried.copied_bytes) / static_cast<double>(carried.bytes));
    }
    std::printf("}\n");
    std::fflush(stdout);
}

template <typename Way>
void measure(Pair& pair, Shared& shared, int ranks, const char* name, Way& way, Order order,
             double seconds) {
    const int turns = turns_of(pair, order);
    check(pair, way, order);
    pair.passes_on = true;
    std::vector<double> times;
    const Carried before = way.carried();
    const double began = seconds_now();
    for (int batch = 0; batch < fewest_batches || shared.more != 0; ++batch) {
        times.push_back(time_batch(pair, way, order, turns));
        shared.meeting.await(ranks);
        if (pair.rank == 0) shared.more = seconds_now() - began < seconds ? 1 : 0;
        shared.meeting.await(ranks);
    }
    const Carried after = way.carried();
    shared.carried[pair.rank] = {after.bytes - before.bytes,
                                 after.copied_bytes - before.copied_bytes};
    shared.meeting.await(ranks);
    if (pair.rank != 0) return;
    Carried all;
    for (int rank = 0; rank < ranks; ++rank) {
        all.bytes += shared.carried[rank].bytes;
        all.copied_bytes += shared.carried[rank].copied_bytes;
    }
    report(name, order, pair.bytes(), times, all);
}

/// What the command line asks for.
struct Arguments {
    int ranks;
    double seconds;
    const char* sizes;
    int rounds;
    const char* folder;
    std::optional<std::uint64_t> warm_bytes;
};

void run(int rank, const Arguments& wanted, Shared& shared, std::byte* buffers) {
    const int ranks = wanted.ranks;
    const int slots = open_slots(wanted.folder, rank);
    tasuki::memory::Settings settings;
    if (wanted.warm_bytes) {
        // What is larger is then copied once, and not pulled.
        settings.warm_bytes = *wanted.warm_bytes;
        settings.stream_bytes = std::numeric_limits<std::uint64_t>::max();
    }
    // As the first communicator of an MPI program has it.
    Segment segment = Segment::create(Geometry::of_communicator(settings.memory_limit, ranks));
    shared.cards[rank] = segment.card();
    shared.meeting.await(ranks);
    Endpoint endpoint(std::move(segment), {shared.cards, shared.cards + ranks}, rank, settings);
    Pair pair{.rank = rank, .partner = (rank + ranks / 2) % ranks, .begins = rank < ranks / 2};
    Floor floor(pair, shared.flags, buffers, most_bytes);
    Transport transport(pair, endpoint);
    for (const char* text = wanted.sizes; *text != 0;) {
        char* end = nullptr;
        const std::size_t bytes = std::strtoul(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
        pair.make_messages(bytes);
        for (const Order order : orders) {
            for (int round = 0; round < wanted.rounds; ++round) {
                await_slot(slots);
                measure(pair, shared, ranks, "floor", floor, order, wanted.seconds);
                await_slot(slots);
                measure(pair, shared, ranks, "tasuki", transport, order, wanted.seconds);
            }
        }
    }
    endpoint.flush();
    shared.meeting.await(ranks);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments wanted{};
    if (argc >= 5 && argc <= 7) {
        wanted = {std::atoi(argv[1]), std::atof(argv[2]), argv[3], std::atoi(argv[4]), argv[5],
                  std::nullopt};
        if (argc == 7) wanted.warm_bytes = std::strtoul(argv[6], nullptr, 10);
    }
    const int ranks = wanted.ranks;
    if (ranks < 2 || ranks > 64 || ranks % 2 != 0 || wanted.seconds <= 0 || wanted.rounds < 1) {
        std::fprintf(stderr,
                     "usage: memory_transport RANKS SECONDS SIZE[,SIZE...] ROUNDS [FOLDER [WARM]]\n"
                     "  RANKS    an even number, up to 64\n"
                     "  SECONDS  time to spend on each size and order in a round\n"
                     "  SIZE     bytes of a message\n"
                     "  ROUNDS   how often each size is measured\n"
                     "  FOLDER   of pipes, one for each rank: a byte there begins a round of a\n"
                     "           size, order and way\n"
                     "  WARM     the largest messages that go through blocks which caches hold\n");
        return 2;
    }
    auto* const shared = new (share(sizeof(Shared))) Shared{};
    auto* const buffers = static_cast<std::byte*>(share(ranks * most_bytes));
    return run_ranks(
        ranks,
        [&](int rank) {
            take_core(rank, ranks);
            run(rank, wanted, *shared, buffers);
        },
        [](int rank, const std::exception& error) {
            std::fprintf(stderr, "memory_transport: rank %d: %s\n", rank, error.what());
        });
}
