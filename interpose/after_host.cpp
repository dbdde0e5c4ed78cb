#include "interpose/after_host.hpp"

#include "interpose/reduction_check.hpp"
#include "interpose/turn.hpp"

namespace tasuki::interpose {

void after_host() {
    end_left_turn();  // first: it is timed
    end_left_check();
}

}  // namespace tasuki::interpose
