// Selection on one communicator: which algorithm its calls run by, learnt while they run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "interpose/known_candidates.hpp"
#include "interpose/row_filter.hpp"
#include "interpose/turn.hpp"
#include "interpose/wishes.hpp"
#include "report/record.hpp"
#include "select/selection_key.hpp"
#include "select/selector.hpp"

namespace tasuki::interpose {

class Communicator;
class Selection;

/// The calls of one collective that may run by the same rows, of one size bucket.
class SelectedSize {
  public:
    /// Calls that the host does (or what stands in for it) before anything is looked up or
    /// predicted: who calls a collective a few times only is not to pay for what cannot be won
    /// back. None where the communicator is expected to be used for long.
    static constexpr std::uint32_t calls_before_learning = 4;
    /// What it takes to begin learning, on ranks that share cores.
    static constexpr double seconds_to_begin = 0.5e-3;

    SelectedSize(Selection& selection, Collective collective, std::int64_t bytes,
                 const RowFilter& rows)
        : selection_(selection), collective_(collective), bytes_(bytes), rows_(rows) {}

    /// All ranks do at the same call. Throws TransportError.
    Turn begin();
    /// If `turn.is_watched()`. `ran`: whether what begin() gave has run; the same on all ranks.
    /// Throws TransportError.
    void end(const Turn& turn, bool ran);

    // Once there is a selector():

    /// As of Selector: calls of `candidate` (as CallPlan has it) that count in place of begin().
    bool is_quiet(std::uint32_t candidate) const { return selector_->is_quiet(candidate); }
    bool only_times(std::uint32_t candidate) const { return selector_->only_times(candidate); }
    void pass() { selector_->pass(); }
    /// Then come the seconds that it took.
    void pass_timed() { selector_->pass_timed(); }
    void sample(double seconds) { selector_->sample(seconds); }

    /// end() has failed.
    void note_failure();
    /// nullptr while nothing is learnt.
    const Selector* selector() const { return selector_ ? &*selector_ : nullptr; }
    SelectionKey key() const;
    /// Where the parameters come from that candidates were predicted by, as name_of() calls it;
    /// empty where they were not predicted.
    std::string_view parameters() const;
    /// As SelectionKey counts them.
    std::int64_t bytes() const { return bytes_; }

  private:
    const Choice* host_or_stand_in() const;
    SelectionSettings settings() const;
    void begin_learning();
    /// Where ranks share cores some hosts take 50 ms for a call: if those before learning are sure
    /// to take longer than it does to begin, they are taken to be as long as those of a smaller
    /// size, and are not made.
    void foresee_calls_before();
    /// They are what the selector asks for first. Collective.
    void learn_from_calls_before();
    void agree();
    /// To who asked for it.
    void tell_winner() const;

    Selection& selection_;
    Collective collective_;
    std::int64_t bytes_;
    const RowFilter& rows_;
    std::optional<Selector> selector_;
    const KnownCandidates::OfSize* candidates_ = nullptr;
    bool has_memory_ = false;                                      ///< when learning began
    std::uint32_t calls_ = 0;                                      ///< before learning
    std::array<double, calls_before_learning> before_learning_{};  ///< seconds of those that ran
};

/// Memory: about 3 KiB for each size bucket that the program uses, of which there are two an
/// octave, and what Foreknowledge holds.
class Selection {
  public:
    /// `wish` is an automatic one. `communicator` outlives this.
    Selection(const Wish& wish, Communicator& communicator)
        : wish_(wish), communicator_(communicator) {}
    /// Hands over what was learnt, to be kept.
    ~Selection();
    Selection(const Selection&) = delete;
    Selection& operator=(const Selection&) = delete;

    const Wish& wish() const { return wish_; }
    /// Adds what was learnt to the size classes of `record`, which is of this communicator.
    void describe(report::CommunicatorRecord& record) const;
    /// Stays where it is as long as this does.
    SelectedSize& find(Collective collective, std::int64_t bytes, const RowFilter& rows) {
        const Question question{collective, &rows, bytes};
        if (question != last_question_) {
            last_question_ = question;
            last_found_ = &look_up(collective, bytes, rows);
        }
        return *last_found_;
    }

  private:
    friend class SelectedSize;
    using Question = std::tuple<Collective, const RowFilter*, std::int64_t>;

    SelectedSize& look_up(Collective collective, std::int64_t bytes, const RowFilter& rows);
    /// The next smaller size of the same collective by the same rows, if the program has used one.
    const SelectedSize* next_smaller(const Question& question) const;
    /// The first agreement of a communicator makes what all of them use, for which 1 % of short
    /// calls would pay for 10,000 calls: it is had before anything is charged to learning.
    /// Collective. Throws TransportError.
    void prepare_agreements();

    const Wish& wish_;
    Communicator& communicator_;
    std::map<Question, SelectedSize> sizes_;  // by bucket
    // Most calls ask what the one before has asked.
    Question last_question_{};
    SelectedSize* last_found_ = nullptr;
};

}  // namespace tasuki::interpose
