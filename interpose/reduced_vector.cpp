#include "interpose/reduced_vector.hpp"

#include <algorithm>

#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/exact_sums.hpp"
#include "interpose/planned_reduction.hpp"
#include "interpose/program_array.hpp"
#include "interpose/reduction.hpp"
#include "interpose/reduction_plan.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/vector_blocks.hpp"
#include "interpose/vector_cut.hpp"
#include "reduce/exact_block_sum.hpp"

namespace tasuki::interpose {

namespace {

bool is_in_place(const VectorArguments& arguments) {
    return arguments.send == MPI_IN_PLACE;
}

/// A call on its communicator.
class VectorCall {
  public:
    VectorCall(const VectorArguments& arguments, const Reduction& reduction,
               Communicator& communicator)
        : arguments_(arguments), reduction_(reduction), communicator_(communicator) {}

    bool is_valid() const {
        return has_valid_buffers(arguments_, communicator_.rank(), communicator_.ranks());
    }
    /// Collective.
    bool meets_device_memory() const;
    MPI_Count bytes() const { return arguments_.count * reduction_.element_bytes(); }

    void run(Machine& machine, const Combine& combine, bool late_device) const;
    void sum_exactly(const Choice& way, bool late_device) const;

    CheckedCall checked() const {
        return {arguments_.collective, arguments_.root,   send(), receive(),
                is_in_place(),         {arguments_.count}};
    }

  private:
    bool is_in_place() const { return interpose::is_in_place(arguments_); }
    const void* send() const { return is_in_place() ? arguments_.receive : arguments_.send; }
    /// nullptr where this rank gets nothing.
    void* receive() const { return gets_result() ? arguments_.receive : nullptr; }
    bool gets_result() const { return interpose::gets_result(arguments_, communicator_.rank()); }
    /// Whether the result is what a single rank gave.
    bool is_lone_term() const {
        return (arguments_.collective == Collective::scan && communicator_.rank() == 0) ||
               (arguments_.collective == Collective::exscan && communicator_.rank() == 1);
    }
    void round_lone_term(std::byte* term) const;
    ProgramArray array(const void* address, bool is_copy, bool late_device) const {
        return {communicator_, address, arguments_.count, arguments_.type,
                bytes(),       is_copy, late_device};
    }

    const VectorArguments& arguments_;
    const Reduction& reduction_;
    Communicator& communicator_;
};

bool VectorCall::meets_device_memory() const {
    return any_rank_has_device_memory(communicator_, {send(), receive()});
}

void VectorCall::run(Machine& machine, const Combine& combine, bool late_device) const {
    ProgramArray input = array(send(), is_in_place() && gets_result(), late_device);
    ProgramArray output = array(receive(), reduction_.has_gaps(), late_device);
    input.fetch();
    const Program& program = machine.program();
    const std::int64_t element = reduction_.element_bytes();
    const std::int64_t count = arguments_.count;
    const std::int64_t most =
        machine.gathers()
            ? program.input_chunks * elements_of_a_pass(communicator_.ranks(), element)
            : count;
    const bool rounds_lone_term = is_lone_term() && &combine != &reduction_.combine();
    for (std::int64_t first = 0; first < count; first += most) {
        const VectorCut cut(std::min(most, count - first), element, program.input_chunks, program);
        Work work = cut.work(behind(input.data(), first * element),
                             behind(output.data(), first * element), &combine);
        work.is_whole_call = most >= count && !rounds_lone_term;
        work.more_follows = first + most < count;
        execute(communicator_, machine, work);
    }
    if (rounds_lone_term) round_lone_term(output.data());
    if (gets_result()) output.deliver(reduction_);
}

/// A NaN becomes the one that exact sums have.
void VectorCall::round_lone_term(std::byte* term) const {
    const std::byte* const terms[] = {term};
    reduction::exact_block_sum(*reduction_.exact_sum_of(), terms, 1, term,
                               static_cast<std::size_t>(arguments_.count));
}

void VectorCall::sum_exactly(const Choice& way, bool late_device) const {
    ProgramArray input = array(send(), false, late_device);
    ProgramArray output = array(receive(), false, late_device);
    input.fetch();
    ExactSums sums(communicator_, way, *reduction_.exact_sum_of(), input.data(), arguments_.count);
    switch (arguments_.collective) {
        case Collective::reduce:
            sums.to_root(arguments_.root, output.data());
            break;
        case Collective::scan:
            sums.prefixes(output.data());
            break;
        case Collective::exscan:
            sums.prefixes_below(output.data());
            break;
        default:
            sums.to_all(output.data());
    }
    if (gets_result()) output.deliver(reduction_);
}

Handled handle(const VectorArguments& arguments) {
    const Collective collective = arguments.collective;
    // What is wrong with the arguments is the host's to say.
    if (arguments.parent == MPI_COMM_NULL || arguments.count < 0) {
        return to_the_host(collective, "its arguments are invalid");
    }
    if (arguments.count == 0) return nothing_to_do(collective, "there is nothing to reduce");
    return with_reduction(
        collective, arguments.root, arguments.operation, arguments.type, arguments.parent,
        [&](const Reduction& reduction, Communicator& communicator, const PlannedCall& call) {
            return run_by_plan(call, VectorCall(arguments, reduction, communicator), reduction,
                               communicator);
        });
}

}  // namespace

bool gets_result(const VectorArguments& arguments, int rank) {
    switch (arguments.collective) {
        case Collective::reduce:
            return rank == arguments.root;
        case Collective::exscan:
            return rank > 0;
        default:
            return true;
    }
}

bool has_valid_buffers(const VectorArguments& arguments, int rank, int ranks) {
    if (arguments.root < 0 || arguments.root >= ranks) return false;
    const bool gets = gets_result(arguments, rank), in_place = is_in_place(arguments);
    if ((gets || in_place) && (arguments.receive == nullptr || arguments.receive == MPI_IN_PLACE)) {
        return false;
    }
    const bool may_be_in_place = gets || arguments.collective == Collective::exscan;
    return arguments.send != nullptr && (may_be_in_place || !in_place);
}

Handled handle_vector(const VectorArguments& arguments) {
    return handle_safely(arguments.collective, arguments.parent, [&] { return handle(arguments); });
}

}  // namespace tasuki::interpose
