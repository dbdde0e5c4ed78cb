#include "interpose/shared_exact_sum.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "interpose/communicator.hpp"
#include "interpose/run_choice.hpp"

namespace tasuki::interpose {

namespace {

using reduction::ExactSum;
using Serialised = std::array<std::byte, ExactSum::serialised_bytes>;

/// Which operand is the left one does not matter: the sum is exact.
void merge_serialised(const std::byte* from, Operand, std::byte* to, std::int64_t bytes) {
    constexpr auto each = static_cast<std::int64_t>(ExactSum::serialised_bytes);
    for (std::int64_t at = 0; at < bytes; at += each) {
        ExactSum sum = ExactSum::deserialise(to + at);
        sum.merge(ExactSum::deserialise(from + at));
        sum.serialise(to + at);
    }
}

}  // namespace

ExactSum sum_over_ranks(MPI_Comm parent, const ExactSum& mine) {
    static const Choice choice = parse_choice("allreduce", "canonical-tree");
    static const Combine merge = merge_serialised;
    if (parent == MPI_COMM_NULL) throw std::invalid_argument("the communicator is none");
    Communicator* communicator = Communicator::of(parent);
    if (communicator == nullptr) throw std::runtime_error(Communicator::why_not(parent));
    communicator->begin_call();
    Serialised from, to;
    mine.serialise(from.data());
    execute(*communicator, *communicator->programs().get(&choice, 0).machine,
            {.input = Buffer::contiguous(from.data(), from.size()),
             .output = Buffer::contiguous(to.data(), to.size()),
             .unit_bytes = static_cast<std::int64_t>(to.size()),
             .combine = &merge});
    return ExactSum::deserialise(to.data());
}

}  // namespace tasuki::interpose
