// A program that stops in the middle and goes on later, on a stack of its own.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace tasuki::test {

/// Switches by the compiler's own jumps: swapcontext() calls the kernel for the mask of signals
/// each time, which took nearly half of the time in which orders were tried.
class ExploredProgram {
  public:
    using Program = std::function<void()>;

    /// From its beginning, with the next resume(). One that has stopped is left where it is: what
    /// its stack holds is not destroyed. `program` must stay.
    void begin(const Program& program) {
        program_ = &program;
        has_ended_ = false;
        if (stack_ == nullptr) make_stack();
        next_ = &start_;
    }
    /// Runs it until it stops or ends.
    void resume() {
        running_ = this;
        if (__builtin_setjmp(caller_.data()) == 0) jump(*next_);
    }
    /// To be called by the program.
    void stop() {
        next_ = &place_;
        if (__builtin_setjmp(place_.data()) == 0) jump(caller_);
    }
    bool has_ended() const { return has_ended_; }

  private:
    using Place = std::array<void*, 5>;
    static constexpr std::size_t stack_bytes = 64 << 10;

    void make_stack() {
        stack_ = std::make_unique_for_overwrite<char[]>(stack_bytes);
        ucontext_t context;
        getcontext(&context);
        context.uc_stack.ss_sp = stack_.get();
        context.uc_stack.ss_size = stack_bytes;
        context.uc_link = nullptr;
        makecontext(&context, &ExploredProgram::enter, 0);
        running_ = this;
        if (__builtin_setjmp(caller_.data()) == 0) setcontext(&context);
    }
    /// Never returns, so that every program on this stack can begin in it.
    static void enter() {
        if (__builtin_setjmp(running_->start_.data()) == 0) jump(running_->caller_);
        (*running_->program_)();
        running_->has_ended_ = true;
        jump(running_->caller_);
    }
    // The compiler allows no jump in a function that sets the place of one.
    [[noreturn, gnu::noinline]] static void jump(Place& place) {
        __builtin_longjmp(place.data(), 1);
    }

    inline static ExploredProgram* running_ = nullptr;
    const Program* program_ = nullptr;
    bool has_ended_ = false;
    std::unique_ptr<char[]> stack_;
    Place start_{};
    Place place_{};
    Place caller_{};
    Place* next_ = nullptr;
};

}  // namespace tasuki::test
