// Explores ranks on one state that say by themselves what is wrong.
#pragma once

#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "transport/explorer.hpp"

namespace tasuki::test {

/// Which words of a state are weakened; none if empty.
template <typename State>
using Weaken = std::function<std::vector<Explorer::Weakened>(const State&)>;

/// What is wrong in some order when each rank does `act(state, rank)`; empty if nothing is.
template <typename State, typename Act>
std::string explore_ranks(std::size_t ranks, const Act& act, const Weaken<State>& weaken = {}) {
    Explorer explorer;
    const std::string wrong = explorer.explore([&] {
        auto state = std::make_shared<State>();
        Explorer::Scene scene;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            scene.threads.push_back([=, &act] { act(*state, rank); });
        }
        scene.state = state;
        if (weaken) scene.weakened = weaken(*state);
        return scene;
    });
    EXPECT_TRUE(!wrong.empty() || explorer.runs() > 10);
    return wrong;
}

}  // namespace tasuki::test
