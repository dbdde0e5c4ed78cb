#include "algorithms/sklansky.hpp"

#include "algorithms/generators.hpp"

namespace tasuki::exscan {

Program sklansky(std::int32_t rank, const Instance& instance) {
    return sklansky_exscan(rank, instance);
}

}  // namespace tasuki::exscan
