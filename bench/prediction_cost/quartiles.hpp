#pragma once

#include <algorithm>
#include <vector>

namespace tasuki {

struct Quartiles {
    double fastest = 0;
    double median = 0;
    double spread = 0;  ///< interquartile range over the median
};

inline Quartiles quartiles_of(std::vector<double> values) {
    std::ranges::sort(values);
    const double median = values[values.size() / 2];
    return {values[0], median,
            (values[values.size() * 3 / 4] - values[values.size() / 4]) / median};
}

}  // namespace tasuki
