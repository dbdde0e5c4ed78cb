// The operations by which ranks share memory, in a form that tests can replace by their own to try
// every order in which they may take effect (tests/transport/explorer.hpp).
#pragma once

#include <atomic>
#include <cstdint>

namespace tasuki::memory {

/// Memory orders, as far as they are used here.
enum class Order : std::uint8_t { relaxed, acquire, release };

constexpr std::memory_order hardware_order(Order order) {
    return order == Order::relaxed   ? std::memory_order_relaxed
           : order == Order::acquire ? std::memory_order_acquire
                                     : std::memory_order_release;
}

/// A word that several ranks read and write.
template <typename Value>
class HardwareWord {
  public:
    Value load(Order order) const { return value_.load(hardware_order(order)); }
    void store(Value value, Order order) { value_.store(value, hardware_order(order)); }
    /// Both read-modify-writes acquire and release.
    Value exchange(Value value) { return value_.exchange(value, std::memory_order_acq_rel); }
    bool replace(Value expected, Value desired) {
        return value_.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                              std::memory_order_relaxed);
    }
    Value fetch_or(Value bits) { return value_.fetch_or(bits, std::memory_order_acq_rel); }

    /// What futex calls take.
    const void* address() const { return &value_; }

  private:
    std::atomic<Value> value_{0};
    static_assert(std::atomic<Value>::is_always_lock_free, "ranks share no locks");
};

/// The real thing: x86-64 and aarch64 by way of the C++ memory model.
struct Hardware {
    template <typename Value>
    using Word = HardwareWord<Value>;

    /// Keeps a store before it from taking effect after a load behind it, which release and acquire
    /// do not: mfence (or a locked instruction) on x86-64, dmb ish on aarch64.
    static void full_fence() {
#ifdef __SANITIZE_THREAD__
        // The thread sanitizer knows no fences; it runs on x86-64, where this is one.
        static std::atomic<std::uint32_t> fence{0};
        fence.fetch_add(1, std::memory_order_seq_cst);
#else
        std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    }

    /// Sleeps while `word` is `expected`, at most so long; may return early. Seconds.
    static void sleep_on(const Word<std::uint32_t>& word, std::uint32_t expected, double seconds);
    /// Wakes the one that sleeps on `word`.
    static void wake(const Word<std::uint32_t>& word);
};

/// Stores past the caches, by which a program may have filled a buffer, take effect before what is
/// stored behind this: on x86-64 a release does not see to it. Where another core is to read or
/// write that buffer itself.
inline void end_streaming_stores() {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

/// What a loop that waits does between two looks: leaves the core's resources to its twin.
inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");  // yield is nothing on most cores; isb waits about as long as pause
#endif
}

/// Loads behind it begin when those before are over. A processor that expects what it waits for
/// reads beyond it ahead of time: lines that another core is still writing, which then has to fetch
/// them once more. Of messages of 64 bytes between cores that lie far from each other, that made
/// 350 ns of 265.
inline void end_guesses() {
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
}

}  // namespace tasuki::memory
