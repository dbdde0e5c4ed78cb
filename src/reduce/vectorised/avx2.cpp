// What processors with InstructionSet::avx2 run; compiled with its options, see src/CMakeLists.txt.
#include "reduce/vectorised/block_sum.hpp"
#include "reduce/vectorised/extract.hpp"
#include "reduce/vectorised/kernels.hpp"

namespace tasuki::reduction {

constexpr KernelTable avx2_kernels =
    make_table<is_vectorised>(std::make_index_sequence<operations>{});

constexpr ExactTable avx2_exact = make_exact_table(block_loops<double>, block_loops<float>);

}  // namespace tasuki::reduction
