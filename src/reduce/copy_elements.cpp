#include "reduce/copy_elements.hpp"

#include <cstring>

namespace tasuki::reduction {

namespace {

template <typename Number>
struct Copy {
    static void run(const std::byte* from, std::byte* to, std::size_t count) {
        std::memcpy(to, from, count * sizeof(Number));
    }
};

template <typename Value, typename Index>
struct Copy<Located<Value, Index>> {
    using Pair = Located<Value, Index>;

    static void run(const std::byte* from, std::byte* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, from += sizeof(Pair), to += sizeof(Pair)) {
            std::memcpy(to, from, sizeof(Value));
            std::memcpy(to + offsetof(Pair, index), from + offsetof(Pair, index), sizeof(Index));
        }
    }
};

}  // namespace

void copy_elements(Element element, const std::byte* from, std::byte* to, std::size_t count) {
    switch (element) {
#define TASUKI_ELEMENT(name, type, family) \
    case Element::name:                    \
        return Copy<type>::run(from, to, count);
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
    }
}

}  // namespace tasuki::reduction
