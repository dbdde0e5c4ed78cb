#include "predict/walk.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace tasuki {

namespace {

/// What a message costs, by number of chunks and kind of pair.
struct Cost {
    double latency;
    double send_overhead;
    double receive_overhead;
    double gap;
};

enum class EventKind : std::uint32_t { head_arrives, message_here, step_over };

struct Event {
    double time;
    std::uint32_t order;  // events of one moment happen in the order in which they were caused
    std::uint32_t step_and_kind;

    EventKind kind() const { return static_cast<EventKind>(step_and_kind & 3); }
    std::uint32_t step() const { return step_and_kind >> 2; }
    bool operator>(const Event& other) const {
        return time != other.time ? time > other.time : order > other.order;
    }
};

struct RankState {
    double processor_free = 0;
    double next_departure = 0;
    double next_arrival = 0;
};

/// Finds the receive for a message by (receiver, sender, number). Open addressing: a schedule for
/// 1,024 ranks has a million messages.
class ReceiveTable {
  public:
    explicit ReceiveTable(std::size_t receives) {
        std::size_t size = 8;
        while (size < 2 * receives) size *= 2;
        slots_.resize(size);
    }

    void add(std::uint32_t receiver, std::int32_t sender, std::int32_t message,
             std::uint32_t step) {
        std::size_t place = first_place(receiver, sender, message);
        while (slots_[place].used) place = (place + 1) & (slots_.size() - 1);
        slots_[place] = {true, receiver, sender, message, step};
    }

