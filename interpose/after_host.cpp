#include "interpose/after_host.hpp"

#include "interpose/reduction_check.hpp"

namespace tasuki::interpose {

LeftForLater take_left() {
    return {take_left_turn(), take_left_check()};
}

void after_host(const LeftForLater& left) {
    end_turn(left.turn);  // first: it is timed
    end_check_behind_host(left.check);
}

}  // namespace tasuki::interpose
