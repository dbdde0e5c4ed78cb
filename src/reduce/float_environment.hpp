// The floating-point environment, while computing beside the program.
#pragma once

#include <cfenv>

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace tasuki::reduction {

/// Until its end: rounding to nearest, no trap, subnormals as they are. Compilers set processors to
/// flush subnormals by options like -ffast-math, and programs may round otherwise; exact sums must
/// not see it, nor leave flags behind.
class DefaultFloatEnvironment {
  public:
#ifdef __x86_64__
    DefaultFloatEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
    ~DefaultFloatEnvironment() { _mm_setcsr(saved_); }
#else
    DefaultFloatEnvironment() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }
#endif
    DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
    DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

  private:
#ifdef __x86_64__
    unsigned saved_;
#else
    std::fenv_t saved_;
#endif
};

/// Until its end: as the program has set it, but no trap. Flags are left as they were.
class HeldFloatEnvironment {
  public:
    HeldFloatEnvironment() { std::feholdexcept(&saved_); }
    ~HeldFloatEnvironment() { std::fesetenv(&saved_); }
    HeldFloatEnvironment(const HeldFloatEnvironment&) = delete;
    HeldFloatEnvironment& operator=(const HeldFloatEnvironment&) = delete;

  private:
    std::fenv_t saved_;
};

}  // namespace tasuki::reduction