    /// The step, or `none`.
    std::uint32_t find(std::uint32_t receiver, std::int32_t sender, std::int32_t message) const {
        std::size_t place = first_place(receiver, sender, message);
        for (; slots_[place].used; place = (place + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[place];
            if (slot.receiver == receiver && slot.sender == sender && slot.message == message) {
                return slot.step;
            }
        }
        return none;
    }

    static constexpr std::uint32_t none = ~0U;

  private:
    struct Slot {
        bool used = false;
        std::uint32_t receiver = 0;
        std::int32_t sender = 0;
        std::int32_t message = 0;
        std::uint32_t step = 0;
    };

    std::size_t first_place(std::uint32_t receiver, std::int32_t sender,
                            std::int32_t message) const {
        const std::uint64_t key = (std::uint64_t{receiver} << 40) ^
                                  (static_cast<std::uint64_t>(sender) << 16) ^
                                  static_cast<std::uint64_t>(message);
        return (key * 0x9E3779B97F4A7C15ULL >> 24) & (slots_.size() - 1);
    }

    std::vector<Slot> slots_;
};

}  // namespace

Walk::Walk(std::span<const Program> programs, const Symmetry& symmetry, const Placement& placement,
           const Program* last_rank) {
    std::size_t steps = 0;
    for (const Program& program : programs) steps += program.steps.size();
    moves_.reserve(steps);
    begin_.push_back(0);
    dependents_begin_.assign(steps + 1, 0);
    std::map<std::int32_t, std::uint32_t> size_index;
    for (std::size_t rank = 0; rank < programs.size(); ++rank) {
        const std::int32_t node = placement.node_of(static_cast<std::int32_t>(rank));
        std::int32_t last_count = -1;
        std::uint32_t last_index = 0;
        for (const Step& step : programs[rank].steps) {
            const bool is_nothing = programs[rank].moves_tails(step);
            const StepKind kind = is_nothing ? StepKind::copy : step.kind;
            const std::int32_t count = is_nothing                    ? 0
                                       : step.kind == StepKind::send ? step.from.count
                                                                     : step.to.count;
            if (count != last_count) {
                const auto next = static_cast<std::uint32_t>(size_index.size());
                last_index = size_index.try_emplace(count, next).first->second;
                last_count = count;
            }
            const bool on_node = step.is_message() && placement.node_of(step.peer) == node;
            moves_.push_back({kind, on_node, last_index, static_cast<std::uint32_t>(rank),
                              ReceiveTable::none, step.after_count});
        }
        for (StepId earlier : programs[rank].after_steps) {
            ++dependents_begin_[begin_.back() + earlier + 1];
        }
        begin_.push_back(static_cast<std::uint32_t>(moves_.size()));
    }
    sizes_.resize(size_index.size());
    for (const auto& [count, index] : size_index) sizes_[index] = count;

    for (std::size_t i = 0; i < steps; ++i) dependents_begin_[i + 1] += dependents_begin_[i];
    dependents_.resize(dependents_begin_.back());
    std::vector<std::uint32_t> filled(dependents_begin_.begin(), dependents_begin_.end() - 1);
    for (std::size_t rank = 0; rank < programs.size(); ++rank) {
        for (std::uint32_t i = begin_[rank]; i < begin_[rank + 1]; ++i) {
            const Step& step = programs[rank].steps[i - begin_[rank]];
            for (StepId earlier : programs[rank].after(step)) {
                dependents_[filled[begin_[rank] + earlier]++] = i;
            }
        }
    }
    if (symmetry.kind == Symmetry::Kind::lockstep) {
        pair_in_order();
        if (last_rank != nullptr) slow_down_as(*last_rank, placement);
    } else {
        find_partners(programs, symmetry);
    }
}

void Walk::pair_in_order() {
    std::uint32_t receive = 0;
    for (Move& move : moves_) {
        if (move.kind != StepKind::send) continue;
        while (moves_[receive].kind != StepKind::recv) ++receive;
        move.partner = receive++;
    }
}

void Walk::slow_down_as(const Program& last_rank, const Placement& placement) {
    const auto is_message = [](const Move& move) {
        return move.kind == StepKind::send || move.kind == StepKind::recv;
    };
    const bool staged = std::ranges::any_of(
        moves_, [&](const Move& move) { return is_message(move) && move.pending > 0; });
    if (!staged) return;
    const std::int32_t node = placement.nodes() - 1;
    std::size_t next = 0;
    for (const Step& step : last_rank.steps) {
        if (!step.is_message() || last_rank.moves_tails(step)) continue;
        while (!is_message(moves_[next])) ++next;
        moves_[next].on_node = moves_[next].on_node && placement.node_of(step.peer) == node;
        ++next;
    }
}

void Walk::find_partners(std::span<const Program> programs, const Symmetry& symmetry) {
    ReceiveTable receives(moves_.size());
    for (std::uint32_t i = 0; i < moves_.size(); ++i) {
        if (moves_[i].kind != StepKind::recv) continue;
        const Step& step = programs[moves_[i].rank].steps[i - begin_[moves_[i].rank]];
        receives.add(moves_[i].rank, step.peer, step.message, i);
    }
    for (std::uint32_t i = 0; i < moves_.size(); ++i) {
        if (moves_[i].kind != StepKind::send) continue;
        const auto rank = static_cast<std::int32_t>(moves_[i].rank);
        const Step& step = programs[moves_[i].rank].steps[i - begin_[moves_[i].rank]];
        moves_[i].partner =
            receives.find(static_cast<std::uint32_t>(symmetry.representative(step.peer)),
                          symmetry.as_seen(step.peer, rank), step.message);
        if (moves_[i].partner == ReceiveTable::none) {
            throw std::invalid_argument("message " + std::to_string(step.message) + " of rank " +
                                        std::to_string(rank) + " has no receiver on rank " +
                                        std::to_string(step.peer));
        }
    }
}

/// The state of one run.
struct Walk::Run {
    Run(const Walk& of, std::int64_t chunk_bytes, const MachineParameters& machine)
        : walk(of), ranks(of.begin_.size() - 1), step_states(of.moves_.size()) {
        for (std::int32_t count : walk.sizes_) {
            const std::int64_t bytes = count * chunk_bytes;
            for (const LinkParameters* link : {&machine.off_node, &machine.on_node}) {
                costs.push_back({link->latency, link->send_overhead(bytes),
                                 link->receive_overhead(bytes), link->gap(bytes)});
                // P-LogP demands gap >= overheads; measured ones may miss it by their noise.
                costs.back().gap = std::max(costs.back().gap, costs.back().receive_overhead);
            }
            copies.push_back(machine.copy(bytes));
        }
        for (std::size_t i = 0; i < step_states.size(); ++i) {
            step_states[i].pending = walk.moves_[i].pending;
        }
    }

    double finish() {
        for (std::uint32_t i = 0; i < walk.moves_.size(); ++i) {
            if (walk.moves_[i].pending == 0) start(i, 0);
        }
        while (!events.empty()) {
            std::ranges::pop_heap(events, std::greater{});
            const Event event = events.back();
            events.pop_back();
            handle(event);
        }
        if (over != walk.moves_.size()) refuse_deadlock();
        return last;
    }

