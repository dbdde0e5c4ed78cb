#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpose/lazy_placement.hpp"
#include "predict/machine_parameters.hpp"
#include "schedule/one_round.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/memory/boards.hpp"
#include "transport/memory/endpoint.hpp"
#include "transport/split_transport.hpp"

namespace tasuki::interpose {

/// What the ranks of a communicator share with those on the same node, and the transport that uses
/// it. Made when an algorithm asks for it first.
///
/// One for each communicator, so that threads that are in collectives of different communicators
/// never wait for each other.
///
/// Memory: that of memory::Geometry, at most TASUKI_MEMORY_LIMIT bytes for all communicators of a
/// process; what was never used is never taken from the system.
class NodeMemory {
  public:
    /// What all ranks of the communicator know of the machine alike. Collective at the first call.
    using Machine = std::function<const MachineParameters&()>;

    /// `communicator` is one of ours, whose errors return.
    NodeMemory(MPI_Comm communicator, int rank, LazyPlacement& placement, host::HostTransport& host,
               Machine machine)
        : communicator_(communicator),
          rank_(rank),
          placement_(placement),
          host_(host),
          machine_(std::move(machine)) {}
    ~NodeMemory();
    NodeMemory(const NodeMemory&) = delete;
    NodeMemory& operator=(const NodeMemory&) = delete;

    /// nullptr, on all ranks alike, where no node has several ranks or these cannot share memory.
    /// Collective at the first call.
    SplitTransport* get();
    /// Whether get() gave something and all ranks of the communicator are on this node.
    bool has_boards() const { return !boards_.empty(); }
    /// Those on which `round` is to run with chunks of so many bytes, nullptr if messages carry it
    /// better, on all ranks alike.
    memory::Boards* boards_for(const OneRound& round, std::int64_t chunk_bytes) {
        if (!round.is_better_posted(chunk_bytes)) return nullptr;
        const std::int64_t bytes = round.most_posted * chunk_bytes;
        const auto fitting = std::ranges::find_if(
            boards_, [&](const memory::Boards& kind) { return bytes <= kind.room_bytes(); });
        return fitting != boards_.end() ? &*fitting : nullptr;
    }
    /// Why ranks of a node cannot, as a sentence that begins in lower case; empty if get() gave
    /// nullptr because there is nothing to share.
    const std::string& why_not() const { return why_not_; }
    /// Says so, once in the process, if the user has not asked for it.
    void tell_why_not() const;
    /// What this rank did there; nullptr where get() has given nothing.
    const memory::Counters* counters() const {
        return endpoint_ ? &endpoint_->counters() : nullptr;
    }
    /// What users should know of it, which the system may do at any message: that it denies remote
    /// copies. For maximum_of_all() beside what the ranks of the communicator agree on anyway; one
    /// of them tells it by what comes out of that.
    std::array<int, 2> offer_remark() const;
    void conclude_remark(std::span<const int, 2> maxima);

  private:
    void make();
    void give_back();
    bool is_denied() const;
    void attach(const Placement& placement, const memory::Geometry& geometry,
                const memory::Settings& settings);
    memory::Geometry agreed_geometry(const Placement& placement);

    MPI_Comm communicator_;
    int rank_;
    LazyPlacement& placement_;
    host::HostTransport& host_;
    Machine machine_;
    bool is_made_ = false;
    std::string why_not_;
    bool is_why_not_told_ = false;  // by the rank that has found it
    std::size_t reserved_bytes_ = 0;
    std::unique_ptr<memory::Endpoint> endpoint_;
    std::unique_ptr<memory::MemoryTransport> inside_;
    std::vector<memory::Boards> boards_;  // by BoardKind, the smaller first; or none
    std::unique_ptr<SplitTransport> transport_;
};

}  // namespace tasuki::interpose
