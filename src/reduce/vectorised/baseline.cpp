// What every processor of the architecture runs.
#include "reduce/vectorised/block_sum.hpp"
#include "reduce/vectorised/extract.hpp"
#include "reduce/vectorised/kernels.hpp"

namespace tasuki::reduction {

constexpr KernelTable baseline_kernels = make_table<[](Operation operation, Element element) {
    return is_defined(operation, info(element).family);
}>(std::make_index_sequence<operations>{});

constexpr ExactTable baseline_exact = make_exact_table(block_loops<double>, block_loops<float>);

}  // namespace tasuki::reduction