  private:
    struct StepState {
        std::uint32_t pending = 0;
        bool posted = false;
        bool here = false;
    };

    const Cost& cost_of(const Move& move) const { return costs[2 * move.size + move.on_node]; }

    void cause(double time, EventKind kind, std::uint32_t step) {
        events.push_back({time, order++, step << 2 | static_cast<std::uint32_t>(kind)});
        std::ranges::push_heap(events, std::greater{});
    }

    void occupy_until_over(double now, double seconds, std::uint32_t step) {
        double& free = ranks[walk.moves_[step].rank].processor_free;
        free = std::max(now, free) + seconds;
        over_at(free, step);
    }

    void over_at(double time, std::uint32_t step) {
        if (walk.dependents_begin_[step] != walk.dependents_begin_[step + 1]) {
            cause(time, EventKind::step_over, step);
        } else {
            last = std::max(last, time);
            ++over;
        }
    }

    void start(std::uint32_t step, double now) {
        const Move& move = walk.moves_[step];
        switch (move.kind) {
            case StepKind::send: {
                RankState& rank = ranks[move.rank];
                const Cost& cost = cost_of(move);
                const double begin = std::max(now, rank.processor_free);
                rank.processor_free = begin + cost.send_overhead;
                const double departure = std::max(begin, rank.next_departure);
                rank.next_departure = departure + cost.gap;
                cause(departure + cost.latency, EventKind::head_arrives, move.partner);
                over_at(departure + cost.send_overhead, step);
                break;
            }
            case StepKind::recv:
                step_states[step].posted = true;
                if (step_states[step].here) {
                    occupy_until_over(now, cost_of(move).receive_overhead, step);
                }
                break;
            case StepKind::copy:
            case StepKind::reduce:
                occupy_until_over(now, copies[move.size], step);
                break;
        }
    }

    void handle(const Event& event) {
        const std::uint32_t step = event.step();
        const Move& move = walk.moves_[step];
        switch (event.kind()) {
            case EventKind::head_arrives: {
                RankState& rank = ranks[move.rank];
                const Cost& cost = cost_of(move);
                rank.next_arrival = std::max(event.time, rank.next_arrival) + cost.gap;
                cause(rank.next_arrival - cost.receive_overhead, EventKind::message_here, step);
                break;
            }
            case EventKind::message_here:
                step_states[step].here = true;
                if (step_states[step].posted) {
                    occupy_until_over(event.time, cost_of(move).receive_overhead, step);
                }
                break;
            case EventKind::step_over:
                last = std::max(last, event.time);
                ++over;
                for (std::uint32_t i = walk.dependents_begin_[step];
                     i < walk.dependents_begin_[step + 1]; ++i) {
                    const std::uint32_t dependent = walk.dependents_[i];
                    if (--step_states[dependent].pending == 0) start(dependent, event.time);
                }
                break;
        }
    }

    [[noreturn]] void refuse_deadlock() const {
        for (std::uint32_t i = 0; i < walk.moves_.size(); ++i) {
            if (walk.moves_[i].kind == StepKind::recv && !step_states[i].here) {
                throw std::invalid_argument("the schedule never ends: step " +
                                            std::to_string(i - walk.begin_[walk.moves_[i].rank]) +
                                            " of rank " + std::to_string(walk.moves_[i].rank) +
                                            " waits for a message that is not sent");
            }
        }
        throw std::invalid_argument("the schedule never ends: its steps wait for each other");
    }

    const Walk& walk;
    std::vector<RankState> ranks;
    std::vector<StepState> step_states;
    std::vector<Cost> costs;  // [2 * size + on_node]
    std::vector<double> copies;
    std::vector<Event> events;  // a heap, the earliest first
    std::uint32_t order = 0;
    std::size_t over = 0;
    double last = 0;
};

double Walk::seconds(std::int64_t chunk_bytes, const MachineParameters& machine) const {
    return Run(*this, chunk_bytes, machine).finish();
}

double walk_seconds(const Schedule& schedule, std::int64_t chunk_bytes,
                    const MachineParameters& machine) {
    return Walk(schedule.programs, Symmetry::none(schedule.instance.ranks),
                schedule.instance.placement)
        .seconds(chunk_bytes, machine);
}

}  // namespace tasuki
