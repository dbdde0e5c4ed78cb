#include "algorithms/canonical_scan.hpp"
#include "algorithms/generators.hpp"

namespace tasuki::scan {

Program canonical_tree(std::int32_t rank, const Instance& instance) {
    return canonical_scan(rank, instance.ranks, true);
}

}  // namespace tasuki::scan
