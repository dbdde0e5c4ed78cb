// An operation that shows the order of its operands.
#pragma once

#include <cstring>
#include <string>

#include "execute/copy_chunks.hpp"

namespace tasuki {

/// Chunks of `width` characters; the operation writes the operands' letters one behind the other,
/// so it is associative and does not commute.
inline Combine join_letters(std::size_t width) {
    return [width](const std::byte* from, Operand from_operand, std::byte* to, std::int64_t bytes) {
        for (std::int64_t done = 0; done < bytes; done += static_cast<std::int64_t>(width)) {
            const auto letters = [&](const std::byte* chunk) {
                const auto* text = reinterpret_cast<const char*>(chunk + done);
                return std::string(text, strnlen(text, width));
            };
            std::string joined = from_operand == Operand::left ? letters(from) + letters(to)
                                                               : letters(to) + letters(from);
            joined.resize(width);
            std::memcpy(to + done, joined.data(), width);
        }
    };
}

}  // namespace tasuki
