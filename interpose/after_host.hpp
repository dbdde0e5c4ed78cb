#pragma once

#include "interpose/handled.hpp"
#include "interpose/turn.hpp"

namespace tasuki::interpose {

class ReductionCheck;

/// What is to be done when the host has done a call. Its entry point keeps it meanwhile: calls that
/// a tool makes in there may leave something, too. Without a destructor: see ReportedCall.
struct LeftForLater {
    Turn turn;
    ReductionCheck* check = nullptr;
};

/// Before the host gets a call, on the thread of its handler.
LeftForLater take_left();
inline LeftForLater left_by(const Handled& handled) {
    return handled.is_watched ? take_left() : LeftForLater{};
}
/// When the host has done a call that its handler left with Handled::is_watched.
void after_host(const LeftForLater& left);

}  // namespace tasuki::interpose
