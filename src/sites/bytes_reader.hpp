// Reads numbers and texts from bytes that may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tasuki {

/// Reads from the front on, in this machine's byte order. What would reach over the end is 0 or
/// empty, and from then on has_failed().
class BytesReader {
  public:
    explicit BytesReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool has_failed() const { return has_failed_; }
    bool is_at_end() const { return has_failed_ || bytes_.empty(); }
    std::span<const std::byte> rest() const { return bytes_; }

    std::span<const std::byte> take(std::uint64_t count) {
        if (count > bytes_.size()) {
            fail();
            return {};
        }
        const auto taken = bytes_.first(static_cast<std::size_t>(count));
        bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
        return taken;
    }

    template <typename Number>
    Number number() {
        Number value{};
        const auto taken = take(sizeof value);
        if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
        return value;
    }
    std::uint8_t byte() { return number<std::uint8_t>(); }

    /// A number of as many groups of seven bits as it takes (DWARF's LEB128).
    std::uint64_t variable() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t group = byte();
            if (shift < 64) value |= std::uint64_t{group & 0x7fu} << shift;
            if ((group & 0x80) == 0 || has_failed_) return value;
        }
    }
    std::int64_t signed_variable() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const std::uint8_t group = byte();
            if (shift < 64) value |= std::uint64_t{group & 0x7fu} << shift;
            shift += 7;
            if ((group & 0x80) != 0 && !has_failed_) continue;
            if ((group & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
            return static_cast<std::int64_t>(value);
        }
    }

    /// Up to a zero byte, which is taken too.
    std::string_view text() {
        const auto* start = reinterpret_cast<const char*>(bytes_.data());
        const std::size_t length = bytes_.empty() ? 0 : strnlen(start, bytes_.size());
        if (length == bytes_.size()) {
            fail();
            return {};
        }
        take(length + 1);
        return {start, length};
    }

  private:
    void fail() {
        bytes_ = {};
        has_failed_ = true;
    }

    std::span<const std::byte> bytes_;
    bool has_failed_ = false;
};

}  // namespace tasuki
