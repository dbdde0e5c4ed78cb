// The standard way from any number of members to a power of two.
#pragma once

#include <bit>
#include <cstdint>

namespace tasuki {

/// The first 2 * rest() members go in pairs of neighbours, of which one takes part for both, so
/// that the order of members is kept. That one is the first of the pair, or the root.
class PairFold {
  public:
    explicit PairFold(std::int32_t members, std::int32_t root = 0)
        : cube_(static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(members)))),
          rest_(members - cube_),
          root_(root) {}

    /// How many take part.
    std::int32_t cube() const { return cube_; }
    std::int32_t rest() const { return rest_; }
    std::int32_t rounds() const { return std::bit_width(static_cast<std::uint32_t>(cube_)) - 1; }

    bool in_pair(std::int32_t member) const { return member < 2 * rest_; }
    /// The other one of the pair.
    std::int32_t mate(std::int32_t member) const { return member ^ 1; }
    bool takes_part(std::int32_t member) const {
        return !in_pair(member) || member_of(number_of(member)) == member;
    }
    /// Which one of the participants stands for a member.
    std::int32_t number_of(std::int32_t member) const {
        return in_pair(member) ? member / 2 : member - rest_;
    }
    /// The inverse.
    std::int32_t member_of(std::int32_t number) const {
        if (number >= rest_) return number + rest_;
        return 2 * number + (root_ == 2 * number + 1 ? 1 : 0);
    }

  private:
    std::int32_t cube_;
    std::int32_t rest_;
    std::int32_t root_;
};

}  // namespace tasuki
