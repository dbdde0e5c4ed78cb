#include "interpose/node_memory.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <numeric>
#include <utility>
#include <vector>

#include "interpose/maximum_of_all.hpp"
#include "interpose/process.hpp"
#include "predict/launched_ranks.hpp"
#include "interpose/say.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

using host::check;
using memory::Card;
using memory::Geometry;
using memory::NoSharedMemory;
using memory::Segment;

std::atomic<std::size_t> reserved{0};  // bytes, of all communicators of this process

/// The ranks of this node, in the order of their ranks.
class NodeCommunicator {
  public:
    NodeCommunicator(MPI_Comm communicator, int node, int rank) {
        check(PMPI_Comm_split(communicator, node, rank, &own_));
    }
    ~NodeCommunicator() { PMPI_Comm_free(&own_); }
    NodeCommunicator(const NodeCommunicator&) = delete;
    NodeCommunicator& operator=(const NodeCommunicator&) = delete;

    std::vector<Card> gather(const Card& mine, int ranks) const {
        std::vector<Card> cards(static_cast<std::size_t>(ranks));
        check(PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, cards.data(), sizeof mine, MPI_BYTE,
                             own_));
        return cards;
    }

  private:
    MPI_Comm own_ = MPI_COMM_NULL;
};

}  // namespace

NodeMemory::~NodeMemory() {
    give_back();
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
        why_not_ = "the host does not tell which ranks share a node";
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
    std::string problem;
    try {
        attach(*placement, geometry);
    } catch (const NoSharedMemory& error) {
        problem = error.what();
    }
    int failed = !problem.empty();
    check(maximum_of_all(communicator_, {&failed, 1}));
    if (failed == 0) return;
    give_back();
    why_not_ = "ranks of a node cannot share memory" + (problem.empty() ? "" : ": " + problem);
    tell_why_not();
}

void NodeMemory::tell_why_not() const {
    if (why_not_.empty() || !process().settings.uses_memory || !process().speaks()) return;
    say_once(why_not_ + "; the host MPI carries their messages");
}

/// As large as an eighth of what is left to the rank with the least allows, for the largest node:
/// other communicators want some, too. Only where that is too little, as large as all of it allows.
Geometry NodeMemory::agreed_geometry(const Placement& placement) {
    constexpr std::size_t unit = 4096;
    const std::size_t limit = process().settings.memory_limit;
    const std::size_t used = std::min<std::size_t>(reserved, limit);
    int negative = -static_cast<int>(std::min<std::size_t>((limit - used) / unit, INT_MAX));
    check(maximum_of_all(communicator_, {&negative, 1}));
    const std::int32_t ranks = placement.most_ranks_on_a_node();
    if (ranks > memory::most_ranks) return {};
    const std::size_t left = static_cast<std::size_t>(-negative) * unit;
    const Geometry modest = Geometry::within(left / 8, ranks);
    return modest.blocks > 0 ? modest : Geometry::within(left, ranks);
}

void NodeMemory::attach(const Placement& placement, const Geometry& geometry) {
    const int node = placement.node_of(rank_);
    const NodeCommunicator neighbours(communicator_, node, rank_);
    std::optional<Segment> segment;
    std::string problem;
    try {
        segment.emplace(Segment::create(geometry));
    } catch (const NoSharedMemory& error) {
        problem = error.what();
    }
    // Who has none sends a card that nobody can attach, so that all find out together.
    const auto cards =
        neighbours.gather(segment ? segment->card() : Card{}, placement.ranks_on(node));
    if (!segment) throw NoSharedMemory(problem);
    const memory::Settings settings{.ranks_of_job = launched_ranks_here()};
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

void NodeMemory::tell_remark() {
    const std::string remark = endpoint_->take_remark();
    if (!remark.empty() && process().world_rank == 0) say_once(remark);
}

}  // namespace tasuki::interpose
