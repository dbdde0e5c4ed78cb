// What the protocols of the memory transport are made of, for an explorer to try its orders.
#pragma once

#include <cstdint>

#include "transport/explorer.hpp"
#include "transport/memory/sync.hpp"

namespace tasuki::test {

/// A word whose operations the explorer orders.
template <typename Value>
class ExploredWord {
  public:
    Value load(memory::Order order) const {
        return static_cast<Value>(Explorer::current().load(this, order == memory::Order::acquire));
    }
    void store(Value value, memory::Order order) {
        Explorer::current().store(this, value, order == memory::Order::release);
    }
    Value exchange(Value value) {
        return static_cast<Value>(
            Explorer::current().change(this, [=](std::uint64_t) { return value; }));
    }
    Value fetch_or(Value bits) {
        return static_cast<Value>(
            Explorer::current().change(this, [=](std::uint64_t found) { return found | bits; }));
    }
    bool replace(Value expected, Value desired) {
        return Explorer::current().replace(this, expected, desired);
    }
};

/// What the protocols carry, which only one thread at a time may touch.
class ExploredData {
  public:
    std::uint64_t read() const { return Explorer::current().read_datum(this); }
    void write(std::uint64_t value) { Explorer::current().write_datum(this, value); }
};

/// In place of memory::Hardware; without `fences` for showing that this is found.
template <bool fences = true>
struct ExploredSync {
    template <typename Value>
    using Word = ExploredWord<Value>;

    static void full_fence() {
        if (fences) Explorer::current().fence();
    }
    static void sleep_on(const Word<std::uint32_t>& word, std::uint32_t expected,
                         double /*seconds*/) {
        Explorer::current().sleep_on(&word, expected);
    }
    static void wake(const Word<std::uint32_t>& word) { Explorer::current().wake(&word); }
};

}  // namespace tasuki::test
