// A function of the message size that is known at some sizes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// Seconds as a function of bytes: straight lines between the known sizes, constant below the first
/// and the last line continued above the last (never falling).
class PiecewiseLinear {
  public:
    struct Point {
        std::int64_t bytes;
        double seconds;
        friend bool operator==(const Point&, const Point&) = default;
    };

    /// Zero for every size.
    PiecewiseLinear() = default;
    /// Throws std::invalid_argument unless sizes ascend from 0 or more and no value is negative.
    explicit PiecewiseLinear(std::vector<Point> points);
    /// `base` seconds and `per_byte` for each byte.
    static PiecewiseLinear line(double base, double per_byte);

    double operator()(std::int64_t bytes) const;
    std::span<const Point> points() const { return points_; }

    friend bool operator==(const PiecewiseLinear&, const PiecewiseLinear&) = default;

  private:
    std::vector<Point> points_;
};

}  // namespace tasuki
