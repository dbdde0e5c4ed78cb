#include "interpose/node_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "interpose/maximum_of_all.hpp"
#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "interpose/told_by_one.hpp"
#include "predict/launched_ranks.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

using host::check;
using memory::Card;
using memory::Geometry;
using memory::NoSharedMemory;
using memory::Segment;

std::atomic<std::size_t> reserved{0};  // bytes, of all communicators of this process

ToldByOne failures;  // to share memory
ToldByOne denials;   // of remote copies

/// What `rank` has, on all ranks. Collective.
std::string text_of(int rank, const std::string& mine, MPI_Comm communicator) {
    std::array<char, 512> text{};
    mine.copy(text.data(), text.size() - 1);
    check(PMPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, communicator));
    return text.data();
}

/// The ranks of this node, in the order of their ranks. Where these are all, no split is made:
/// hosts take 0.5 to 1.5 ms for it on 8 ranks that share 2 cores.
class NodeCommunicator {
  public:
    NodeCommunicator(MPI_Comm communicator, const Placement& placement, int rank)
        : all_(communicator) {
        if (placement.nodes() == 1) return;
        check(PMPI_Comm_split(communicator, placement.node_of(rank), rank, &own_));
    }
    ~NodeCommunicator() {
        if (own_ != MPI_COMM_NULL) PMPI_Comm_free(&own_);
    }
    NodeCommunicator(const NodeCommunicator&) = delete;
    NodeCommunicator& operator=(const NodeCommunicator&) = delete;

    std::vector<Card> gather(const Card& mine, int ranks) const {
        std::vector<Card> cards(static_cast<std::size_t>(ranks));
        check(PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, cards.data(), sizeof mine, MPI_BYTE,
                             own_ == MPI_COMM_NULL ? all_ : own_));
        return cards;
    }

  private:
    MPI_Comm all_;
    MPI_Comm own_ = MPI_COMM_NULL;
};

/// What was measured, and of the rest what is built in.
memory::Settings settings_of(const MemoryThresholds& measured) {
    memory::Settings settings{.ranks_of_job = launched_ranks_here()};
    const auto take = [](std::uint64_t& built_in, std::int64_t bytes) {
        if (bytes > 0) built_in = static_cast<std::uint64_t>(bytes);
    };
    take(settings.warm_bytes, measured.warm_bytes);
    take(settings.shared_bytes, measured.shared_bytes);
    return settings;
}

void tell_denial() {
    say("the system denies rank " + std::to_string(process().world_rank) +
        " process_vm_readv and process_vm_writev (a container, seccomp or Yama): large messages "
        "to and from it are copied twice instead of once");
}

constexpr const char* carried_by_host = "; the host MPI carries their messages";

}  // namespace

NodeMemory::~NodeMemory() {
    // What was met after the last agreement.
    if (process().world_rank == 0 && is_denied() && denials.is_first()) tell_denial();
    give_back();
}

bool NodeMemory::is_denied() const {
    return endpoint_ != nullptr && endpoint_->is_denied_remote_copies();
}

void NodeMemory::give_back() {
    transport_.reset();
    boards_.clear();
    inside_.reset();
    endpoint_.reset();
    reserved -= std::exchange(reserved_bytes_, 0);
}

SplitTransport* NodeMemory::get() {
    if (!is_made_) {
        is_made_ = true;
        make();
    }
    return transport_.get();
}

void NodeMemory::make() {
    if (!process().settings.uses_memory) {
        why_not_ = "TASUKI_MEMORY is off";
        return;
    }
    const Placement* placement = placement_.get();
    if (placement == nullptr) {
        why_not_ = LazyPlacement::unknown;
        return;
    }
    if (placement->most_ranks_on_a_node() < 2) return;
    const Geometry geometry = agreed_geometry(*placement);
    if (geometry.blocks == 0) {
        why_not_ =
            "the memory that ranks of a node would share does not fit into "
            "TASUKI_MEMORY_LIMIT";
        return;
    }
    const memory::Settings settings = settings_of(machine_().memory);
    std::string problem;
    try {
        attach(*placement, geometry, settings);
    } catch (const NoSharedMemory& error) {
        problem = error.what();
    }
    const auto failed = failures.offer(!problem.empty(), rank_);
    const auto remark = offer_remark();
    std::array<int, 4> shared = {failed[0], failed[1], remark[0], remark[1]};
    check(maximum_of_all(communicator_, shared));
    const auto failure = failures.conclude(std::span(shared).first<2>(), rank_);
    if (failure.finder == ToldByOne::nobody) {
        conclude_remark(std::span(shared).last<2>());
        return;
    }
    give_back();
    why_not_ =
        "ranks of a node cannot share memory: " + text_of(failure.finder, problem, communicator_);
    is_why_not_told_ = true;
    if (failure.speaks) say_once(why_not_ + carried_by_host);
}

void NodeMemory::tell_why_not() const {
    if (why_not_.empty() || is_why_not_told_) return;
    if (!process().settings.uses_memory || !process().speaks()) return;
    say_once(why_not_ + carried_by_host);
}

/// Of what is left to the rank with the least, for the largest node.
Geometry NodeMemory::agreed_geometry(const Placement& placement) {
    constexpr std::size_t unit = 4096;
    const std::size_t limit = process().settings.memory_limit;
    const std::size_t used = std::min<std::size_t>(reserved, limit);
    int negative = -static_cast<int>(std::min<std::size_t>((limit - used) / unit, INT_MAX));
    check(maximum_of_all(communicator_, {&negative, 1}));
    const std::int32_t ranks = placement.most_ranks_on_a_node();
    if (ranks > memory::most_ranks) return {};
    const std::size_t left = static_cast<std::size_t>(-negative) * unit;
    return Geometry::of_communicator(left, ranks);
}

void NodeMemory::attach(const Placement& placement, const Geometry& geometry,
                        const memory::Settings& settings) {
    const int node = placement.node_of(rank_);
    const NodeCommunicator neighbours(communicator_, placement, rank_);
    std::optional<Segment> segment;
    std::string problem;
    try {
        segment.emplace(Segment::create(geometry));
    } catch (const NoSharedMemory& error) {
        problem = error.what();
    }
    // Who has none sends an empty card, and is the one that tells why.
    const auto cards =
        neighbours.gather(segment ? segment->card() : Card{}, placement.ranks_on(node));
    if (!segment) throw NoSharedMemory(problem);
    if (std::ranges::any_of(cards, [](const Card& card) { return card.process == 0; })) return;
    endpoint_ = std::make_unique<memory::Endpoint>(std::move(*segment), cards,
                                                   placement.local_of(rank_), settings);
    reserved_bytes_ = geometry.segment_bytes();
    reserved += reserved_bytes_;
    std::vector<std::int32_t> same(cards.size());
    std::iota(same.begin(), same.end(), 0);
    inside_ = std::make_unique<memory::MemoryTransport>(*endpoint_, std::move(same), 0);
    if (placement.nodes() == 1) {
        boards_.emplace_back(*endpoint_, memory::BoardKind::small);
        boards_.emplace_back(*endpoint_, memory::BoardKind::large);
    }
    transport_ = std::make_unique<SplitTransport>(*endpoint_, *inside_, host_, placement, rank_);
}

std::array<int, 2> NodeMemory::offer_remark() const {
    return denials.offer(is_denied(), rank_);
}

void NodeMemory::conclude_remark(std::span<const int, 2> maxima) {
    if (denials.conclude(maxima, rank_).speaks) tell_denial();
}

}  // namespace tasuki::interpose
