#include "fabric/edge_colouring.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tasuki {

namespace {

constexpr std::int32_t none = -1;

/// The vertices of one side: which edge has which colour there, and which colours are free.
class Side {
  public:
    Side(std::int32_t vertices, std::int32_t colours)
        : colours_(colours), words_((colours + 63) / 64) {
        edges_.assign(static_cast<std::size_t>(vertices) * colours, none);
        used_.assign(static_cast<std::size_t>(vertices) * words_, 0);
        if (colours % 64 == 0) return;
        for (std::int32_t vertex = 0; vertex < vertices; ++vertex) {
            used_[(vertex + 1) * static_cast<std::size_t>(words_) - 1] = ~std::uint64_t{0}
                                                                         << colours % 64;
        }
    }

    std::int32_t edge(std::int32_t vertex, std::int32_t colour) const {
        return edges_[static_cast<std::size_t>(vertex) * colours_ + colour];
    }
    void set(std::int32_t vertex, std::int32_t colour, std::int32_t edge) {
        edges_[static_cast<std::size_t>(vertex) * colours_ + colour] = edge;
        std::uint64_t& word = used_[static_cast<std::size_t>(vertex) * words_ + colour / 64];
        const std::uint64_t bit = std::uint64_t{1} << colour % 64;
        word = edge == none ? word & ~bit : word | bit;
    }
    /// The first colour that is free at `vertex` and, if `other` is given, at its `other_vertex`.
    std::int32_t first_free(std::int32_t vertex, const Side* other = nullptr,
                            std::int32_t other_vertex = 0) const {
        for (std::int32_t word = 0; word < words_; ++word) {
            std::uint64_t used = used_[static_cast<std::size_t>(vertex) * words_ + word];
            if (other != nullptr) {
                used |= other->used_[static_cast<std::size_t>(other_vertex) * words_ + word];
            }
            if (~used != 0) return word * 64 + std::countr_one(used);
        }
        return none;
    }

  private:
    std::int32_t colours_;
    std::int32_t words_;
    std::vector<std::int32_t> edges_;  // [vertex, colour]
    std::vector<std::uint64_t> used_;  // [vertex, word]: a bit for each colour
};

}  // namespace

std::vector<std::int32_t> colour_edges(std::span<const Edge> edges, std::int32_t left_count,
                                       std::int32_t right_count, std::int32_t colours) {
    Side left(left_count, colours), right(right_count, colours);
    std::vector<std::int32_t> colour_of(edges.size(), none);
    std::vector<std::int32_t> path;
    const auto set = [&](std::int32_t edge, std::int32_t value) {
        left.set(edges[edge].left, colour_of[edge], value);
        right.set(edges[edge].right, colour_of[edge], value);
    };
    for (std::int32_t edge = 0; edge < static_cast<std::int32_t>(edges.size()); ++edge) {
        const auto [at_left, at_right] = edges[edge];
        std::int32_t colour = left.first_free(at_left, &right, at_right);
        if (colour == none) {
            colour = left.first_free(at_left);
            const std::int32_t other = right.first_free(at_right);
            path.clear();
            std::int32_t vertex = at_right, wanted = colour;
            for (bool is_right = true;; is_right = !is_right) {
                const std::int32_t next = (is_right ? right : left).edge(vertex, wanted);
                if (next == none) break;
                path.push_back(next);
                vertex = is_right ? edges[next].left : edges[next].right;
                wanted = wanted == colour ? other : colour;
            }
            for (const std::int32_t flipped : path) set(flipped, none);
            for (const std::int32_t flipped : path) {
                colour_of[flipped] = colour_of[flipped] == colour ? other : colour;
                set(flipped, flipped);
            }
        }
        colour_of[edge] = colour;
        set(edge, edge);
    }
    return colour_of;
}

}  // namespace tasuki
