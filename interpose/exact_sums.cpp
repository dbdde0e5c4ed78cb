#include "interpose/exact_sums.hpp"

#include <exception>
#include <vector>

#include "execute/chunk_sizes.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/scratch.hpp"
#include "reduce/exact_block_sum.hpp"

namespace tasuki::interpose {

namespace {

/// Blocks that lie one behind the other.
struct Blocks {
    std::span<const std::int64_t> counts;  ///< elements
    UnevenChunks places;
    std::int64_t element_bytes;

    Blocks(std::span<const std::int64_t> counts, std::int64_t element_bytes)
        : counts(counts), places(UnevenChunks::packed(counts)), element_bytes(element_bytes) {}

    Buffer buffer(std::byte* base) const {
        Buffer buffer = Buffer::contiguous(base, element_bytes);
        buffer.uneven = &places;
        return buffer;
    }
};

/// Runs a row that moves blocks; `sizes` are theirs by their numbers (Contract::size_of).
void run(Communicator& communicator, const Choice& choice, int root, const Buffer& input,
         const Buffer& output, const Blocks& sizes) {
    Machine& machine = *communicator.programs().get(&choice, root).machine;
    const UnevenChunks scratch = scratch_of(machine.program(), sizes.counts);
    execute(
        communicator, machine,
        {.input = input, .output = output, .unit_bytes = sizes.element_bytes, .scratch = &scratch});
}

/// Block s of the output is what rank s has for this rank.
void exchange(Communicator& communicator, const Buffer& input, const Buffer& output,
              const Blocks& sizes) {
    static const Choice choice = parse_choice("alltoallv", "spread");
    run(communicator, choice, 0, input, output, sizes);
}

/// The blocks of all ranks, on every rank.
void gather_to_all(Communicator& communicator, std::byte* block, std::byte* all,
                   const Blocks& blocks) {
    static const Choice choice = parse_choice("allgather", "recursive-doubling");
    const Blocks own(blocks.counts.subspan(static_cast<std::size_t>(communicator.rank()), 1),
                     blocks.element_bytes);
    run(communicator, choice, 0, own.buffer(block), blocks.buffer(all), blocks);
}

/// The blocks of all ranks, on `root`.
void gather_to_root(Communicator& communicator, int root, std::byte* block, std::byte* all,
                    const Blocks& blocks) {
    static const Choice choice = parse_choice("gather", "binomial");
    const Blocks own(blocks.counts.subspan(static_cast<std::size_t>(communicator.rank()), 1),
                     blocks.element_bytes);
    run(communicator, choice, root, own.buffer(block), blocks.buffer(all), blocks);
}

std::size_t bytes(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// Memory that messages go to and come from: after an error the host may still use it.
class MessageMemory {
  public:
    explicit MessageMemory(std::int64_t size) : memory_(bytes(size)) {}
    ~MessageMemory() {
        if (std::uncaught_exceptions() > exceptions_) memory_.leave_for_ever();
    }
    MessageMemory(const MessageMemory&) = delete;
    MessageMemory& operator=(const MessageMemory&) = delete;

    std::byte* data() const { return memory_.data(); }

  private:
    Scratch memory_;
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

/// What the ranks contribute to the same elements: vector s is that of rank s.
class ExactSums::Parts {
  public:
    Parts(const ExactSums& sums, std::int64_t count)
        : counts_(bytes(sums.communicator_.ranks()), count),
          vectors_(counts_, sums.element_bytes_),
          vector_bytes_(count * sums.element_bytes_),
          memory_(sums.communicator_.ranks() * vector_bytes_) {}

    std::byte* data() const { return memory_.data(); }
    const Blocks& vectors() const { return vectors_; }
    Buffer buffer() const { return vectors_.buffer(data()); }
    std::byte* vector(std::int64_t rank) const { return data() + rank * vector_bytes_; }

  private:
    std::vector<std::int64_t> counts_;
    Blocks vectors_;
    std::int64_t vector_bytes_;
    MessageMemory memory_;
};

ExactSums::ExactSums(Communicator& communicator, reduction::Element element, const std::byte* input,
                     std::int64_t count)
    : communicator_(communicator),
      element_(element),
      element_bytes_(static_cast<std::int64_t>(reduction::info(element).bytes)),
      input_(const_cast<std::byte*>(input)),
      count_(count) {}

bool ExactSums::come_together() const {
    return count_ * element_bytes_ <= most_gathered / communicator_.ranks();
}

/// Of `count` elements from the `first` on of the parts.
void ExactSums::sum(const Parts& parts, std::int64_t first, std::int64_t contributors,
                    std::byte* result, std::int64_t count) const {
    std::vector<const std::byte*> from(bytes(contributors));
    for (std::int64_t rank = 0; rank < contributors; ++rank) {
        from[bytes(rank)] = parts.vector(rank) + first * element_bytes_;
    }
    reduction::exact_block_sum(element_, from.data(), from.size(), result, bytes(count));
}

void ExactSums::to_all(std::byte* output) {
    const std::int64_t ranks = communicator_.ranks();
    if (come_together()) {
        const Parts parts(*this, count_);
        gather_to_all(communicator_, input_, parts.data(), parts.vectors());
        sum(parts, 0, ranks, output, count_);
        return;
    }
    const auto counts = cut_evenly(count_, communicator_.ranks());
    const Blocks blocks(counts, element_bytes_);
    const std::int64_t own = counts[bytes(communicator_.rank())];
    const Parts parts(*this, own);
    exchange(communicator_, blocks.buffer(input_), parts.buffer(), blocks);
    sum(parts, 0, ranks, parts.data(), own);
    gather_to_all(communicator_, parts.data(), output, blocks);
}

void ExactSums::to_root(int root, std::byte* output) {
    const std::int64_t ranks = communicator_.ranks();
    const bool is_root = communicator_.rank() == root;
    if (come_together()) {
        const Parts parts(*this, count_);
        gather_to_root(communicator_, root, input_, parts.data(), parts.vectors());
        if (is_root) sum(parts, 0, ranks, output, count_);
        return;
    }
    const auto counts = cut_evenly(count_, communicator_.ranks());
    const Blocks blocks(counts, element_bytes_);
    const std::int64_t own = counts[bytes(communicator_.rank())];
    const Parts parts(*this, own);
    exchange(communicator_, blocks.buffer(input_), parts.buffer(), blocks);
    sum(parts, 0, ranks, parts.data(), own);
    gather_to_root(communicator_, root, parts.data(), output, blocks);
}

void ExactSums::to_blocks(std::span<const std::int64_t> counts, std::byte* output) {
    const std::int64_t ranks = communicator_.ranks();
    const Blocks blocks(counts, element_bytes_);
    const std::size_t rank = bytes(communicator_.rank());
    if (come_together()) {
        const Parts parts(*this, count_);
        gather_to_all(communicator_, input_, parts.data(), parts.vectors());
        sum(parts, blocks.places.cut[rank], ranks, output, counts[rank]);
        return;
    }
    const Parts parts(*this, counts[rank]);
    exchange(communicator_, blocks.buffer(input_), parts.buffer(), blocks);
    sum(parts, 0, ranks, output, counts[rank]);
}

void ExactSums::prefixes(std::byte* output) {
    prefixes_of(true, output);
}

void ExactSums::prefixes_below(std::byte* output) {
    prefixes_of(false, output);
}

void ExactSums::prefixes_of(bool includes_own, std::byte* output) {
    const std::int64_t ranks = communicator_.ranks();
    const std::int64_t rank = communicator_.rank();
    if (come_together()) {
        const Parts parts(*this, count_);
        gather_to_all(communicator_, input_, parts.data(), parts.vectors());
        if (rank + includes_own > 0) sum(parts, 0, rank + includes_own, output, count_);
        return;
    }
    const auto counts = cut_evenly(count_, communicator_.ranks());
    const Blocks blocks(counts, element_bytes_);
    const std::int64_t own = counts[bytes(rank)];
    const Parts parts(*this, own);
    exchange(communicator_, blocks.buffer(input_), parts.buffer(), blocks);
    // Downwards, because each takes the place of a part that is then needed no more.
    for (std::int64_t of = ranks - 1; of + includes_own > 0; --of) {
        sum(parts, 0, of + includes_own, parts.vector(of), own);
    }
    // Rank 0 has no place for what there is not.
    const MessageMemory unused(!includes_own && rank == 0 ? count_ * element_bytes_ : 0);
    const Buffer sums = blocks.buffer(!includes_own && rank == 0 ? unused.data() : output);
    exchange(communicator_, parts.buffer(), sums, blocks);
}

}  // namespace tasuki::interpose
