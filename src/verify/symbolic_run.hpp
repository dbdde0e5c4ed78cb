// Runs a schedule on symbols instead of data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/dependents.hpp"
#include "schedule/messages.hpp"
#include "verify/expressions.hpp"
#include "verify/verify.hpp"

namespace tasuki {

/// What a schedule does when a send completes only once its receive has been posted, the strictest
/// that MPI allows: a message passes when the steps before both of its ends have completed.
///
/// The schedule must be well formed (find_malformed() finds nothing); messages that nothing meets
/// never complete. It must outlive the run. Memory:
/// 12 bytes for each output and scratch chunk of all ranks, 8 for each step.
class SymbolicRun {
  public:
    /// A step of a rank.
    struct Place {
        std::int32_t rank;
        StepId step;
    };

    explicit SymbolicRun(const Schedule& schedule);

    const Expressions& expressions() const { return expressions_; }
    /// What the chunk holds in the end.
    Value output(std::int32_t rank, std::int32_t chunk) const;
    /// The step that wrote it last.
    std::optional<StepId> output_writer(std::int32_t rank, std::int32_t chunk) const;
    /// The expression that the chunk holds, as Expressions::text() writes it.
    std::string expression(std::int32_t rank, std::int32_t chunk) const;

    /// Reads of what nothing has written, and for each rank that did not end its first stuck step.
    const std::vector<Finding>& findings() const { return findings_; }
    /// Whether every step completed.
    bool ended() const { return ended_; }
    /// The steps in an order in which they can complete, a recv after the send that it meets.
    const std::vector<Place>& order() const { return order_; }
    /// The step that a message meets.
    Place met_by(Place place) const { return {step(place).peer, met_[place.rank][place.step]}; }

  private:
    /// One rank in the course of the run.
    struct Rank {
        Dependents dependents;
        std::vector<std::uint32_t> pending;  // [step] how many steps it still waits for
        std::vector<bool> completed;         // [step]
        std::vector<Value> values;           // output chunks, then scratch chunks
        std::vector<StepId> writers;         // likewise: the step that wrote the chunk last
    };

    void start_if_ready(Place place);
    void complete(Place place);
    void move(Place reader, Place writer);
    void reduce(Place place);
    Value read(Place place, const Region& region, std::int32_t position);
    void write(Place place, std::int32_t position, Value value);
    /// Where the chunk at `position` of an output or scratch region stands in Rank::values.
    std::size_t index(Place place, const Region& region, std::int32_t position) const;
    void report_unwritten(Place place, const Region& region, std::int32_t position);
    void report_stuck(std::int32_t rank);
    std::optional<StepId> first_incomplete(std::int32_t rank) const;

    const Step& step(Place place) const { return schedule_.programs[place.rank].steps[place.step]; }

    const Schedule& schedule_;
    std::vector<std::vector<StepId>> met_;
    Expressions expressions_;
    std::vector<Rank> ranks_;
    std::vector<Place> ready_;
    std::vector<Place> order_;
    std::vector<Finding> findings_;
    bool ended_ = true;
};

}  // namespace tasuki
