#include "interpose/agreed_size.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "interpose/maximum_of_all.hpp"
#include "interpose/switches.hpp"
#include "select/selection_key.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

/// Buckets in ascending order: 0 for nothing, then two for each octave.
int number_of(std::int64_t bucket) {
    if (bucket == 0) return 0;
    const auto bits = static_cast<std::uint64_t>(bucket);
    const bool is_half = !std::has_single_bit(bits);
    return 2 * std::bit_width(bits) + (is_half ? 1 : 0);
}

std::int64_t bucket_of(int number) {
    if (number == 0) return 0;
    const std::int64_t octave = std::int64_t{1} << (number / 2 - 1);
    return number % 2 == 0 ? octave : octave + octave / 2;
}

}  // namespace

void AgreedSize::renew(MPI_Comm own, int ranks, const OwnSizes& mine) {
    const std::int64_t head = std::min(mine.largest_block, most_room / ranks);
    std::array<int, 2> largest = {number_of(size_bucket(mine.all)), static_cast<int>(head)};
    host::check(maximum_of_all(own, largest));
    const std::int64_t key_bytes = bucket_of(largest[0]);
    if (key_bytes != key_bytes_ || capacity_ != largest[1]) forget_known_calls();
    key_bytes_ = key_bytes;
    capacity_ = largest[1];
}

}  // namespace tasuki::interpose
