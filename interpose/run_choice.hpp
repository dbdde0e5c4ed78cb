// How a call that is Tasuki's goes on: an algorithm runs, or the host gets it and the reason is
// kept.
#pragma once

#include "execute/copy_chunks.hpp"
#include "interpose/communicator.hpp"
#include "interpose/handled.hpp"
#include "interpose/last_call.hpp"
#include "interpose/quiet_calls.hpp"
#include "interpose/row_filter.hpp"
#include "interpose/selection.hpp"
#include "interpose/turn.hpp"
#include "transport/buffer.hpp"

namespace tasuki::interpose {

inline Handled to_the_host(Collective collective, const char* reason) {
    note_call(collective, nullptr, reason);
    return {};
}

/// The same of a call that moves nothing on any rank, before Communicator::begin_call(): see
/// QuietCall::note_nothing().
inline Handled nothing_to_do(Collective collective, const char* reason) {
    if (call_in_hand.quiet != nullptr) call_in_hand.quiet->note_nothing(reason);
    return to_the_host(collective, reason);
}

/// What is equal in the calls that the same programs may run.
struct CallKind {
    Collective collective;
    int root = 0;  ///< 0 where there is none
    const RowFilter* rows = &every_row;
    std::int64_t bytes = 0;  ///< as SelectionKey counts them, where `rows` has no host
};

/// What a program works on, in memory that the processor may touch.
struct Work {
    Buffer input{};
    Buffer output{};
    std::int64_t unit_bytes = 0;            ///< of the scratch
    const UnevenChunks* scratch = nullptr;  ///< nullptr: its chunks have a unit each
    const Combine* combine = nullptr;
    bool is_whole_call = false;  ///< where these are the program's buffers, there is nothing to do
                                 ///< but to run the program
    bool may_be_bound = false;   ///< to its buffers, in execute(), if it is repeated
    bool more_follows = false;   ///< the machine is needed again for the same call
};

/// Runs `machine` on a communicator. `repeated`: the last call of the communicator runs once more,
/// by this choice. Throws TransportError.
void execute(Communicator& communicator, Machine& machine, const Work& work,
             const Choice* repeated = nullptr);

/// Which choice is on: of `size`, or of `wish` where there is nothing to select. Throws
/// TransportError.
inline Turn begin_turn(SelectedSize* size, const Wish* wish) {
    return size != nullptr ? size->begin() : Turn{.choice = wish};
}

/// Runs by `run`, a function of the machine, what `turn` says, or leaves it to the host. Throws
/// what `run` throws.
template <typename Run>
Handled take(const CallKind& kind, const Turn& turn, Communicator& communicator, const Run& run) {
    if (turn.choice->algorithm == nullptr) {
        note_call(kind.collective, nullptr, "");
        if (turn.is_watched()) {
            leave_turn(turn);
        } else if (call_in_hand.quiet != nullptr) {
            call_in_hand.quiet->note(communicator, turn);
        }
        return {.is_watched = turn.is_watched()};
    }
    const char* misses = kind.rows->why_not(*turn.choice->algorithm, communicator.ranks());
    const Choice* ran = turn.choice;
    Machine* machine = nullptr;
    if (misses != nullptr) {
        if (turn.size == nullptr) communicator.programs().note_refusal(*ran, misses);
    } else {
        Prepared& prepared = communicator.programs().get(ran, kind.root);
        machine = prepared.machine.get();
        misses = prepared.misses;
    }
    if (machine == nullptr && kind.rows->instead_of_host != nullptr) {
        ran = kind.rows->instead_of_host(kind.collective, communicator.ranks(), kind.bytes,
                                         Carrier::host);
        machine = communicator.programs().get(ran, kind.root).machine.get();
    }
    call_in_hand.begin_timing(turn.plan.timed);
    if (machine != nullptr) run(*machine);
    const bool is_as_chosen = ran == turn.choice && machine != nullptr;
    if (turn.is_watched()) {
        Turn watched = turn;
        watched.began = call_in_hand.began_of_same(turn.began);
        turn.size->end(watched, is_as_chosen);
    } else if (is_as_chosen && call_in_hand.quiet != nullptr) {
        call_in_hand.quiet->note(communicator, turn);
    }
    if (machine == nullptr) return to_the_host(kind.collective, misses);
    note_call(kind.collective, ran, "");
    return {true, MPI_SUCCESS};
}

/// While an exception is handled: ends the call the way the program has asked for, or the run where
/// this rank alone has no memory.
Handled end_failed_call(Collective collective, MPI_Comm parent);

/// `handle`, with every exception handled.
template <typename Handle>
Handled handle_safely(Collective collective, MPI_Comm parent, const Handle& handle) {
    try {
        return handle();
    } catch (...) {
        return end_failed_call(collective, parent);
    }
}

}  // namespace tasuki::interpose
