#include "algorithms/tree.hpp"

#include <algorithm>

namespace tasuki {

namespace {

/// The weight of the lowest digit that is not 0, or the first weight beyond all members.
std::int64_t lowest_weight(std::int32_t member, std::int32_t members, std::int64_t radix) {
    std::int64_t weight = 1;
    while (weight < members && member / weight % radix == 0) weight *= radix;
    return weight;
}

}  // namespace

std::int32_t knomial_below(std::int32_t member, std::int32_t members, std::int64_t radix) {
    const std::int64_t weight = lowest_weight(member, members, radix);
    return static_cast<std::int32_t>(std::min<std::int64_t>(weight, members - member));
}

TreePlace knomial_place(std::int32_t member, std::int32_t members, std::int64_t radix) {
    TreePlace place;
    const std::int64_t own = lowest_weight(member, members, radix);
    if (member != 0) {
        place.parent = static_cast<std::int32_t>(member - member / own % radix * own);
    }
    for (std::int64_t weight = 1; weight < own; weight *= radix) {
        for (std::int64_t digit = 1; digit < radix; ++digit) {
            const std::int64_t child = member + digit * weight;
            if (child >= members) return place;
            const std::int64_t below = std::min<std::int64_t>(weight, members - child);
            place.children.push_back({static_cast<std::int32_t>(child), Operand::right,
                                      static_cast<std::int32_t>(below)});
        }
    }
    return place;
}

TreePlace chain_place(std::int32_t member, std::int32_t members) {
    TreePlace place{member - 1};
    if (member + 1 < members) {
        place.children.push_back({member + 1, Operand::right, members - member - 1});
    }
    return place;
}

TreePlace canonical_place(std::int32_t member, std::int32_t members, std::int32_t root) {
    TreePlace place;
    const auto keeper = [&](std::int64_t first, std::int64_t size) {
        const bool has_root = first <= root && root < first + size;
        return has_root ? root : static_cast<std::int32_t>(first);
    };
    for (std::int64_t size = 1; size < members; size *= 2) {
        const std::int64_t first = member / size * size;
        const std::int64_t left = member / (2 * size) * (2 * size);
        const std::int64_t right = left + size;
        if (right >= members) continue;  // nobody on the other side
        const std::int32_t kept_by = keeper(left, 2 * size);
        if (kept_by != member) {
            place.parent = kept_by;
            return place;
        }
        const bool is_left = first == left;
        const std::int64_t other = is_left ? right : left;
        place.children.push_back({keeper(other, size), is_left ? Operand::right : Operand::left,
                                  static_cast<std::int32_t>(std::min(size, members - other))});
    }
    return place;
}

}  // namespace tasuki
