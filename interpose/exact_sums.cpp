#include "interpose/exact_sums.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "execute/chunk_sizes.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/scratch.hpp"
#include "interpose/vector_blocks.hpp"
#include "reduce/exact_block_sum.hpp"

namespace tasuki::interpose {

namespace {

std::size_t bytes(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// Makes it empty, and leaves the others where they are.
void leave_out(std::int64_t chunk, UnevenChunks& chunks) {
    const auto after = chunks.cut.begin() + chunk + 1;
    const std::int64_t units = *after - *(after - 1);
    std::for_each(after, chunks.cut.end(), [&](std::int64_t& cut) { cut -= units; });
}

/// A row of the table with its messages by either carrier.
class Row {
  public:
    Row(std::string_view collective, std::string_view name)
        : by_host_(parse_choice(collective, name)), by_memory_(by_host_) {
        by_memory_.carrier = Carrier::memory;
    }
    Machine& on(Communicator& communicator, Carrier carrier, int root = 0) const {
        const Choice& choice = carrier == Carrier::memory ? by_memory_ : by_host_;
        return *communicator.programs().get(&choice, root).machine;
    }

  private:
    Choice by_host_;
    Choice by_memory_;
};

const Row& exchange_row() {
    static const Row row("alltoallv", "spread");
    return row;
}

/// What brings to a root, or to all ranks, what each of them has: by messages straight from rank to
/// rank, or by fewer that are longer.
const Row& straight_row(bool has_root) {
    static const Row to_all("allgather", "spread");
    static const Row to_root("gather", "linear");
    return has_root ? to_root : to_all;
}

const Row& doubling_row(bool has_root) {
    static const Row to_all("allgather", "recursive-doubling");
    static const Row to_root("gather", "binomial");
    return has_root ? to_root : to_all;
}

/// The blocks of all ranks, of which each has its own at `block`.
void gather_blocks(Communicator& communicator, Carrier carrier, std::optional<int> root,
                   std::byte* block, std::byte* all, const VectorBlocks& blocks) {
    Machine& machine = straight_row(root.has_value()).on(communicator, carrier, root.value_or(0));
    if (are_equal(blocks.counts())) {
        const std::int64_t block_bytes = blocks.counts().front() * blocks.element_bytes();
        execute(communicator, machine,
                {.input = Buffer::contiguous(block, block_bytes),
                 .output = Buffer::contiguous(all, block_bytes),
                 .unit_bytes = block_bytes});
        return;
    }
    const VectorBlocks own(blocks.counts().subspan(bytes(communicator.rank()), 1),
                           blocks.element_bytes());
    execute(communicator, machine,
            {.input = own.buffer(block),
             .output = blocks.buffer(all),
             .unit_bytes = blocks.element_bytes()});
}

}  // namespace

/// What the ranks contribute to the same elements: vector s is that of rank s.
class ExactSums::Parts {
  public:
    /// `sets`: 2 where results have rooms of their own.
    Parts(const ExactSums& sums, std::int64_t count, std::int64_t sets = 1)
        : communicator_(sums.communicator_),
          way_(sums.way_),
          carrier_(sums.carrier_),
          element_bytes_(sums.element_bytes_),
          count_(count),
          memory_(bytes(sets * sums.communicator_.ranks() * count * sums.element_bytes_)),
          own_(room(sums.communicator_.rank())) {}

    std::int64_t count() const { return count_; }
    const std::byte* vector(std::int64_t rank) const {
        return rank == communicator_.rank() ? own_ : room(rank);
    }
    /// Where vector `rank` lies if it is not this rank's, and results may be put.
    std::byte* room(std::int64_t rank) const {
        return memory_.data() + rank * count_ * element_bytes_;
    }
    /// In the second set: where rank `rank`'s results lie.
    std::byte* results(std::int64_t rank) const { return room(communicator_.ranks() + rank); }

