// Memory as several threads may see it at the same time: the C++ memory model, by views.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tasuki::test {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U + value;
    return (hash ^ hash >> 31) * 0x94d049bb133111ebU;
}

/// How far a thread has come: in the order of the stores of each word, before which it can read no
/// more, and in the run of each thread, whose accesses to data up to there happened before.
struct View {
    static constexpr std::size_t most_words = 24;
    static constexpr std::size_t most_threads = 8;

    std::array<std::uint8_t, most_words> words{};
    std::array<std::uint8_t, most_threads> threads{};

    void join(const View& other) {
        for (std::size_t i = 0; i < most_words; ++i) words[i] = std::max(words[i], other.words[i]);
        for (std::size_t i = 0; i < most_threads; ++i) {
            threads[i] = std::max(threads[i], other.threads[i]);
        }
    }
    std::uint64_t added_to(std::uint64_t hash) const {
        for (const std::uint64_t part : std::bit_cast<std::array<std::uint64_t, 4>>(*this)) {
            hash = mixed(hash, part);
        }
        return hash;
    }
};

/// Each word keeps all its stores, in the order in which they take effect, and with each of them
/// the view that it passes on. A thread may read any that its view allows, also an old one, and
/// insert its own behind any, but not between a read-modify-write and what that has read. A load
/// that acquires joins the view of what it reads into that of its thread; a store that releases
/// passes on the view of its thread; a fence does both by a view that all fences share.
///
/// Data are not ordered: a thread that touches what another has written, or writes what another has
/// touched, without being behind that by its view, is a race.
class ExploredMemory {
  public:
    void clear(std::size_t threads) {
        for (Word& word : words_) word.assign(1, Store{});
        data_.assign(data_.size(), Datum{});
        threads_.assign(threads, Thread{});
        // So that nobody is behind what another does before it passes anything on.
        for (std::size_t i = 0; i < threads; ++i) threads_[i].now.threads[i] = 1;
        fences_ = {};
    }

    /// Places in the order of a word's stores: the first and the last that the thread may read.
    std::size_t first(std::size_t thread, std::size_t word) const {
        return threads_[thread].now.words[word];
    }
    std::size_t last(std::size_t word) const { return words_[word].size() - 1; }
    std::uint64_t value(std::size_t word, std::size_t place) const {
        return words_[word][place].value;
    }
    /// Whether something can take effect right behind it.
    bool is_open(std::size_t word, std::size_t place) const {
        return place == last(word) || !words_[word][place + 1].is_exclusive;
    }

    std::uint64_t read(std::size_t thread, std::size_t word, std::size_t place, bool acquires) {
        Thread& by = threads_[thread];
        const Store& store = words_[word][place];
        by.now.words[word] = static_cast<std::uint8_t>(place);
        (acquires ? by.now : by.acquired_by_fence).join(store.passed_on);
        return store.value;
    }

    /// Lets a store take effect right behind `place`.
    void write(std::size_t thread, std::size_t word, std::size_t place, std::uint64_t value,
               bool releases, bool is_exclusive) {
        Thread& by = threads_[thread];
        Word& stores = words_[word];
        if (stores.size() == most || by.now.threads[thread] == most) {
            throw std::length_error("too many stores to explore");
        }
        const auto at = static_cast<std::uint8_t>(place + 1);
        if (at < stores.size()) make_room(word, at);
        by.now.words[word] = at;
        Store store{value, releases ? by.now : by.released_by_fence, is_exclusive};
        store.passed_on.words[word] = at;
        stores.insert(stores.begin() + at, store);
        if (releases) ++by.now.threads[thread];
    }

    void fence(std::size_t thread) {
        Thread& by = threads_[thread];
        by.now.join(by.acquired_by_fence);
        by.now.join(fences_);
        fences_ = by.now;
        by.released_by_fence = by.now;
        ++by.now.threads[thread];
    }

