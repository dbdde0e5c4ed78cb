// Parameters of the machine that a run measures itself, where nothing was measured before.
#pragma once

#include <cstdint>
#include <memory>

#include "interpose/foreknowledge.hpp"
#include "predict/quick_measurement.hpp"
#include "report/record.hpp"

namespace tasuki::interpose {

class Communicator;

/// On a communicator of all ranks that was told built-in parameters: a few messages of the host's
/// between pairs of ranks, behind agreements of selection, when its budget pays for them. All ranks
/// send them after the same call, because they decide from what they have agreed on.
///
/// Memory: some hundred bytes, and 64 KiB while messages are sent.
class QuickParameters {
  public:
    /// nullptr, on all ranks alike, where there is nothing to be measured. `communicator` outlives
    /// this.
    static std::unique_ptr<QuickParameters> of(Communicator& communicator,
                                               std::shared_ptr<const Foreknowledge> known);

    QuickParameters(Communicator& communicator, std::shared_ptr<const Foreknowledge> known);

    /// In calls that the ranks have agreed about since, `seconds` were spent, of which learning
    /// took `learning_seconds`.
    void note(double seconds, double learning_seconds);
    /// A step, if the budget pays for it. Gives the seconds that it took, which are to be charged
    /// to who has called this; the same on all ranks. Collective. Throws TransportError.
    double pay(double agreement_seconds, double budget);
    /// Whether all is measured, and was not told yet.
    bool has_news() const { return quick_.is_done() && !is_told_; }
    /// What to predict with from now on, here and on communicators that are yet to come.
    std::shared_ptr<const Foreknowledge> tell();

    report::QuickRecord record() const;

  private:
    Communicator& communicator_;
    std::shared_ptr<const Foreknowledge> known_;
    QuickMeasurement quick_;
    double seconds_ = 0;
    double learning_seconds_ = 0;
    bool is_told_ = false;
    std::uint32_t calls_ = 0;  // of the communicator, at the last step
    double paid_by_ = 0;       // seconds in collectives, at the last step
};

}  // namespace tasuki::interpose
