#include "transport/memory/copy_block.hpp"

#include <cstdint>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace tasuki::memory {

namespace {

void copy_plain(std::byte* to, const std::byte* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}

#ifdef __x86_64__

/// Fewer are copied as fast by memcpy.
constexpr std::size_t fewest_bytes = 1024;
constexpr std::size_t line = 64;

/// Copies what comes before the first line of `to`; gives how much.
inline std::size_t copy_head(std::byte* to, const std::byte* from) {
    const std::size_t head = -reinterpret_cast<std::uintptr_t>(to) % line;
    std::memcpy(to, from, head);
    return head;
}

__attribute__((target("avx2"))) void copy_avx2(std::byte* to, const std::byte* from,
                                               std::size_t bytes) {
    constexpr std::size_t half = line / 2;
    const auto load = [&](std::size_t at) __attribute__((target("avx2"))) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at));  // NOLINT
    };
    const auto store = [&](std::size_t at, __m256i value) __attribute__((target("avx2"))) {
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + at), value);  // NOLINT
    };
    std::size_t place = copy_head(to, from);
    for (; place + 2 * line <= bytes; place += 2 * line) {
        const __m256i first = load(place);
        const __m256i second = load(place + half);
        const __m256i third = load(place + 2 * half);
        const __m256i fourth = load(place + 3 * half);
        store(place, first);
        store(place + half, second);
        store(place + 2 * half, third);
        store(place + 3 * half, fourth);
    }
    std::memcpy(to + place, from + place, bytes - place);
}

#else

constexpr std::size_t fewest_bytes = 0;

#endif

}  // namespace

std::vector<Copy> copies_here() {
    std::vector<Copy> copies = {copy_plain};
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) copies.push_back(copy_avx2);
#endif
    return copies;
}

void copy_block(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes < fewest_bytes) return copy_plain(to, from, bytes);
    static const Copy fastest = copies_here().back();
    fastest(to, from, bytes);
}

}  // namespace tasuki::memory
