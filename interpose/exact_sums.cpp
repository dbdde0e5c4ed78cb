#include "interpose/exact_sums.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "execute/chunk_sizes.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/scratch.hpp"
#include "reduce/exact_block_sum.hpp"

namespace tasuki::interpose {

namespace {

std::size_t bytes(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// Blocks that lie one behind the other.
class Blocks {
  public:
    Blocks(std::span<const std::int64_t> counts, std::int64_t element_bytes)
        : counts_(counts), places_(UnevenChunks::packed(counts)), element_bytes_(element_bytes) {}

    std::span<const std::int64_t> counts() const { return counts_; }
    std::int64_t element_bytes() const { return element_bytes_; }
    const UnevenChunks& places() const { return places_; }
    std::byte* block(std::byte* base, std::int64_t number) const {
        return base + places_.cut[bytes(number)] * element_bytes_;
    }
    Buffer buffer(std::byte* base) const {
        Buffer buffer = Buffer::contiguous(base, element_bytes_);
        buffer.uneven = &places_;
        return buffer;
    }

  private:
    std::span<const std::int64_t> counts_;  // elements
    UnevenChunks places_;
    std::int64_t element_bytes_;
};

/// Makes it empty, and leaves the others where they are.
void leave_out(std::int64_t chunk, UnevenChunks& chunks) {
    const auto after = chunks.cut.begin() + chunk + 1;
    const std::int64_t units = *after - *(after - 1);
    std::for_each(after, chunks.cut.end(), [&](std::int64_t& cut) { cut -= units; });
}

const Choice& exchange_row() {
    static const Choice choice = parse_choice("alltoallv", "spread");
    return choice;
}

/// To all ranks, or to `root`.
const Choice& gather_row(std::optional<int> root) {
    static const Choice to_all = parse_choice("allgather", "recursive-doubling");
    static const Choice to_root = parse_choice("gather", "binomial");
    return root ? to_root : to_all;
}

Machine& machine_of(Communicator& communicator, const Choice& choice, int root) {
    return *communicator.programs().get(&choice, root).machine;
}

/// The blocks of all ranks, of which each has its own at `block`.
void gather_blocks(Communicator& communicator, std::optional<int> root, std::byte* block,
                   std::byte* all, const Blocks& blocks) {
    Machine& machine = machine_of(communicator, gather_row(root), root.value_or(0));
    const Blocks own(blocks.counts().subspan(bytes(communicator.rank()), 1),
                     blocks.element_bytes());
    const UnevenChunks scratch = scratch_of(machine.program(), blocks.counts());
    execute(communicator, machine,
            {.input = own.buffer(block),
             .output = blocks.buffer(all),
             .unit_bytes = blocks.element_bytes(),
             .scratch = &scratch});
}

}  // namespace

/// What the ranks contribute to the same elements: vector s is that of rank s.
class ExactSums::Parts {
  public:
    Parts(const ExactSums& sums, std::int64_t count)
        : communicator_(sums.communicator_),
          element_bytes_(sums.element_bytes_),
          count_(count),
          memory_(bytes(sums.communicator_.ranks() * count * sums.element_bytes_)),
          own_(room(sums.communicator_.rank())) {}

    const std::byte* vector(std::int64_t rank) const {
        return rank == communicator_.rank() ? own_ : room(rank);
    }
    /// Where results may be put for rank `rank`, once the vectors of it and later ranks are no
    /// longer needed.
    std::byte* room(std::int64_t rank) const {
        return memory_.data() + rank * count_ * element_bytes_;
    }

    /// The vectors of all ranks: on all ranks, or on `root`.
    void gather(std::byte* input, std::optional<int> root) {
        const int ranks = communicator_.ranks();
        if (!root && ranks <= most_straight) {
            UnevenChunks whole = UnevenChunks::packed(std::vector(bytes(ranks), count_));
            std::ranges::fill(whole.place, 0);
            receive(input, input, std::move(whole));
            return;
        }
        const std::int64_t vector_bytes = count_ * element_bytes_;
        execute(communicator_, machine_of(communicator_, gather_row(root), root.value_or(0)),
                {.input = Buffer::contiguous(input, vector_bytes),
                 .output = Buffer::contiguous(memory_.data(), vector_bytes),
                 .unit_bytes = vector_bytes});
    }
    /// Vector s is what rank s has in the block of this rank.
    void receive(std::byte* input, const Blocks& blocks) {
        receive(input, blocks.block(input, communicator_.rank()), blocks.places());
    }
    /// The other way round: what stands in room s becomes this rank's block of rank s.
    void send(std::byte* output, const Blocks& blocks) {
        const UnevenChunks rooms =
            UnevenChunks::packed(std::vector(bytes(communicator_.ranks()), count_));
        exchange(memory_.data(), rooms, output, blocks.places());
    }

