#include "reduce/instruction_set.hpp"

namespace tasuki::reduction {

namespace {

InstructionSet look() {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return InstructionSet::baseline;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return InstructionSet::avx512;
    }
    return InstructionSet::avx2;
#else
    return InstructionSet::baseline;
#endif
}

}  // namespace

InstructionSet best_instruction_set() {
    static const InstructionSet best = look();
    return best;
}

}  // namespace tasuki::reduction
