// Which vector instructions this processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasuki::reduction {

/// Each includes those before it.
enum class InstructionSet : std::uint8_t {
    baseline,  ///< what every processor of the architecture has (SSE2 on x86-64)
    avx2,      ///< AVX2 and FMA
    avx512,    ///< AVX-512 F, BW, DQ and VL
};

inline constexpr std::size_t instruction_sets = 3;
/// [InstructionSet]
inline constexpr std::string_view instruction_set_names[instruction_sets] = {"baseline", "avx2",
                                                                             "avx512"};

/// The best one that processor and operating system offer. Asked once in a process.
InstructionSet best_instruction_set();

}  // namespace tasuki::reduction
