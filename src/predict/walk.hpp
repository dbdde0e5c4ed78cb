// The time of a schedule under P-LogP, by following its programs step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/machine_parameters.hpp"
#include "predict/symmetry.hpp"
#include "schedule/schedule.hpp"

namespace tasuki {

/// A discrete-event run of programs without data. On each rank
///   - the processor does one thing at a time: it starts a send (send_overhead), takes a message
///     (receive_overhead), copies or reduces;
///   - messages leave gap(m) apart and arrive gap(m) apart, each way;
///   - a message of an idle pair takes latency + gap(m).
/// Tails are taken for empty. A send is over when its data has left, whether or not the receiver
/// waits for it: the model does not know rendezvous.
///
/// Preparing costs O(steps) of the programs given, a run O(steps log steps).
class Walk {
  public:
    /// `programs[r]` for each representative of `symmetry`. Throws std::invalid_argument if a
    /// message has no receiver.
    ///
    /// `last_rank` is for ranks in lockstep across nodes, where the kind of pair differs from rank
    /// to rank: if messages wait for others, the slowest pair of a stage holds up all, and a
    /// message is across nodes if it is so for the first rank or for the last.
    Walk(std::span<const Program> programs, const Symmetry& symmetry, const Placement& placement,
         const Program* last_rank = nullptr);

    /// Seconds until the last rank is done, with chunks of `chunk_bytes`. Throws
    /// std::invalid_argument if the programs wait for each other for ever.
    double seconds(std::int64_t chunk_bytes, const MachineParameters& machine) const;

  private:
    struct Move {
        StepKind kind;
        bool on_node;
        std::uint32_t size;     // into sizes_
        std::uint32_t rank;     // representative
        std::uint32_t partner;  // the receive that a send ends in
        std::uint32_t pending;  // steps that it comes after
    };
    struct Run;

    void pair_in_order();
    void slow_down_as(const Program& last_rank, const Placement& placement);
    void find_partners(std::span<const Program> programs, const Symmetry& symmetry);

    std::vector<Move> moves_;                      // all steps of all representatives
    std::vector<std::uint32_t> begin_;             // [representatives + 1] into moves_
    std::vector<std::uint32_t> dependents_begin_;  // [moves + 1] into dependents_
    std::vector<std::uint32_t> dependents_;
    std::vector<std::int32_t> sizes_;  // numbers of chunks that occur
};

/// The walk of all ranks. Cost: all steps of all ranks; for tools and tests.
double walk_seconds(const Schedule& schedule, std::int64_t chunk_bytes,
                    const MachineParameters& machine);

}  // namespace tasuki