    /// The vectors of all ranks, on all ranks.
    void gather(std::byte* input) { gather(input, row(false), 0); }
    void gather_to(int root, std::byte* input) { gather(input, row(true), root); }
    /// The vectors of the ranks below, at least.
    void gather_from_below(std::byte* input) {
        // In memory a vector is posted once for all who want it.
        if (way_ == ExactWay::straight && carrier_ == Carrier::host) {
            send_to_those_after(input);
        } else {
            gather(input);
        }
    }
    /// Vector s is what rank s has in the block of this rank.
    void receive(std::byte* input, const VectorBlocks& blocks) {
        receive(input, blocks.block(input, communicator_.rank()), blocks.places(),
                even(0, communicator_.ranks()));
    }
    /// The other way round: the results of rank s, from the `first` on, become this rank's block of
    /// it.
    void send_results(int first, std::byte* output, const VectorBlocks& blocks) {
        const bool gets_nothing = communicator_.rank() < first;
        exchange(results(0), even(first, communicator_.ranks()), output,
                 gets_nothing ? even(0, 0) : blocks.places());
    }

  private:
    const Row& row(bool has_root) const {
        return way_ == ExactWay::straight ? straight_row(has_root) : doubling_row(has_root);
    }
    void gather(std::byte* input, const Row& row, int root) {
        const std::int64_t vector_bytes = count_ * element_bytes_;
        execute(communicator_, row.on(communicator_, carrier_, root),
                {.input = Buffer::contiguous(input, vector_bytes),
                 .output = Buffer::contiguous(memory_.data(), vector_bytes),
                 .unit_bytes = vector_bytes});
    }
    /// The whole input.
    void send_to_those_after(std::byte* input) {
        std::vector<std::int64_t> sent(bytes(communicator_.ranks()), count_);
        std::fill_n(sent.begin(), communicator_.rank() + 1, 0);
        UnevenChunks whole = UnevenChunks::packed(sent);
        std::ranges::fill(whole.place, 0);
        receive(input, input, std::move(whole), even(0, communicator_.rank()));
    }
    /// The rooms of the ranks from `first` to before `end`; others are empty.
    UnevenChunks even(int first, int end) const {
        std::vector<std::int64_t> counts(bytes(communicator_.ranks()), 0);
        std::fill(counts.begin() + first, counts.begin() + end, count_);
        UnevenChunks rooms = UnevenChunks::packed(counts);
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            rooms.place[rank] = static_cast<std::int64_t>(rank) * count_;
        }
        return rooms;
    }
    /// Chunk s of the input goes to rank s, and what comes from it into room s; `own` stays where
    /// it is.
    void receive(std::byte* input, const std::byte* own, UnevenChunks chunks, UnevenChunks rooms) {
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
        execute(communicator_, exchange_row().on(communicator_, carrier_), work);
    }

