#include "predict/piecewise_linear.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace tasuki {

PiecewiseLinear::PiecewiseLinear(std::vector<Point> points) : points_(std::move(points)) {
    std::int64_t previous = -1;
    for (const auto& [bytes, seconds] : points_) {
        if (bytes <= previous) {
            throw std::invalid_argument("sizes must ascend from 0 and " + std::to_string(bytes) +
                                        " follows " + std::to_string(previous));
        }
        if (!std::isfinite(seconds) || seconds < 0) {
            throw std::invalid_argument("the time for " + std::to_string(bytes) +
                                        " bytes is not a time");
        }
        previous = bytes;
    }
}

PiecewiseLinear PiecewiseLinear::line(double base, double per_byte) {
    constexpr std::int64_t far = 1 << 20;
    return PiecewiseLinear({{0, base}, {far, base + per_byte * far}});
}

double PiecewiseLinear::operator()(std::int64_t bytes) const {
    if (points_.empty()) return 0;
    if (points_.size() == 1 || bytes <= points_.front().bytes) return points_.front().seconds;
    auto right = std::lower_bound(points_.begin(), points_.end(), bytes,
                                  [](const Point& p, std::int64_t size) { return p.bytes < size; });
    const bool beyond = right == points_.end();
    if (beyond) --right;
    const auto left = right - 1;
    double slope =
        (right->seconds - left->seconds) / static_cast<double>(right->bytes - left->bytes);
    if (beyond) slope = std::max(0.0, slope);
    return right->seconds + slope * static_cast<double>(bytes - right->bytes);
}

}  // namespace tasuki
