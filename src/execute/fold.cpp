#include "execute/fold.hpp"

#include <cstring>

namespace tasuki {

namespace {

/// The part that comes at a place of the order.
std::int32_t part_at(FoldOrder order, std::int32_t place, std::int32_t count) {
    switch (order) {
        case FoldOrder::from_left:
            return place;
        case FoldOrder::from_right:
        case FoldOrder::backwards:
            return count - 1 - place;
        case FoldOrder::even_first: {
            const std::int32_t even = (count + 1) / 2;
            return place < even ? 2 * place : 2 * (place - even) + 1;
        }
        case FoldOrder::ends_first:
            return place % 2 == 0 ? place / 2 : count - 1 - place / 2;
    }
    return place;
}

}  // namespace

const std::vector<FoldOrder>& fold_orders(bool commutes) {
    static const std::vector<FoldOrder> any = {FoldOrder::from_left, FoldOrder::backwards,
                                               FoldOrder::even_first, FoldOrder::ends_first};
    static const std::vector<FoldOrder> kept = {FoldOrder::from_left, FoldOrder::from_right};
    return commutes ? any : kept;
}

void fold(const FoldedParts& parts, FoldOrder order, const Combine& combine, std::byte* result) {
    std::memcpy(result, parts.part(part_at(order, 0, parts.count)),
                static_cast<std::size_t>(parts.bytes));
    const Operand next = order == FoldOrder::from_right ? Operand::left : Operand::right;
    for (std::int32_t place = 1; place < parts.count; ++place) {
        combine(parts.part(part_at(order, place, parts.count)), next, result, parts.bytes);
    }
}

void fold_prefixes_from_left(std::byte* parts, std::int64_t bytes, std::int32_t count,
                             const Combine& combine) {
    for (std::int32_t number = 1; number < count; ++number) {
        std::byte* part = parts + number * bytes;
        combine(part - bytes, Operand::left, part, bytes);
    }
}

void fold_prefixes_by_doubling(std::byte* parts, std::int64_t bytes, std::int32_t count,
                               const Combine& combine) {
    for (std::int32_t distance = 1; distance < count; distance *= 2) {
        // From the last on, so that what is added is that of the distance before.
        for (std::int32_t number = count - 1; number >= distance; --number) {
            std::byte* part = parts + number * bytes;
            combine(part - distance * bytes, Operand::left, part, bytes);
        }
    }
}

}  // namespace tasuki