    Communicator& communicator_;
    ExactWay way_;
    Carrier carrier_;
    std::int64_t element_bytes_;
    std::int64_t count_;
    Scratch memory_;
    const std::byte* own_;
};

ExactSums::ExactSums(Communicator& communicator, const Choice& way, reduction::Element element,
                     const std::byte* input, std::int64_t count)
    : communicator_(communicator),
      way_(exact_way_of(way)),
      carrier_(way.carrier),
      element_(element),
      element_bytes_(static_cast<std::int64_t>(reduction::info(element).bytes)),
      input_(const_cast<std::byte*>(input)),
      count_(count) {}

/// Of `count` elements from the `first` on of the parts.
void ExactSums::sum(const Parts& parts, std::int64_t first, std::int64_t contributors,
                    std::byte* result, std::int64_t count) const {
    std::vector<const std::byte*> from(bytes(contributors));
    for (std::int64_t rank = 0; rank < contributors; ++rank) {
        from[bytes(rank)] = parts.vector(rank) + first * element_bytes_;
    }
    reduction::exact_block_sum(element_, from.data(), from.size(), result, bytes(count));
}

/// The results of all ranks, of which that of the `first` is the vector of rank 0.
void ExactSums::sum_prefixes(const Parts& parts, int first) const {
    const int contributors = communicator_.ranks() - first;
    if (contributors == 0) return;
    std::vector<const std::byte*> from;
    std::vector<std::byte*> results;
    for (int rank = 0; rank < contributors; ++rank) {
        from.push_back(parts.vector(rank));
        results.push_back(parts.results(rank + first));
    }
    reduction::exact_block_prefixes(element_, from.data(), from.size(), results.data(),
                                    bytes(parts.count()));
}

void ExactSums::to_all(std::byte* output) {
    to_every_or_one(std::nullopt, output);
}

void ExactSums::to_root(int root, std::byte* output) {
    to_every_or_one(root, output);
}

/// `act(first, blocks)`: a run of elements from the `first` on, cut into blocks, that of each rank.
template <typename Act>
void ExactSums::for_each_pass(const Act& act) const {
    const int ranks = communicator_.ranks();
    const std::int64_t most = ranks * elements_of_a_pass(ranks, element_bytes_);
    for (std::int64_t first = 0; first < count_; first += most) {
        act(first, VectorBlocks(cut_evenly(std::min(most, count_ - first), ranks), element_bytes_));
    }
}

void ExactSums::to_every_or_one(std::optional<int> root, std::byte* output) {
    const int rank = communicator_.rank();
    const bool gets_all = !root || *root == rank;
    if (come_together()) {
        Parts parts(*this, count_);
        if (root) {
            parts.gather_to(*root, input_);
        } else {
            parts.gather(input_);
        }
        if (gets_all) sum(parts, 0, communicator_.ranks(), output, count_);
        return;
    }
    for_each_pass([&](std::int64_t first, const VectorBlocks& blocks) {
        const std::int64_t begin = first * element_bytes_;
        const std::int64_t count = blocks.counts()[bytes(rank)];
        Parts parts(*this, count);
        parts.receive(input_ + begin, blocks);
        // Where it is wanted, if it is wanted on this rank: there it need not be copied.
        std::byte* own = gets_all ? blocks.block(output + begin, rank) : parts.room(0);
        sum(parts, 0, communicator_.ranks(), own, count);
        gather_blocks(communicator_, carrier_, root, own, behind(output, begin), blocks);
    });
}

void ExactSums::to_blocks(std::span<const std::int64_t> counts, std::byte* output) {
    const VectorBlocks blocks(counts, element_bytes_);
    const std::int64_t own = counts[bytes(communicator_.rank())];
    if (come_together()) {
        Parts parts(*this, count_);
        parts.gather(input_);
        const std::int64_t before =
            std::accumulate(counts.begin(), counts.begin() + communicator_.rank(), std::int64_t{0});
        sum(parts, before, communicator_.ranks(), output, own);
        return;
    }
    const std::int64_t most = elements_of_a_pass(communicator_.ranks(), element_bytes_);
    for (std::int64_t first = 0; first < std::ranges::max(counts); first += most) {
        const VectorBlocks pass = blocks.part(first, most);
        const std::int64_t count = pass.counts()[bytes(communicator_.rank())];
        Parts parts(*this, count);
        parts.receive(input_, pass);
        sum(parts, 0, communicator_.ranks(), behind(output, first * element_bytes_), count);
    }
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
        parts.gather_from_below(input_);
        if (rank + includes_own > 0) sum(parts, 0, rank + includes_own, output, count_);
        return;
    }
    const int first_with_sum = includes_own ? 0 : 1;
    for_each_pass([&](std::int64_t first, const VectorBlocks& blocks) {
        const std::int64_t begin = first * element_bytes_;
        Parts parts(*this, blocks.counts()[bytes(rank)], 2);
        parts.receive(input_ + begin, blocks);
        sum_prefixes(parts, first_with_sum);
        parts.send_results(first_with_sum, behind(output, begin), blocks);
    });
}

}  // namespace tasuki::interpose
