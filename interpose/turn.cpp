#include "interpose/turn.hpp"

#include <exception>
#include <string>
#include <utility>

#include "interpose/say.hpp"
#include "interpose/selection.hpp"

namespace tasuki::interpose {

namespace {
thread_local Turn left;
}

void leave_turn(const Turn& turn) {
    left = turn;
}

Turn take_left_turn() {
    return std::exchange(left, Turn{});
}

void end_turn(const Turn& turn) {
    if (!turn.is_watched()) return;
    try {
        turn.size->end(turn, true);
    } catch (const std::exception& error) {
        turn.size->note_failure();
        say(std::string("selection failed: ") + error.what());
    }
}

}  // namespace tasuki::interpose
