// The kernels of one instruction set.
#pragma once

#include "reduce/kernel.hpp"

namespace tasuki::reduction {

/// What a processor with an instruction set runs for an operation and an element; both functions
/// are nullptr where the set has nothing of its own.
struct KernelPair {
    KernelFunction* from_left = nullptr;
    KernelFunction* from_right = nullptr;
};

struct KernelTable {
    KernelPair pairs[operations][elements];
};

extern const KernelTable baseline_kernels;
#ifdef __x86_64__
extern const KernelTable avx2_kernels;
extern const KernelTable avx512_kernels;
#endif

}  // namespace tasuki::reduction
