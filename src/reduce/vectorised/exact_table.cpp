#include "reduce/vectorised/exact_table.hpp"

namespace tasuki::reduction {

const ExactTable& exact_table(InstructionSet instruction_set) {
#ifdef __x86_64__
    if (instruction_set == InstructionSet::avx512) return avx512_exact;
    if (instruction_set == InstructionSet::avx2) return avx2_exact;
#endif
    static_cast<void>(instruction_set);
    return baseline_exact;
}

}  // namespace tasuki::reduction
