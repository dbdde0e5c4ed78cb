// MPI_Reduce_scatter and MPI_Reduce_scatter_block.
#include <algorithm>
#include <numeric>
#include <vector>

#include "execute/chunk_sizes.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/exact_sums.hpp"
#include "interpose/handlers.hpp"
#include "interpose/planned_reduction.hpp"
#include "interpose/program_array.hpp"
#include "interpose/reduced_blocks.hpp"
#include "interpose/reduction.hpp"
#include "interpose/reduction_plan.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/vector_blocks.hpp"

namespace tasuki::interpose {

namespace {

constexpr Collective collective = Collective::reduce_scatter;

struct Arguments {
    const void* send;  ///< MPI_IN_PLACE: what stands in `receive`
    void* receive;
    MPI_Datatype type;
    MPI_Op operation;
    MPI_Comm parent;

    bool is_in_place() const { return send == MPI_IN_PLACE; }
    const void* input() const { return is_in_place() ? receive : send; }
};

/// Elements of the block of each rank.
using Counts = std::vector<std::int64_t>;

MPI_Count total(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), MPI_Count{0});
}

class BlocksCall {
  public:
    BlocksCall(const Arguments& arguments, const Counts& counts, const Reduction& reduction,
               Communicator& communicator)
        : arguments_(arguments),
          counts_(counts),
          reduction_(reduction),
          communicator_(communicator),
          count_(total(counts)),
          own_count_(counts[static_cast<std::size_t>(communicator.rank())]) {}

    MPI_Count bytes() const { return count_ * reduction_.element_bytes(); }
    bool is_valid() const {
        return has_valid_buffers(arguments_.send, arguments_.receive, own_count_);
    }
    /// Collective.
    bool meets_device_memory() const;
    void run(Machine& machine, const Combine& combine, bool late_device) const;
    void sum_exactly(const Choice& way, bool late_device) const;

    CheckedCall checked() const {
        return {collective, 0, arguments_.input(), arguments_.receive, arguments_.is_in_place(),
                counts_};
    }

  private:
    ProgramArray input(bool is_copy, bool late_device) const {
        return {communicator_, arguments_.input(), count_, arguments_.type, bytes(),
                is_copy,       late_device};
    }
    ProgramArray output(bool late_device) const {
        return {communicator_,
                arguments_.receive,
                own_count_,
                arguments_.type,
                own_count_ * reduction_.element_bytes(),
                reduction_.has_gaps(),
                late_device};
    }

    const Arguments& arguments_;
    const Counts& counts_;
    const Reduction& reduction_;
    Communicator& communicator_;
    MPI_Count count_;
    std::int64_t own_count_;
};

bool BlocksCall::meets_device_memory() const {
    return any_rank_has_device_memory(communicator_, {arguments_.input(), arguments_.receive});
}

void BlocksCall::run(Machine& machine, const Combine& combine, bool late_device) const {
    ProgramArray from = input(arguments_.is_in_place(), late_device);
    ProgramArray to = output(late_device);
    from.fetch();
    const std::int64_t element = reduction_.element_bytes();
    const std::int64_t longest = std::ranges::max(counts_);
    const std::int64_t most =
        machine.gathers() ? elements_of_a_pass(communicator_.ranks(), element) : longest;
    if (longest <= most && are_equal(counts_)) {
        const std::int64_t block_bytes = own_count_ * element;
        execute(communicator_, machine,
                {.input = Buffer::contiguous(from.data(), block_bytes),
                 .output = Buffer::contiguous(to.data(), block_bytes),
                 .unit_bytes = block_bytes,
                 .combine = &combine,
                 .is_whole_call = true});
    } else {
        const VectorBlocks blocks(counts_, element);
        for (std::int64_t first = 0; first < longest; first += most) {
            const VectorBlocks pass = blocks.part(first, most);
            const VectorBlocks own(
                pass.counts().subspan(static_cast<std::size_t>(communicator_.rank()), 1), element);
            const UnevenChunks scratch = scratch_of(machine.program(), pass.counts());
            execute(communicator_, machine,
                    {.input = pass.buffer(from.data()),
                     .output = own.buffer(behind(to.data(), first * element)),
                     .unit_bytes = element,
                     .scratch = &scratch,
                     .combine = &combine,
                     .is_whole_call = longest <= most,
                     .more_follows = first + most < longest});
        }
    }
    if (own_count_ > 0) to.deliver(reduction_);
}

void BlocksCall::sum_exactly(const Choice& way, bool late_device) const {
    // A copy in place: the result would overlap the block that it is made of.
    ProgramArray from = input(arguments_.is_in_place(), late_device);
    ProgramArray to = output(late_device);
    from.fetch();
    ExactSums sums(communicator_, way, *reduction_.exact_sum_of(), from.data(), count_);
    sums.to_blocks(counts_, to.data());
    if (own_count_ > 0) to.deliver(reduction_);
}

/// `make_counts`: a function of the number of ranks.
template <typename MakeCounts>
Handled handle(const Arguments& arguments, const MakeCounts& make_counts) {
    if (arguments.parent == MPI_COMM_NULL) {
        return to_the_host(collective, "its arguments are invalid");
    }
    const auto act = [&](const Reduction& reduction, Communicator& communicator,
                         const PlannedCall& call) -> Handled {
        // MPI asks for the same counts on all ranks.
        const Counts counts = make_counts(communicator.ranks());
        if (counts.empty() || std::ranges::min(counts) < 0) {
            return to_the_host(collective, "its arguments are invalid");
        }
        if (total(counts) == 0) return nothing_to_do(collective, "there is nothing to reduce");
        return run_by_plan(call, BlocksCall(arguments, counts, reduction, communicator), reduction,
                           communicator);
    };
    return with_reduction(collective, 0, arguments.operation, arguments.type, arguments.parent,
                          act);
}

}  // namespace

bool has_valid_buffers(const void* send, const void* receive, std::int64_t own_count) {
    const bool is_received = own_count > 0 || send == MPI_IN_PLACE;
    if (is_received && (receive == nullptr || receive == MPI_IN_PLACE)) return false;
    return send != nullptr;
}

Handled handle_reduce_scatter(const void* send, void* receive, Integers counts, MPI_Datatype type,
                              MPI_Op operation, MPI_Comm communicator) {
    return handle_safely(collective, communicator, [&] {
        return handle({send, receive, type, operation, communicator}, [&](int ranks) {
            Counts list;
            for (int rank = 0; rank < ranks && !counts.is_missing(); ++rank) {
                list.push_back(counts[rank]);
            }
            return list;
        });
    });
}

Handled handle_reduce_scatter_block(const void* send, void* receive, MPI_Count count,
                                    MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
    return handle_safely(collective, communicator, [&] {
        return handle({send, receive, type, operation, communicator},
                      [&](int ranks) { return Counts(static_cast<std::size_t>(ranks), count); });
    });
}

}  // namespace tasuki::interpose