  private:
    /// So many ranks send each other short vectors straight.
    static constexpr int most_straight = 4;

    /// Chunk s of the input goes to rank s; `own` stays where it is.
    void receive(std::byte* input, const std::byte* own, UnevenChunks chunks) {
        UnevenChunks rooms =
            UnevenChunks::packed(std::vector(bytes(communicator_.ranks()), count_));
        leave_out(communicator_.rank(), chunks);
        leave_out(communicator_.rank(), rooms);
        exchange(input, chunks, memory_.data(), rooms);
        own_ = own;
    }
    void exchange(std::byte* input, const UnevenChunks& from, std::byte* output,
                  const UnevenChunks& to) {
        Work work{.input = Buffer::contiguous(input, element_bytes_),
                  .output = Buffer::contiguous(output, element_bytes_)};
        work.input.uneven = &from;
        work.output.uneven = &to;
        execute(communicator_, machine_of(communicator_, exchange_row(), 0), work);
    }

    Communicator& communicator_;
    std::int64_t element_bytes_;
    std::int64_t count_;
    Scratch memory_;
    const std::byte* own_;
};

ExactSums::ExactSums(Communicator& communicator, reduction::Element element, const std::byte* input,
                     std::int64_t count)
    : communicator_(communicator),
      element_(element),
      element_bytes_(static_cast<std::int64_t>(reduction::info(element).bytes)),
      input_(const_cast<std::byte*>(input)),
      count_(count) {}

bool ExactSums::come_together() const {
    const std::int64_t bytes = count_ * element_bytes_;
    if (communicator_.ranks() <= 2) return bytes <= most_of_two;
    return bytes <= std::min(most_whole, most_gathered / communicator_.ranks());
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
    to_every_or_one(std::nullopt, output);
}

void ExactSums::to_root(int root, std::byte* output) {
    to_every_or_one(root, output);
}

void ExactSums::to_every_or_one(std::optional<int> root, std::byte* output) {
    const int rank = communicator_.rank();
    const bool gets_all = !root || *root == rank;
    if (come_together()) {
        Parts parts(*this, count_);
        parts.gather(input_, root);
        if (gets_all) sum(parts, 0, communicator_.ranks(), output, count_);
        return;
    }
    const auto counts = cut_evenly(count_, communicator_.ranks());
    const Blocks blocks(counts, element_bytes_);
    Parts parts(*this, counts[bytes(rank)]);
    parts.receive(input_, blocks);
    // Where it is wanted, if it is wanted on this rank: there it need not be copied.
    std::byte* own = gets_all ? blocks.block(output, rank) : parts.room(0);
    sum(parts, 0, communicator_.ranks(), own, counts[bytes(rank)]);
    gather_blocks(communicator_, root, own, output, blocks);
}

void ExactSums::to_blocks(std::span<const std::int64_t> counts, std::byte* output) {
    const Blocks blocks(counts, element_bytes_);
    const std::int64_t own = counts[bytes(communicator_.rank())];
    if (come_together()) {
        Parts parts(*this, count_);
        parts.gather(input_, std::nullopt);
        const std::int64_t before =
            std::accumulate(counts.begin(), counts.begin() + communicator_.rank(), std::int64_t{0});
        sum(parts, before, communicator_.ranks(), output, own);
        return;
    }
    Parts parts(*this, own);
    parts.receive(input_, blocks);
    sum(parts, 0, communicator_.ranks(), output, own);
}

void ExactSums::prefixes(std::byte* output) {
    prefixes_of(true, output);
}

void ExactSums::prefixes_below(std::byte* output) {
    prefixes_of(false, output);
}

void ExactSums::prefixes_of(bool includes_own, std::byte* output) {
    const std::int64_t rank = communicator_.rank();
    if (come_together()) {
        Parts parts(*this, count_);
        parts.gather(input_, std::nullopt);
        if (rank + includes_own > 0) sum(parts, 0, rank + includes_own, output, count_);
        return;
    }
    const auto counts = cut_evenly(count_, communicator_.ranks());
    const Blocks blocks(counts, element_bytes_);
    const std::int64_t own = counts[bytes(rank)];
    Parts parts(*this, own);
    parts.receive(input_, blocks);
    // Downwards, because each takes the place of a part that is then needed no more.
    for (std::int64_t of = communicator_.ranks() - 1; of + includes_own > 0; --of) {
        sum(parts, 0, of + includes_own, parts.room(of), own);
    }
    // Rank 0 has no place for what there is not.
    const bool gets_nothing = !includes_own && rank == 0;
    const Scratch unused(gets_nothing ? bytes(count_ * element_bytes_) : 0);
    parts.send(gets_nothing ? unused.data() : output, blocks);
}

}  // namespace tasuki::interpose
