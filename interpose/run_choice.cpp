#include "interpose/run_choice.hpp"

#include <exception>
#include <new>
#include <string>

#include "interpose/abort_run.hpp"
#include "interpose/say.hpp"
#include "interpose/scratch.hpp"

namespace tasuki::interpose {

namespace {

Handled fail(MPI_Comm communicator, int code) {
    PMPI_Comm_call_errhandler(communicator, code);
    return {true, code};
}

Buffer scratch_buffer(const Scratch& memory, const Work& work) {
    Buffer buffer = Buffer::contiguous(memory.data(), work.unit_bytes);
    buffer.uneven = work.scratch;
    return buffer;
}

}  // namespace

void execute(Communicator& communicator, Machine& machine, const Work& work,
             const Choice* repeated) {
    PostedRound* const posted = machine.posted(work.input, work.output, work.scratch);
    memory::Boards* const boards =
        posted == nullptr ? nullptr
                          : communicator.memory().boards_for(posted->facts(), work.unit_bytes);
    const std::int64_t units = work.scratch != nullptr ? work.scratch->cut.back()
                                                       : machine.scratch_chunks(boards != nullptr);
    Scratch scratch(static_cast<std::size_t>(units * work.unit_bytes));
    const Binding binding{.input = work.input,
                          .output = work.output,
                          .scratch = scratch_buffer(scratch, work),
                          .transport = &communicator.transport(machine.carrier()),
                          .first_tag = communicator.tags().first(),
                          .combine = work.combine};
    call_in_hand.begin_run();
    machine.run(binding, boards);
    const bool may_be_bound = work.may_be_bound && machine.carrier() == Carrier::host &&
                              BoundExchange::may_be_of(machine.program()) &&
                              machine.bytes() <= PreparedPrograms::largest_kept;
    if (work.is_whole_call && !may_be_bound) {
        call_in_hand.note_run({.machine = &machine,
                               .boards = boards,
                               .combine = work.combine,
                               .unit_bytes = work.unit_bytes,
                               .changes = known_call_changes.load(std::memory_order_relaxed)},
                              work, communicator);
    }
    if (may_be_bound && repeated != nullptr) {
        communicator.repeated_call().bind(repeated, machine.program(), binding);
    }
    if (!work.more_follows) communicator.programs().drop_passing();
}

[[gnu::cold]] Handled end_failed_call(Collective collective, MPI_Comm parent) {
    Communicator::note_failure(parent);
    const std::string name(collective_names[static_cast<std::size_t>(collective)]);
    try {
        throw;
    } catch (const TransportError& error) {
        return fail(parent, error.code());
    } catch (const std::bad_alloc&) {
        abort_run("finds no memory for the algorithm that " + name + " was to run by");
    } catch (const std::exception& error) {
        say(name + " failed inside Tasuki: " + error.what());
        return fail(parent, MPI_ERR_INTERN);
    }
}

}  // namespace tasuki::interpose
