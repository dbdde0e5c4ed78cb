// Tries every order in which the memory operations of a few threads can take effect.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "transport/explored_memory.hpp"
#include "transport/explored_program.hpp"
#include "transport/memory/sync.hpp"

namespace tasuki::test {

/// Runs small programs, written against ExploredSync in place of memory::Hardware, once for each
/// order of their operations that the C++ memory model allows (ExploredMemory), which promises no
/// more than x86-64 and aarch64 do. One thing is left out: that a store overtakes a load before it
/// that does not acquire. Where it overtakes what its thread does with data, a race is found.
///
/// Only what changes words is tried in every order. A load changes nothing for others, so it is
/// made as soon as what it reads is there: at once or, if it is to read a later store, right behind
/// that. Orders that lead to a state that was there before are not followed further.
class Explorer {
  public:
    using Program = ExploredProgram::Program;
    /// A word whose loads are not to acquire, or whose stores are not to release, for showing that
    /// this is found.
    struct Weakened {
        const void* word;  ///< or what begins with it
        memory::Order order;
    };
    /// What a run is made of: programs of threads, and what must hold at their end.
    struct Scene {
        std::vector<Program> threads;
        /// Empty if all is well.
        std::function<std::string()> wrong = [] { return std::string(); };
        std::shared_ptr<void> state;  ///< what they work on, with all the words that they share
        std::vector<Weakened> weakened;
    };

