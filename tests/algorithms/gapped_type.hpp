// Elements with gaps and a negative lower bound, as derived datatypes have them.
#pragma once

#include <cstring>
#include <vector>

#include "transport/buffer.hpp"

namespace tasuki::test {

/// Some bytes of an element, relative to its address.
struct Piece {
    std::int64_t offset;
    std::int64_t bytes;
};

/// Elements are `extent` bytes apart; their pieces are packed in the order given.
class GappedType : public ElementType {
  public:
    GappedType(std::vector<Piece> pieces, std::int64_t extent)
        : pieces_(std::move(pieces)), extent_(extent) {
        for (const Piece& piece : pieces_) bytes_ += piece.bytes;
    }

    std::int64_t bytes() const { return bytes_; }
    std::int64_t extent() const { return extent_; }

    void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const override {
        for_each_piece(elements, [&](std::int64_t offset, std::int64_t bytes) {
            std::memcpy(packed, base + offset, bytes);
            packed += bytes;
        });
    }

    void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const override {
        for_each_piece(elements, [&](std::int64_t offset, std::int64_t bytes) {
            std::memcpy(base + offset, packed, bytes);
            packed += bytes;
        });
    }

  private:
    template <typename Visit>
    void for_each_piece(std::int64_t elements, Visit visit) const {
        for (std::int64_t element = 0; element < elements; ++element) {
            for (const Piece& piece : pieces_) {
                visit(element * extent_ + piece.offset, piece.bytes);
            }
        }
    }

    std::vector<Piece> pieces_;
    std::int64_t extent_;
    std::int64_t bytes_ = 0;
};

}  // namespace tasuki::test
