// Tells a change of timings from their noise, at a stated rate of false alarms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

enum class Drift : std::uint8_t { none, slower, faster };

/// Compares windows of samples with a reference by counting how many exceed its upper quarter (or
/// fall short of its lower quarter). A first window only raises suspicion, by many of its samples
/// or by all of its last few, as after a change at its end; a longer one, taken at once, must
/// confirm it.
///
/// No distribution is assumed: if all samples are exchangeable, the number of exceedances is beta-
/// binomial, and the thresholds follow from the false-alarm rate that was asked for.
class DriftTest {
  public:
    static constexpr int reference_size = 64;
    static constexpr int window_size = 16;
    static constexpr int last_size = 4;
    static constexpr int confirmation_size = 32;

    /// `false_alarm_rate`: the chance that one window of pure noise is suspected and confirmed.
    explicit DriftTest(double false_alarm_rate) : false_alarm_rate_(false_alarm_rate) {}

    /// `samples`: reference_size of them.
    void set_reference(std::span<const double> samples);
    bool has_reference() const { return has_reference_; }
    void forget_reference() { has_reference_ = false; }

    /// `window`: window_size samples.
    Drift suspected(std::span<const double> window) const;
    /// `window`: confirmation_size samples.
    Drift confirmed(std::span<const double> window) const;

    /// How many of a window must exceed the quarter for suspicion: about one window of noise in a
    /// hundred does. Of the last ones all must: that is one window in 200.
    static constexpr int suspicion_threshold() { return 9; }
    /// The same for confirmation. Takes about a microsecond: few drifts are ever suspected, so that
    /// it is not kept.
    int confirmation_threshold() const;

    /// The chance that of `size` samples of noise (at most window_size) at least `first` exceed the
    /// reference's upper quarter, and of a confirmation at least `second`.
    static double joint_chance(int first, int second, int size = window_size);

  private:
    Drift exceeds(std::span<const double> window, std::ptrdiff_t threshold) const;

    double false_alarm_rate_;
    bool has_reference_ = false;
    double lower_quarter_ = 0;
    double upper_quarter_ = 0;
};

}  // namespace tasuki
