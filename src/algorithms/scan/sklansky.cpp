#include "algorithms/sklansky.hpp"

#include "algorithms/generators.hpp"

namespace tasuki::scan {

Program sklansky(std::int32_t rank, const Instance& instance) {
    return sklansky_scan(rank, instance);
}

}  // namespace tasuki::scan