    /// What is wrong in the first order in which something is; empty if nothing ever is.
    std::string explore(const std::function<Scene()>& make) {
        memory_ = {};
        words_ = {};
        data_ = {};
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

    // What ExploredSync is made of.
    std::uint64_t load(const void* address, bool acquires) {
        const std::size_t word = word_of(address);
        acquires = acquires && (unacquired_ >> word & 1) == 0;
        thread().looked_at |= 1U << word;
        // The last one, one of those before it, or one that is still to come.
        const std::size_t last = memory_.last(word);
        const std::size_t older = last - memory_.first(running_, word);
        const std::size_t back = choose(older + 2);
        const std::size_t place = back <= older ? last - back : await_store(word);
        return remember(memory_.read(running_, word, place, acquires));
    }
    void store(const void* address, std::uint64_t value, bool releases) {
        step();
        const std::size_t word = word_of(address);
        const std::size_t place = choose_place(word);
        write(word, place, value, releases && (unreleased_ >> word & 1) == 0, false);
    }
    /// A read-modify-write; returns what there was before.
    template <typename Changed>
    std::uint64_t change(const void* address, const Changed& changed) {
        step();
        const std::size_t word = word_of(address);
        const std::size_t place = choose_place(word);
        const std::uint64_t found = remember(memory_.read(running_, word, place, true));
        write(word, place, changed(found), true, true);
        return found;
    }
    bool replace(const void* address, std::uint64_t expected, std::uint64_t desired) {
        step();
        const std::size_t word = word_of(address);
        const std::size_t place =
            choose_place(word, [=](std::uint64_t value) { return value != expected; });
        const bool is_expected = memory_.value(word, place) == expected;
        remember(memory_.read(running_, word, place, is_expected));
        if (is_expected) write(word, place, desired, true, true);
        return is_expected;
    }
    void fence() {
        step();
        memory_.fence(running_);
        remember(0);
    }
    void sleep_on(const void* address, std::uint64_t expected) {
        step();
        // The kernel reads under a lock, between fences.
        const std::size_t word = word_of(address);
        const std::size_t last = memory_.last(word);
        if (remember(memory_.read(running_, word, last, false)) != expected) return;
        stop(Stop::sleeps, 1U << word);
    }
    void wake(const void* address) {
        step();
        remember(0);
        for (Thread& one : threads_) {
            if (one.stop == Stop::sleeps && one.words == 1U << word_of(address)) {
                one.stop = Stop::nowhere;
            }
        }
    }
    std::uint64_t read_datum(const void* address) {
        const std::size_t datum = datum_of(address);
        if (memory_.touch(running_, datum)) note_wrong("a race on data");
        return memory_.datum(datum);
    }
    void write_datum(const void* address, std::uint64_t value) {
        if (memory_.change(running_, datum_of(address), value)) note_wrong("a race on data");
    }

    /// Looks again and again until `look` says yes. It may only load, and where it says no it must
    /// leave nothing behind. Then it is as if it had not looked: nothing is lost if it looks again
    /// when one of the words that it has read has changed. And if it has read an old value, some
    /// other order is one in which it has not.
    template <typename Look>
    void await(Look&& look) {
        memory_.keep(running_);
        const std::uint64_t history = thread().history;
        for (;;) {
            thread().looked_at = 0;
            if (look()) {
                memory_.forget_kept(running_);
                return;
            }
            const std::uint32_t words = thread().looked_at;
            for (std::size_t word = 0; words >> word != 0; ++word) {
                const bool has_looked = (words >> word & 1) != 0;
                if (has_looked && memory_.first(running_, word) != memory_.last(word)) leave();
            }
            memory_.take_back(running_);
            thread().history = history;
            stop(Stop::awaits_change, words);
        }
    }
    void note_wrong(const std::string& what) {
        wrong_ = what;
        leave();
    }

  private:
    enum class Stop : std::uint8_t {
        nowhere,       // it goes on before anything else happens
        step,          // before something that others may see
        awaits_store,  // which its load is to read
        awaits_change,
        sleeps,
        end,
    };
    struct Thread {
        ExploredProgram program;
        Stop stop = Stop::nowhere;
        std::uint32_t words = 0;      // bits of those for which it waits
        std::size_t arrived = 0;      // the place of the store that it waited for
        std::uint32_t looked_at = 0;  // bits of words
        std::uint64_t history = 0;    // of what it has seen, which says where it is
    };
    struct Choice {
        std::size_t taken;
        std::size_t of;
    };
    /// Words or data, numbered alike in all runs.
    struct Numbers {
        static constexpr std::uint8_t none = 0xff;
        std::vector<std::uint8_t> numbers;  // [offset in the state]

        template <typename Add>
        std::size_t of(std::size_t offset, std::size_t most, Add&& add) {
            if (offset >= numbers.size()) numbers.resize(offset + 1, none);
            if (numbers[offset] == none) numbers[offset] = static_cast<std::uint8_t>(add());
            if (numbers[offset] >= most) throw std::length_error("too many words to explore");
            return numbers[offset];
        }
    };

    Thread& thread() { return threads_[running_]; }
    std::size_t offset_of(const void* address) const {
        return static_cast<std::size_t>(static_cast<const char*>(address) - state_);
    }
    std::size_t word_of(const void* address) {
        return words_.of(offset_of(address), View::most_words, [&] { return memory_.add_word(); });
    }
    std::size_t datum_of(const void* address) {
        return data_.of(offset_of(address), Numbers::none, [&] { return memory_.add_datum(); });
    }
    std::uint64_t remember(std::uint64_t value) {
        thread().history = mixed(thread().history, value);
        return value;
    }

    std::size_t choose(std::size_t of) {
        if (of == 1) return 0;
        if (depth_ == choices_.size()) choices_.push_back({0, of});
        return choices_[depth_++].taken;
    }
    /// Awaits the next store that the thread may read, or the one after that, and so on; its place.
    std::size_t await_store(std::size_t word) {
        do {
            stop(Stop::awaits_store, 1U << word);
        } while (choose(2) == 1);
        return thread().arrived;
    }
    /// Behind which store a change takes effect, or which one `only_reads` would let it only read.
    template <typename OnlyReads>
    std::size_t choose_place(std::size_t word, const OnlyReads& only_reads) {
        places_.clear();
        const std::size_t first = memory_.first(running_, word);
        for (std::size_t place = memory_.last(word) + 1; place-- > first;) {
            if (memory_.is_open(word, place) || only_reads(memory_.value(word, place))) {
                places_.push_back(place);
            }
        }
        return places_[choose(places_.size())];
    }
    std::size_t choose_place(std::size_t word) {
        return choose_place(word, [](std::uint64_t) { return false; });
    }
    void write(std::size_t word, std::size_t place, std::uint64_t value, bool releases,
               bool is_exclusive) {
        memory_.write(running_, word, place, value, releases, is_exclusive);
        remember(value);
        for (std::size_t index = 0; index < threads_.size(); ++index) {
            Thread& one = threads_[index];
            const bool waits = one.stop == Stop::awaits_store || one.stop == Stop::awaits_change;
            if (!waits || (one.words >> word & 1) == 0) continue;
            if (place < memory_.first(index, word)) continue;
            one.stop = Stop::nowhere;
            one.arrived = place + 1;
        }
    }

    void stop(Stop where, std::uint32_t words) {
        thread().stop = where;
        thread().words = words;
        thread().program.stop();
        thread().stop = Stop::nowhere;
    }
    void step() { stop(Stop::step, 0); }
    /// Nothing new follows from here.
    void leave() {
        is_left_ = true;
        thread().program.stop();
    }

    /// Everything that decides how a run goes on. A thread is where what it has seen has led it.
    std::uint64_t state_now() const {
        std::uint64_t hash = memory_.hash();
        for (const Thread& one : threads_) {
            hash = mixed(hash, one.history);
            // A load that awaits a store is where one is that has looked in vain.
            const Stop stop = one.stop == Stop::awaits_store ? Stop::awaits_change : one.stop;
            hash = mixed(hash, std::uint64_t{one.words} << 8 | static_cast<std::uint64_t>(stop));
        }
        return hash;
    }

    /// All that need not wait for a turn; false where the run is left.
    bool run_up_to_steps() {
        const auto goes_on = [](const Thread& one) { return one.stop == Stop::nowhere; };
        for (;;) {
            const auto next = std::find_if(threads_.begin(), threads_.end(), goes_on);
            if (next == threads_.end()) return true;
            running_ = static_cast<std::size_t>(next - threads_.begin());
            next->program.resume();
            if (is_left_) return false;
            if (next->program.has_ended()) next->stop = Stop::end;
        }
    }

    std::string run(const std::function<Scene()>& make) {
        const Scene scene = make();
        begin(scene);
        while (run_up_to_steps()) {
            turns_.clear();
            for (std::size_t index = 0; index < threads_.size(); ++index) {
                if (threads_[index].stop == Stop::step) turns_.push_back(index);
            }
            if (turns_.empty()) return end(scene);
            // What follows from a state that was there before has been tried.
            if (depth_ == choices_.size() && !known_.insert(state_now()).second) return {};
            threads_[turns_[choose(turns_.size())]].stop = Stop::nowhere;
        }
        return wrong_;
    }
    void begin(const Scene& scene) {
        current_ = this;
        state_ = static_cast<const char*>(scene.state.get());
        wrong_.clear();
        depth_ = 0;
        is_left_ = false;
        unacquired_ = unreleased_ = 0;
        for (const Weakened& weakened : scene.weakened) {
            const std::uint32_t bit = 1U << word_of(weakened.word);
            (weakened.order == memory::Order::acquire ? unacquired_ : unreleased_) |= bit;
        }
        memory_.clear(scene.threads.size());
        threads_.resize(scene.threads.size());
        for (std::size_t index = 0; index < threads_.size(); ++index) {
            Thread& one = threads_[index];
            one.stop = Stop::nowhere;
            one.words = one.looked_at = 0;
            one.history = 0;
            one.program.begin(scene.threads[index]);
        }
    }
    std::string end(const Scene& scene) const {
        bool sleeps = false;
        bool waits = false;
        for (const Thread& one : threads_) {
            if (one.stop == Stop::awaits_store) return {};  // which does not come
            sleeps = sleeps || one.stop == Stop::sleeps;
            waits = waits || one.stop == Stop::awaits_change;
        }
        if (sleeps) return "a wake-up was lost";
        if (waits) return "a thread waits for ever";
        return scene.wrong();
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
    // Of the run.
    std::vector<Thread> threads_;
    std::vector<std::size_t> turns_;
    std::vector<std::size_t> places_;
    ExploredMemory memory_;
    const char* state_ = nullptr;
    Numbers words_;
    Numbers data_;
    std::size_t running_ = 0;
    std::size_t depth_ = 0;
    std::uint32_t unacquired_ = 0;  // bits of words
    std::uint32_t unreleased_ = 0;
    std::string wrong_;
    bool is_left_ = false;
};

}  // namespace tasuki::test
