// What every processor of the architecture runs.
#include "reduce/vectorised/kernels.hpp"

namespace tasuki::reduction {

constexpr KernelTable baseline_kernels = make_table<[](Operation operation, Element element) {
    return is_defined(operation, info(element).family);
}>(std::make_index_sequence<operations>{});

}  // namespace tasuki::reduction
