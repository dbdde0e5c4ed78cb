// Tells a change of timings from their noise, at a stated rate of false alarms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

enum class Drift : std::uint8_t { none, slower, faster };

/// By which of DriftTest::tails a window is suspicious, a bit each, and which way.
struct Suspicion {
    Drift drift = Drift::none;
    std::uint32_t tails = 0;
};

/// Compares windows of samples with a reference by counting how many exceed its upper quarter (or
/// fall short of its lower quarter), and all of it but two samples: where calls of two kinds
/// alternate, and one kind gets slower, half of a window exceeds the quarter as before, but now it
/// exceeds nearly all of the reference, too. A first window only raises suspicion, by many of its
/// samples or by all of its last few, as after a change at its end; a longer one, taken at once,
/// must confirm it.
///
/// No distribution is assumed: if all samples are exchangeable, the number of exceedances is beta-
/// binomial, and the thresholds follow from the false-alarm rate that was asked for.
class DriftTest {
  public:
    static constexpr int reference_size = 64;
    static constexpr int window_size = 16;
    static constexpr int last_size = 4;
    static constexpr int confirmation_size = 32;

    /// A part of the reference's slowest samples, or fastest.
    struct Tail {
        int samples;    ///< of the reference
        int suspicion;  ///< how many of a window must lie in it for suspicion
    };
    /// Of noise about one window in a hundred is suspicious by the first, one in 2000 by the other.
    static constexpr int tails = 2;
    static constexpr Tail tail[tails] = {{reference_size / 4, 9}, {reference_size / 32, 6}};

    /// `false_alarm_rate`: the chance that one window of pure noise is suspected and confirmed
    /// by a tail: by all, `tails` times that at most.
    explicit DriftTest(double false_alarm_rate) : false_alarm_rate_(false_alarm_rate) {}

    /// `samples`: reference_size of them.
    void set_reference(std::span<const double> samples);
    bool has_reference() const { return has_reference_; }
    void forget_reference() { has_reference_ = false; }

    /// `window`: window_size samples.
    Suspicion suspected(std::span<const double> window) const;
    /// `window`: confirmation_size samples. By a tail that it was suspected by.
    bool confirmed(std::span<const double> window, const Suspicion& suspicion) const;

    /// Whether so many samples of a confirmation in a tail are more than noise has at the rate. To
    /// look for the least such number takes 30 times as long, which a run of short calls would see:
    /// where the machine is not quiet, one window in four is suspicious.
    bool confirms(int of_tail, std::ptrdiff_t confirming) const;

    /// The chance that of `size` samples of noise (at most window_size) at least `first` lie in a
    /// tail of the reference, and of a confirmation at least `second`.
    static double joint_chance(int of_tail, int first, int second, int size = window_size);
    /// The same that noise is suspected by a tail, in one of its ways, and confirmed by so many.
    static double chance_of_alarm(int of_tail, int confirming);

  private:
    std::ptrdiff_t in_tail(std::span<const double> window, Drift drift, int of_tail) const;

    double false_alarm_rate_;
    bool has_reference_ = false;
    double slowest_from_[tails] = {};
    double fastest_up_to_[tails] = {};
};

}  // namespace tasuki
