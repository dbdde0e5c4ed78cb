// The candidates for an instance of a collective, with their predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "predict/machine_parameters.hpp"
#include "predict/predictor.hpp"
#include "schedule/one_round.hpp"
#include "select/selector.hpp"

namespace tasuki {

/// What is not in the table, because it is several rows one after the other.
struct CompositeRow {
    struct Part {
        const Algorithm* row;
        bool is_cut;  ///< works on blocks, of which the bytes of a key make one for each rank
    };
    Algorithm row;  ///< collective and name; nothing generates it
    std::vector<Part> parts;
};

/// The host's own algorithm and every row whose domain the instance is in, with each of the values
/// that its parameters are tried with; of those whose programs have the same
/// steps the first. Predictors
/// are made once and serve all sizes.
class CandidateSet {
  public:
    using MayRun = std::function<bool(const Algorithm& row)>;

    /// `instance.parameters` are ignored: each row brings its own. Rows that `may_run` refuses
    /// are left out. `with_memory`: each row is there twice, with its messages carried by the host
    /// and by memory.
    CandidateSet(
        std::string_view collective, const Instance& instance, bool with_memory = false,
        const MayRun& may_run = [](const Algorithm&) { return true; });

    /// The same with those of `rows` that are of the collective, in place of the table's.
    CandidateSet(std::span<const CompositeRow> rows, std::string_view collective,
                 const Instance& instance, bool with_memory, const MayRun& may_run);

    /// [0] is "native", whose time nobody predicts. `machine` may be nullptr: then nothing is
    /// predicted; `with_memory` is the same machine where memory carries what it can.
    ///
    /// `bytes`: as in SelectionKey.
    std::vector<Candidate> candidates(std::int64_t bytes, const MachineParameters* machine,
                                      const MachineParameters* with_memory = nullptr) const;
    /// [0] is the host's own.
    const std::vector<Choice>& choices() const { return choices_; }
    /// Seconds, of choices()[i], i > 0, on a machine with its carrier.
    double seconds(std::size_t i, std::int64_t bytes, const MachineParameters& machine) const;

  private:
    void add_with_memory();

    struct PredictedPart {
        Predictor predictor;
        std::int64_t chunks;  // into which the bytes are cut, at least 1
        /// Of what memory carries by posts rather than by messages.
        std::optional<OneRound> posted = std::nullopt;
    };

    std::vector<Choice> choices_;
    std::vector<std::vector<PredictedPart>> parts_;  // [(i - 1) % rows] for choices_[i]
};

}  // namespace tasuki