    /// Remembers how far the thread has come, and takes it back there.
    void keep(std::size_t thread) {
        threads_[thread].kept = threads_[thread].now;
        threads_[thread].kept_by_fence = threads_[thread].acquired_by_fence;
    }
    void take_back(std::size_t thread) {
        threads_[thread].now = threads_[thread].kept;
        threads_[thread].acquired_by_fence = threads_[thread].kept_by_fence;
    }
    void forget_kept(std::size_t thread) {
        threads_[thread].kept = threads_[thread].kept_by_fence = {};
    }

    std::size_t add_word() {
        words_.emplace_back(1);
        return words_.size() - 1;
    }
    std::size_t add_datum() {
        data_.emplace_back();
        return data_.size() - 1;
    }

    std::uint64_t datum(std::size_t datum) const { return data_[datum].value; }
    /// Both return whether it is a race.
    bool touch(std::size_t thread, std::size_t datum) {
        const View& now = threads_[thread].now;
        data_[datum].read[thread] = now.threads[thread];
        return !is_behind(now, data_[datum].written);
    }
    bool change(std::size_t thread, std::size_t datum, std::uint64_t value) {
        const View& now = threads_[thread].now;
        Datum& changed = data_[datum];
        const bool is_race = !is_behind(now, changed.written) || !is_behind(now, changed.read);
        changed.value = value;
        changed.written[thread] = now.threads[thread];
        return is_race;
    }

    /// Of everything that decides what can be read from now on.
    std::uint64_t hash() const {
        std::uint64_t hash = fences_.added_to(0);
        for (std::size_t index = 0; index < words_.size(); ++index) {
            const Word& word = words_[index];
            if (word.size() == 1) continue;  // as if it were not known yet
            hash = mixed(hash, index << 8 | word.size());
            for (const Store& store : word) {
                hash = store.passed_on.added_to(mixed(hash, 2 * store.value + store.is_exclusive));
            }
        }
        for (std::size_t index = 0; index < data_.size(); ++index) {
            const Datum& datum = data_[index];
            if (datum.read == Times{} && datum.written == Times{}) continue;
            hash = mixed(mixed(hash, index), datum.value);
            hash = mixed(hash, std::bit_cast<std::uint64_t>(datum.read));
            hash = mixed(hash, std::bit_cast<std::uint64_t>(datum.written));
        }
        for (const Thread& thread : threads_) {
            hash = thread.now.added_to(hash);
            hash = thread.acquired_by_fence.added_to(hash);
            hash = thread.released_by_fence.added_to(hash);
            hash = thread.kept_by_fence.added_to(thread.kept.added_to(hash));
        }
        return hash;
    }

  private:
    static constexpr std::size_t most = 0xff;                    // of what a View counts
    using Times = std::array<std::uint8_t, View::most_threads>;  // [thread]
    struct Store {
        std::uint64_t value = 0;
        View passed_on;
        bool is_exclusive = false;  // of a read-modify-write, which has read the one before it
    };
    using Word = std::vector<Store>;
    struct Datum {
        std::uint64_t value = 0;
        Times read{};
        Times written{};
    };
    struct Thread {
        View now;
        View acquired_by_fence;  // what the next one will join
        View released_by_fence;  // what the last one has left for stores behind it
        View kept;
        View kept_by_fence;
    };

    static bool is_behind(const View& now, const Times& times) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] > now.threads[i]) return false;
        }
        return true;
    }

    /// Stores of `word` from `at` on move by one, in everything that names them.
    void make_room(std::size_t word, std::uint8_t at) {
        const auto move = [&](View& view) { view.words[word] += view.words[word] >= at ? 1 : 0; };
        for (Word& one : words_) {
            for (Store& store : one) move(store.passed_on);
        }
        for (Thread& thread : threads_) {
            for (View* view : {&thread.now, &thread.acquired_by_fence, &thread.released_by_fence,
                               &thread.kept, &thread.kept_by_fence}) {
                move(*view);
            }
        }
        move(fences_);
    }

    std::vector<Word> words_;
    std::vector<Datum> data_;
    std::vector<Thread> threads_;
    View fences_;
};

}  // namespace tasuki::test
