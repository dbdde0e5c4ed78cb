// Programs that are ready to run on a communicator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "interpose/lazy_placement.hpp"
#include "interpose/machine.hpp"
#include "interpose/node_memory.hpp"
#include "interpose/switches.hpp"

namespace tasuki::interpose {

/// An algorithm as it is on one communicator: a machine, or why it cannot run there.
struct Prepared {
    const Choice* choice;
    int root;
    std::unique_ptr<Machine> machine;
    const char* misses = nullptr;  ///< why it is outside its domain; lives as long as the process
};

/// Keeps the programs that were used last, so that a call does not build its own anew.
///
/// Memory: at most `most_kept` programs of at most `largest_kept` bytes each, and `budget` bytes in
/// the whole process; what is larger, as linear algorithms on thousands of ranks are, is built for
/// each call, which costs little beside its messages.
class PreparedPrograms {
  public:
    static constexpr std::size_t most_kept = 32;
    static constexpr std::size_t largest_kept = std::size_t{1} << 20;
    static constexpr std::size_t budget = std::size_t{32} << 20;

    PreparedPrograms(int rank, int ranks, LazyPlacement& placement, NodeMemory& memory);
    ~PreparedPrograms();
    PreparedPrograms(const PreparedPrograms&) = delete;
    PreparedPrograms& operator=(const PreparedPrograms&) = delete;

    /// `choice` must live as long as this. What is returned holds until the next call of either.
    /// All ranks ask for the same choices and roots, so that they find placement and memory
    /// together.
    Prepared& get(const Choice* choice, int root) {
        const bool is_first =
            !kept_.empty() && kept_.front().choice == choice && kept_.front().root == root;
        return is_first ? kept_.front() : find_or_prepare(choice, root);
    }
    /// Calls of some kind are not for a choice that was named: told the first time.
    void note_refusal(const Choice& choice, const char* why);
    /// After each execution: drops the program if it is too large to be kept.
    void drop_passing() {
        if (passing_.machine == nullptr) [[likely]]
            return;
        passing_ = {};
        forget_known_calls();
    }

  private:
    Prepared& find_or_prepare(const Choice* choice, int root);
    Prepared prepare(const Choice* choice, int root);
    std::string why_not(const Choice& choice, Instance& instance);
    bool may_keep(const Prepared& prepared) const;
    void drop(std::size_t index);

    int rank_;
    int ranks_;
    LazyPlacement& placement_;
    NodeMemory& memory_;
    std::vector<Prepared> kept_;                                   // the one used last at the front
    Prepared passing_{};                                           // one that is not kept
    std::vector<std::pair<const Choice*, const char*>> refusals_;  // that were told
};

}  // namespace tasuki::interpose
