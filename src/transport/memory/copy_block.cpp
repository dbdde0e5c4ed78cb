#include "transport/memory/copy_block.hpp"

#include <cstdint>
#include <cstring>
#ifdef __x86_64__
#include <cpuid.h>
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

/// By loads and stores of 32 bytes. What lies in another core's cache comes faster so than by the
/// string instructions that the C library takes for blocks of this size: many lines are under way
/// at the same time. Loads and stores of 64 bytes took 3 to 7 % longer on an EPYC of Zen 4, and as
/// long on one of Zen 5.
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

/// By string instructions, whatever the C library takes here.
void copy_strings(std::byte* to, const std::byte* from, std::size_t bytes) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/// Whether string instructions are to be preferred for what caches hold: they write whole lines
/// without fetching them first from the core that has read them. So on Zen 5, wherever in a page
/// the blocks begin; on Zen 4 wide loads and stores were faster, others are not known. Sanitizers
/// do not see what they copy.
bool has_fast_strings() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#endif
    unsigned highest = 0;
    unsigned vendor[3] = {};
    if (__get_cpuid(0, &highest, &vendor[0], &vendor[2], &vendor[1]) == 0) return false;
    if (std::memcmp(vendor, "AuthenticAMD", sizeof vendor) != 0) return false;
    unsigned signature = 0;
    unsigned unused[3] = {};
    if (__get_cpuid(1, &signature, &unused[0], &unused[1], &unused[2]) == 0) return false;
    const unsigned family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    constexpr unsigned zen5 = 26;
    return family == zen5;
}

#else

constexpr std::size_t fewest_bytes = 0;

#endif

/// Which copies are the fastest on this processor.
struct Fastest {
    Copy of_cached = copy_plain;  ///< where near caches hold what is copied to
    Copy wide = copy_plain;

    static const Fastest& here() {
        static const Fastest fastest = find();
        return fastest;
    }

  private:
    static Fastest find() {
#ifdef __x86_64__
        __builtin_cpu_init();
        const Copy wide = __builtin_cpu_supports("avx2") ? copy_avx2 : copy_plain;
        return {has_fast_strings() ? copy_strings : wide, wide};
#else
        return {};
#endif
    }
};

/// Of longer messages what is copied to may be in no cache that is near, and has to be fetched
/// ahead, as string instructions do not: then they take up to twice as long as wide loads and
/// stores, else 5 to 20 % less.
constexpr std::size_t most_cached_bytes = 65536;

}  // namespace

std::vector<Copy> copies_here() {
    std::vector<Copy> copies = {copy_plain};
#ifdef __x86_64__
    copies.push_back(copy_strings);
    if (__builtin_cpu_supports("avx2")) copies.push_back(copy_avx2);
#endif
    return copies;
}

void fill_block(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes < fewest_bytes) return copy_plain(to, from, bytes);
    Fastest::here().of_cached(to, from, bytes);
}

void read_block(std::byte* to, const std::byte* from, std::size_t bytes, ReadBy way) {
    if (bytes < fewest_bytes) return copy_plain(to, from, bytes);
    const Fastest& fastest = Fastest::here();
    (way == ReadBy::wide ? fastest.wide : fastest.of_cached)(to, from, bytes);
}

ReadBy usual_way_to_read(std::size_t message_bytes) {
    return message_bytes > most_cached_bytes ? ReadBy::wide : ReadBy::strings;
}

bool may_read_faster(std::size_t message_bytes) {
    if (message_bytes <= most_cached_bytes) return false;
    const Fastest& fastest = Fastest::here();
    return fastest.of_cached != fastest.wide;
}

}  // namespace tasuki::memory
