// What a run measures of its machine where nothing was measured before: a few messages, when the
// time spent in collectives pays for them. Without MPI and without a clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "predict/machine_parameters.hpp"

namespace tasuki {

enum class PairPlace : std::uint8_t { on_node, off_node };

/// Messages there and back between pairs of ranks, all pairs of one kind at once.
struct QuickStep {
    PairPlace place = PairPlace::on_node;
    std::int64_t bytes = 0;
    std::int32_t exchanges = 0;  ///< the first of several only makes ready and is not to be timed
    std::size_t size = 0;        ///< which of QuickTimes::sizes; beyond them: it only says what
                                 ///< exchanges cost here
};

/// Seconds that a message takes one way.
struct QuickTimes {
    static constexpr std::array<std::int64_t, 3> sizes = {8, 4096, 65536};
    using OfPlace = std::array<double, sizes.size()>;
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    OfPlace on_node = {unknown, unknown, unknown};  ///< all or none of them known
    OfPlace off_node = {unknown, unknown, unknown};
};

/// `built_in` with the functions of the places that `times` knows scaled, so that an idle pair
/// takes (latency + gap) what was measured: at the sizes measured exactly, between them by a factor
/// that goes evenly with the logarithm of the size, beyond them by that of the last. Overheads by
/// the same factors; copies and posts as they are. Its source is ParameterSource::quick.
MachineParameters scaled_by(const QuickTimes& times, const MachineParameters& built_in);

/// Which step comes next, and when the budget pays for it. All ranks that feed it the same values
/// take the same steps: these are to be numbers that the ranks have agreed on.
///
/// Steps are small, and each says what the next will cost: the first of a place is a single message
/// there and back, which is all that may be spent unawares where exchanges take a thousand times
/// what is built in.
class QuickMeasurement {
  public:
    /// What has been spent until now, in seconds.
    struct Account {
        double seconds = 0;            ///< in collectives,
        double learning_seconds = 0;   ///< and what of it has gone into learning, this among it
        double agreement_seconds = 0;  ///< what an agreement takes
        double budget = 0;             ///< the share of the first that the second may be
    };

    /// `places`: whether there are pairs on a node, and across nodes. `built_in` outlives this.
    QuickMeasurement(const MachineParameters& built_in, std::array<bool, 2> places);

    /// Empty where nothing is left to do, or the budget does not pay for it yet.
    std::optional<QuickStep> due(const Account& account) const;
    /// What due() gave was done: a message took `one_way` seconds in the mean over the pairs, the
    /// step `cost` on the rank that it took longest.
    void add(double one_way, double cost);

    bool is_done() const { return next_ == steps_; }
    /// Of all steps so far.
    double cost() const { return cost_; }
    const QuickTimes& times() const { return times_; }

  private:
    static constexpr std::size_t steps_of_a_place = 1 + QuickTimes::sizes.size();

    QuickStep step(std::size_t number) const;
    /// By what is built in, and by what the size before has shown.
    double seconds_of_messages(const QuickStep& step) const;

    const MachineParameters& built_in_;
    std::array<PairPlace, 2> places_{};
    std::size_t steps_ = 0;
    std::size_t next_ = 0;
    double cost_ = 0;
    double excess_ = 0;  // of each exchange of the last step, over what its message takes
    QuickTimes times_;
};

}  // namespace tasuki
