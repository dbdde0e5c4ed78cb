// The arithmetic of learning is none of the program's.
#pragma once

#include <cfenv>
#include <cstdint>

namespace tasuki::interpose {

/// While one lives, arithmetic on this thread traps nothing and rounds to nearest, whatever the
/// program has asked for (feenableexcept, fesetround, gfortran's -ffpe-trap): what is unknown is
/// NaN, and ranks decide from sums that must not depend on how one of them rounds. Then all is as
/// it was, the program's flags of exceptions too. None may live while the host may make progress:
/// in it the host may reduce for the program.
class OwnArithmetic {
  public:
#if defined(__x86_64__)
    // Of SSE only, in which our numbers are: five times as fast as std::feholdexcept.
    OwnArithmetic() : saved_(__builtin_ia32_stmxcsr()) {
        if ((saved_ & ~flags) != usual) [[unlikely]]
            __builtin_ia32_ldmxcsr(usual);
        fence();
    }
    ~OwnArithmetic() {
        fence();
        if (__builtin_ia32_stmxcsr() != saved_) __builtin_ia32_ldmxcsr(saved_);
    }
#else
    OwnArithmetic() {
        std::feholdexcept(&saved_);
        std::fesetround(FE_TONEAREST);
        fence();
    }
    ~OwnArithmetic() {
        fence();
        std::fesetenv(&saved_);
    }
#endif
    OwnArithmetic(const OwnArithmetic&) = delete;
    OwnArithmetic& operator=(const OwnArithmetic&) = delete;

  private:
    /// Nothing that memory takes part in moves over it.
    static void fence() { asm volatile("" ::: "memory"); }

#if defined(__x86_64__)
    static constexpr std::uint32_t flags = 0x3f;
    static constexpr std::uint32_t usual = 0x1f80;  // all masked, to nearest
    std::uint32_t saved_;
#else
    std::fenv_t saved_{};
#endif
};

}  // namespace tasuki::interpose
