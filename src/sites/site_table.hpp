// What reductions in other orders gave, by call site.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sites/module_address.hpp"

namespace tasuki {

/// A text of at most `size` - 1 characters, of which the last are kept where it is longer.
template <std::size_t size>
class ShortText {
  public:
    ShortText() = default;
    explicit ShortText(std::string_view text) {
        if (text.size() >= size) text.remove_prefix(text.size() - size + 1);
        text.copy(characters_, text.size());
    }
    std::string_view view() const { return characters_; }
    friend bool operator==(const ShortText&, const ShortText&) = default;

  private:
    char characters_[size] = {};
};

/// Where a reduction is called, and of what: on all ranks alike.
struct SiteKey {
    std::uint64_t offset = 0;  ///< as ModuleAddress has it
    ShortText<256> module;
    ShortText<24> collective;
    ShortText<8> operation;
    ShortText<24> element;

    friend bool operator==(const SiteKey&, const SiteKey&) = default;
};

struct SiteFindings {
    std::int64_t checked = 0;    ///< calls
    std::int64_t differed = 0;   ///< of those, calls that gave another result in another order
    std::int64_t unchecked = 0;  ///< calls beside those
    ShortText<96> reason;        ///< why they were not, of the last of them
    std::int32_t ranks = 0;      ///< the most of a call
    bool has_distance = false;   ///< whether what follows is known: of floating-point numbers
    double ulp = 0;              ///< the largest; see reduction::Difference
    double relative = 0;         ///< the largest

    void include(const SiteFindings& other);
};

struct Site {
    SiteKey key;
    SiteFindings findings;
};

/// As many bytes whatever it holds (56 KiB), without pointers, so that it can be sent as it lies.
class SiteTable {
  public:
    static constexpr std::size_t most_sites = 128;

    /// Adds to what is known of `key`. Where there is no room for another site it counts the calls.
    void add(const SiteKey& key, const SiteFindings& findings);
    /// A call of an operation whose result cannot depend on the order.
    void add_independent_call() { ++independent_calls_; }
    void include(const SiteTable& other);

    std::span<const Site> sites() const { return std::span(sites_).first(count_); }
    std::int64_t independent_calls() const { return independent_calls_; }
    /// Calls at sites beyond the first `most_sites`.
    std::int64_t calls_without_room() const { return calls_without_room_; }

  private:
    std::size_t count_ = 0;
    std::int64_t independent_calls_ = 0;
    std::int64_t calls_without_room_ = 0;
    std::array<Site, most_sites> sites_;
};

}  // namespace tasuki
