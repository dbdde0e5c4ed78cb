// A thread of ours that carries out what the program has started, and what it is about.
#pragma once

#include "interpose/reduction_mode.hpp"

namespace tasuki::interpose {

struct Wish;

struct OwnThread {
    bool is_ours = false;  ///< else nothing here counts
    // Of the call that it carries out, as they were when the program made it:
    ReductionMode mode = ReductionMode::off;
    const Wish* wish = nullptr;
};
extern constinit thread_local OwnThread own_thread;

}  // namespace tasuki::interpose
