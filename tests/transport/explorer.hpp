// Tries every order in which the memory operations of a few threads can take effect.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <ucontext.h>
#include <unordered_set>
#include <utility>
#include <vector>

#include "transport/memory/sync.hpp"

namespace tasuki::test {

/// Runs small programs, written against Explored in place of memory::Hardware, once for each order
/// of their operations. A store first lies in a buffer of its thread, where the thread itself sees
/// it, and takes effect later: stores to different words in any order, a release store after all
/// before it. So it is at least as weak as x86-64; of aarch64 it has everything but loads that
/// overtake each other, which acquire forbids. Orders that lead to a state that was there before
/// are not followed further.
class Explorer {
  public:
    using Program = std::function<void()>;
    /// What a run is made of: programs of threads, and what must hold at their end.
    struct Scene {
        std::vector<Program> threads;
        std::function<std::string()> wrong;  ///< empty if all is well
        std::shared_ptr<void> state;  ///< what they work on, with all the words that they share
    };

    /// What is wrong in the first order in which something is; empty if nothing ever is.
    std::string explore(const std::function<Scene()>& make) {
        choices_.clear();
        known_.clear();
        do {
            ++runs_;
            const std::string wrong = run(make);
            if (!wrong.empty()) return wrong + ", in order number " + std::to_string(runs_);
        } while (next_choices());
        return {};
    }

    std::uint64_t runs() const { return runs_; }

    /// The explorer that runs the calling program.
    static Explorer& current() { return *current_; }

    // What Explored is made of.
    std::uint64_t load(const void* word) {
        switch_to_scheduler();
        const auto& stores = thread().stores;
        for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
            if (store->word == word) return remember(store->value);
        }
        return remember(memory_[word]);
    }
    void store(const void* word, std::uint64_t value, bool is_release) {
        thread().stores.push_back({word, value, is_release});  // nobody else sees it yet
    }
    std::uint64_t& exclusive(const void* word) {
        switch_to_scheduler();
        drain();
        ++version_;
        remember(memory_[word]);
        return memory_[word];
    }
    void fence() {
        switch_to_scheduler();
        drain();
        remember(0);
    }
    void sleep_on(const void* word, std::uint64_t expected) {
        switch_to_scheduler();
        drain();
        if (remember(memory_[word]) != expected) return;
        thread().sleeps_on = word;
        switch_to_scheduler();
    }
    void wake(const void* word) {
        switch_to_scheduler();
        drain();
        remember(0);
        for (Thread& one : threads_) {
            if (one.sleeps_on == word) one.sleeps_on = nullptr;
        }
    }
    /// Of a loop that looks again and again: nothing to be done before memory changes.
    void wait_for_change() {
        thread().seen = version_;
        thread().waits = true;
        switch_to_scheduler();
    }
    void note_wrong(const std::string& what) {
        if (wrong_.empty()) wrong_ = what;
    }

  private:
    struct Store {
        const void* word;
        std::uint64_t value;
        bool is_release;
    };
    struct Thread {
        ucontext_t context{};
        std::vector<Store> stores;
        const void* sleeps_on = nullptr;
        bool waits = false;
        std::uint64_t seen = 0;
        bool is_done = false;
        std::uint64_t history = 0;  // of what it has seen, which says where it is
    };
    struct Choice {
        std::size_t taken;
        std::size_t of;
    };
    struct Action {
        std::size_t thread;
        std::size_t store;  // no_store: the thread goes on
    };
    static constexpr std::size_t no_store = ~std::size_t{0};
    static constexpr std::size_t stack_bytes = 64 << 10;

    Thread& thread() { return threads_[running_]; }
    void switch_to_scheduler() {
        swapcontext(&thread().context, &scheduler_);
        remember(1);  // that it went on
    }
    void drain() {
        while (!thread().stores.empty()) take_effect(thread(), 0);
    }
    void take_effect(Thread& of, std::size_t store) {
        memory_[of.stores[store].word] = of.stores[store].value;
        of.stores.erase(of.stores.begin() + static_cast<std::ptrdiff_t>(store));
        ++version_;
    }

    static std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
        hash = (hash + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U + value;
        return (hash ^ hash >> 31) * 0x94d049bb133111ebU;
    }
    std::uint64_t remember(std::uint64_t value) {
        thread().history = mixed(thread().history, value);
        return value;
    }

    /// Everything that decides how a run goes on. A thread is where what it has seen has led it.
    std::uint64_t state_now(const void* base) const {
        const auto name = [base](const void* word) {
            return static_cast<std::uint64_t>(static_cast<const char*>(word) -
                                              static_cast<const char*>(base));
        };
        std::uint64_t hash = 1;
        for (const auto& [word, value] : memory_) {
            if (value != 0) hash = mixed(mixed(hash, name(word)), value);
        }
        for (const Thread& one : threads_) {
            hash = mixed(hash, one.history);
            hash = mixed(hash, one.sleeps_on == nullptr ? 0 : name(one.sleeps_on) + 1);
            hash = mixed(hash, one.is_done ? 2 : one.waits && one.seen == version_ ? 1 : 0);
            for (const Store& store : one.stores) {
                hash = mixed(mixed(hash, name(store.word)), 2 * store.value + store.is_release);
            }
        }
        return hash;
    }

