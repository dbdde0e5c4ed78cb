// How a sequence of calls went: which algorithm ran from call to call, and how long they took.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::report {

/// Calls in a row that ran by one algorithm. Calls are numbered from 1 on.
struct Span {
    std::uint64_t first = 0;
    std::uint64_t calls = 0;
    std::uint32_t algorithm = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

/// The calls from `first` up to that of the next point.
struct TimePoint {
    std::uint64_t first = 0;
    double mean = 0;  ///< of the time of a call
};

/// What looks right on a logarithmic axis of calls: an interlude that is short against what was
/// before it is left out, and the further on, the more calls a point stands for.
///
/// Memory: 8 points of 24 bytes for each time that the number of calls doubles, and at most
/// `most_spans` spans of 24 bytes.
class CallHistory {
  public:
    static constexpr std::size_t most_spans = 256;
    /// An interlude of fewer calls than this share of those before it does not show.
    static constexpr std::uint64_t visible_share = 100;

    /// A call by `algorithm`, a number of the caller's, took so many `ticks`.
    void add(std::uint32_t algorithm, std::uint64_t ticks) {
        ++calls_;
        if (spans_.empty() || spans_.back().algorithm != algorithm) [[unlikely]]
            begin_span(algorithm);
        ++spans_.back().calls;
        if (calls_ == next_point_) [[unlikely]]
            begin_point();
        ticks_of_points_.back() += ticks;
    }

    std::uint64_t calls() const { return calls_; }
    const std::vector<Span>& spans() const { return spans_; }
    std::vector<TimePoint> points(double seconds_per_tick) const;

  private:
    void begin_span(std::uint32_t algorithm);
    void begin_point();

    std::uint64_t calls_ = 0;
    std::uint64_t next_point_ = 1;
    std::vector<Span> spans_;
    std::vector<std::uint64_t> firsts_of_points_;
    std::vector<std::uint64_t> ticks_of_points_;
};

}  // namespace tasuki::report
