// What processors with InstructionSet::avx512 run; compiled with its options, see
// src/CMakeLists.txt.
#include "reduce/vectorised/kernels.hpp"

namespace tasuki::reduction {

constexpr KernelTable avx512_kernels =
    make_table<is_vectorised>(std::make_index_sequence<operations>{});

}  // namespace tasuki::reduction
