#include "interpose/quick_parameters.hpp"

#include <array>
#include <utility>

#include "interpose/communicator.hpp"
#include "interpose/own_arithmetic.hpp"
#include "interpose/process.hpp"
#include "interpose/quick_exchange.hpp"
#include "interpose/shared_timings.hpp"
#include "predict/parameter_source.hpp"

namespace tasuki::interpose {

namespace {

bool has_all_ranks(const Communicator& communicator) {
    if (communicator.ranks() != process().world_size) return false;
    int result = MPI_UNEQUAL;
    PMPI_Comm_compare(communicator.own(), MPI_COMM_WORLD, &result);
    return result == MPI_CONGRUENT;
}

void add_times(std::vector<report::QuickTime>& to, const char* pairs,
               const QuickTimes::OfPlace& seconds) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        if (seconds[i] > 0) to.push_back({pairs, QuickTimes::sizes[i], seconds[i]});
    }
}

}  // namespace

std::unique_ptr<QuickParameters> QuickParameters::of(Communicator& communicator,
                                                     std::shared_ptr<const Foreknowledge> known) {
    if (source_of(known->machine) != ParameterSource::built_in) return nullptr;
    if (communicator.ranks() < 2 || !has_all_ranks(communicator)) return nullptr;
    return std::make_unique<QuickParameters>(communicator, std::move(known));
}

QuickParameters::QuickParameters(Communicator& communicator,
                                 std::shared_ptr<const Foreknowledge> known)
    : communicator_(communicator),
      known_(std::move(known)),
      quick_(known_->machine, pairs_of(communicator.shape())) {}

void QuickParameters::note(double seconds, double learning_seconds) {
    const OwnArithmetic own;
    seconds_ += seconds;
    learning_seconds_ += learning_seconds;
}

double QuickParameters::pay(double agreement_seconds, double budget) {
    const auto step = [&] {
        const OwnArithmetic own;
        return quick_.due({seconds_, learning_seconds_, agreement_seconds, budget});
    }();
    if (!step) return 0;
    calls_ = communicator_.calls();
    paid_by_ = seconds_;
    const Exchanged mine = exchange(*step, communicator_.shape(), communicator_.own(),
                                    communicator_.rank(), known_->oversubscribed);
    // {mean over all ranks, the share of them that have measured, the longest}
    std::array<double, 3> shared = {mine.one_way, mine.leads ? 1.0 : 0.0, mine.seconds};
    share_timings(communicator_, shared, 1);
    const OwnArithmetic own;
    const double cost = shared[2] + agreement_seconds;
    quick_.add(shared[0] / shared[1], cost);
    learning_seconds_ += cost;
    return cost;
}

std::shared_ptr<const Foreknowledge> QuickParameters::tell() {
    const OwnArithmetic own;
    is_told_ = true;
    return Foreknowledge::with_quick(*known_, quick_.times());
}

report::QuickRecord QuickParameters::record() const {
    report::QuickRecord record;
    record.is_done = quick_.is_done();
    record.call = calls_;
    record.paid_by_seconds = paid_by_;
    record.seconds = quick_.cost();
    add_times(record.times, "on-node", quick_.times().on_node);
    add_times(record.times, "off-node", quick_.times().off_node);
    return record;
}

}  // namespace tasuki::interpose