    std::vector<Action> possible() {
        std::vector<Action> actions;
        for (std::size_t index = 0; index < threads_.size(); ++index) {
            const Thread& one = threads_[index];
            const bool waits = one.waits && one.seen == version_;
            if (!one.is_done && one.sleeps_on == nullptr && !waits) {
                actions.push_back({index, no_store});
            }
            for (std::size_t i = 0; i < one.stores.size(); ++i) {
                bool is_free = i == 0 || !one.stores[i].is_release;
                for (std::size_t before = 0; before < i; ++before) {
                    is_free = is_free && one.stores[before].word != one.stores[i].word;
                }
                if (is_free) actions.push_back({index, i});
            }
        }
        return actions;
    }

    std::string run(const std::function<Scene()>& make) {
        current_ = this;
        memory_.clear();
        wrong_.clear();
        version_ = 0;
        const Scene scene = make();
        threads_.clear();
        threads_.resize(scene.threads.size());
        for (std::size_t index = 0; index < threads_.size(); ++index) {
            begin(threads_[index], scene.threads[index]);
        }
        for (std::size_t depth = 0;; ++depth) {
            const std::vector<Action> actions = possible();
            if (actions.empty()) break;
            if (depth == choices_.size()) {
                // What follows from here has been tried.
                if (!known_.insert(state_now(scene.state.get())).second) return {};
                choices_.push_back({0, actions.size()});
            }
            const Action action = actions[choices_[depth].taken];
            if (action.store != no_store) {
                take_effect(threads_[action.thread], action.store);
                continue;
            }
            running_ = action.thread;
            thread().waits = false;
            swapcontext(&scheduler_, &thread().context);
        }
        if (!wrong_.empty()) return wrong_;
        for (const Thread& one : threads_) {
            if (!one.is_done)
                return one.sleeps_on ? "a wake-up was lost" : "a thread waits for ever";
        }
        return scene.wrong();
    }

    void begin(Thread& one, const Program& program) {
        const auto index = static_cast<std::size_t>(&one - threads_.data());
        while (stacks_.size() <= index) {
            stacks_.push_back(std::make_unique_for_overwrite<char[]>(stack_bytes));
        }
        getcontext(&one.context);
        one.context.uc_stack.ss_sp = stacks_[index].get();
        one.context.uc_stack.ss_size = stack_bytes;
        one.context.uc_link = &scheduler_;
        program_ = &program;
        running_ = index;
        makecontext(&one.context, &Explorer::enter, 0);
        swapcontext(&scheduler_, &one.context);  // up to its first operation
    }
    static void enter() {
        Explorer& self = *current_;
        const Program& program = *self.program_;
        self.switch_to_scheduler();
        program();
        self.thread().is_done = true;
    }

    bool next_choices() {
        while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of) {
            choices_.pop_back();
        }
        if (choices_.empty()) return false;
        ++choices_.back().taken;
        return true;
    }

    inline static Explorer* current_ = nullptr;
    std::vector<Choice> choices_;
    std::unordered_set<std::uint64_t> known_;
    std::uint64_t runs_ = 0;
    std::vector<Thread> threads_;
    std::vector<std::unique_ptr<char[]>> stacks_;  // [thread], kept from run to run
    ucontext_t scheduler_{};
    std::size_t running_ = 0;
    const Program* program_ = nullptr;
    std::map<const void*, std::uint64_t> memory_;
    std::uint64_t version_ = 0;
    std::string wrong_;
};

/// A word whose operations the explorer orders. Without `orders` release stores are none.
template <typename Value, bool orders>
class ExploredWord {
  public:
    Value load(memory::Order /*order*/) const {
        return static_cast<Value>(Explorer::current().load(this));
    }
    void store(Value value, memory::Order order) {
        Explorer::current().store(this, value, orders && order == memory::Order::release);
    }
    Value exchange(Value value) {
        std::uint64_t& word = Explorer::current().exclusive(this);
        return static_cast<Value>(std::exchange(word, value));
    }
    Value fetch_or(Value bits) {
        std::uint64_t& word = Explorer::current().exclusive(this);
        return static_cast<Value>(std::exchange(word, word | bits));
    }
    bool replace(Value expected, Value desired) {
        std::uint64_t& word = Explorer::current().exclusive(this);
        if (static_cast<Value>(word) != expected) return false;
        word = desired;
        return true;
    }
};

/// In place of memory::Hardware; with faults for showing that they are found.
template <bool fences = true, bool orders = true>
struct ExploredSync {
    template <typename Value>
    using Word = ExploredWord<Value, orders>;

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
