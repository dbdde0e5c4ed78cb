// The same operands in other orders: results that a reduction might as well have given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "execute/copy_chunks.hpp"

namespace tasuki {

/// Operands of `bytes` each, one behind the other.
struct FoldedParts {
    const std::byte* parts;
    std::int64_t bytes;
    std::int32_t count;

    const std::byte* part(std::int32_t number) const { return parts + number * bytes; }
};

enum class FoldOrder : std::uint8_t {
    from_left,   ///< ((0 1) 2) 3
    from_right,  ///< 0 (1 (2 3))
    backwards,   ///< ((3 2) 1) 0, of operations that commute
    even_first,  ///< ((0 2) 1) 3, of operations that commute
    ends_first,  ///< ((0 3) 1) 2, of operations that commute
};

/// Those that an operation allows. Whatever tree a reduction has evaluated, at least one of them is
/// another, if the operands are three or more; of two there is one order only, unless the operation
/// commutes but tells its operands apart.
const std::vector<FoldOrder>& fold_orders(bool commutes);

/// One or more parts to `result`. Cost: an operation on each part but one.
void fold(const FoldedParts& parts, FoldOrder order, const Combine& combine, std::byte* result);

/// Every part becomes what it and those before it give, from the left on.
void fold_prefixes_from_left(std::byte* parts, std::int64_t bytes, std::int32_t count,
                             const Combine& combine);
/// The same, by distances that double: prefix 2 is 0 (1 2). Cost: count * log2(count) operations.
void fold_prefixes_by_doubling(std::byte* parts, std::int64_t bytes, std::int32_t count,
                               const Combine& combine);

}  // namespace tasuki
