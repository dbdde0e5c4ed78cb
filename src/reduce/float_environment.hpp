// Arithmetic as IEEE 754 has it by default, whatever the program has set.
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#else
#include <cfenv>
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

}  // namespace tasuki::reduction
