#include "interpose/prepared_programs.hpp"

#include <algorithm>
#include <atomic>

#include "interpose/fallbacks.hpp"
#include "interpose/last_call.hpp"
#include "schedule/sends_first.hpp"

namespace tasuki::interpose {

namespace {

std::atomic<std::size_t> bytes_kept{0};  // in the whole process

std::size_t bytes_of(const Prepared& prepared) {
    return prepared.machine == nullptr ? 0 : prepared.machine->bytes();
}

}  // namespace

PreparedPrograms::PreparedPrograms(int rank, int ranks, LazyPlacement& placement,
                                   NodeMemory& memory)
    : rank_(rank), ranks_(ranks), placement_(placement), memory_(memory) {}

PreparedPrograms::~PreparedPrograms() {
    while (!kept_.empty()) drop(kept_.size() - 1);
}

Prepared& PreparedPrograms::find_or_prepare(const Choice* choice, int root) {
    const auto found = std::ranges::find_if(
        kept_, [&](const Prepared& kept) { return kept.choice == choice && kept.root == root; });
    if (found != kept_.end()) {
        std::rotate(kept_.begin(), found, found + 1);
        return kept_.front();
    }
    drop_passing();  // so that there are never two large ones
    Prepared made = prepare(choice, root);
    if (!may_keep(made)) {
        passing_ = std::move(made);
        return passing_;
    }
    if (kept_.size() == most_kept) drop(kept_.size() - 1);
    bytes_kept += bytes_of(made);
    return *kept_.insert(kept_.begin(), std::move(made));
}

Prepared PreparedPrograms::prepare(const Choice* choice, int root) {
    Instance instance{ranks_, root, choice->parameters, Placement::one_node(ranks_)};
    const std::string misses = why_not(*choice, instance);
    if (misses.empty()) {
        const bool by_memory = choice->carrier == Carrier::memory && memory_.get() != nullptr;
        Program program = choice->algorithm->generate(rank_, instance);
        std::optional<PostedRound> posted;
        if (by_memory && memory_.has_boards() && ranks_ <= OneRound::most_ranks) {
            const auto generate = [&](std::int32_t rank) {
                return choice->algorithm->generate(rank, instance);
            };
            posted = PostedRound::of(program, rank_, ranks_, generate);
        }
        // Boards are where all ranks share memory.
        if (by_memory && memory_.has_boards()) program = with_sends_first(program);
        auto machine = std::make_unique<Machine>(*choice->algorithm, std::move(program),
                                                 by_memory ? Carrier::memory : Carrier::host,
                                                 std::move(posted));
        return {choice, root, std::move(machine), nullptr};
    }
    note_fallback(*choice, rank_, ranks_, misses);
    return {choice, root, nullptr, keep_for_ever(misses)};
}

void PreparedPrograms::note_refusal(const Choice& choice, const char* why) {
    const std::pair refusal{&choice, why};
    if (std::ranges::find(refusals_, refusal) != refusals_.end()) return;
    refusals_.push_back(refusal);
    note_fallback(choice, rank_, ranks_, why);
}

/// Why the choice cannot run, empty if it can; `instance` gets the placement if it is needed.
std::string PreparedPrograms::why_not(const Choice& choice, Instance& instance) {
    if (choice.algorithm->needs_placement) {
        const Placement* placement = placement_.get();
        if (placement == nullptr) return LazyPlacement::unknown;
        instance.placement = *placement;
    }
    if (choice.carrier == Carrier::memory && memory_.get() == nullptr &&
        !memory_.why_not().empty()) {
        return memory_.why_not();
    }
    return choice.algorithm->outside_domain(instance);
}

bool PreparedPrograms::may_keep(const Prepared& prepared) const {
    const std::size_t bytes = bytes_of(prepared);
    return bytes <= largest_kept && bytes_kept + bytes <= budget;
}

void PreparedPrograms::drop(std::size_t index) {
    forget_known_calls();
    bytes_kept -= bytes_of(kept_[index]);
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace tasuki::interpose
