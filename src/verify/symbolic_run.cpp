#include "verify/symbolic_run.hpp"

#include <algorithm>

#include "verify/describe.hpp"

namespace tasuki {

SymbolicRun::SymbolicRun(const Schedule& schedule)
    : schedule_(schedule), met_(match_messages(schedule)), expressions_(schedule.programs) {
    ranks_.reserve(schedule.programs.size());
    for (const Program& program : schedule.programs) {
        const std::size_t chunks = std::size_t(program.output_chunks) + program.scratch_chunks;
        Rank& rank = ranks_.emplace_back(Rank{Dependents(program),
                                              {},
                                              std::vector<bool>(program.steps.size()),
                                              std::vector<Value>(chunks, unwritten),
                                              std::vector<StepId>(chunks, no_step)});
        rank.pending.reserve(program.steps.size());
        for (const Step& step : program.steps) rank.pending.push_back(step.after_count);
    }
    const auto ranks = static_cast<std::int32_t>(ranks_.size());
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        for (StepId step = 0; step < ranks_[rank].pending.size(); ++step) {
            if (ranks_[rank].pending[step] == 0) ready_.push_back({rank, step});
        }
    }
    while (!ready_.empty()) {
        const Place place = ready_.back();
        ready_.pop_back();
        start_if_ready(place);
    }
    for (std::int32_t rank = 0; rank < ranks; ++rank) report_stuck(rank);
}

// A message passes at whichever of its ends becomes ready last.
void SymbolicRun::start_if_ready(Place place) {
    const Step& step = this->step(place);
    if (step.kind == StepKind::copy) {
        move(place, place);
    } else if (step.kind == StepKind::reduce) {
        reduce(place);
    } else {
        const StepId met = met_[place.rank][place.step];
        if (met == no_step) return;
        const Place peer{step.peer, met};
        const Rank& there = ranks_[peer.rank];
        if (there.pending[met] > 0 || there.completed[met]) return;
        if (ranks_[place.rank].completed[place.step]) return;
        move(step.kind == StepKind::send ? place : peer,
             step.kind == StepKind::send ? peer : place);
        complete(step.kind == StepKind::send ? place : peer);
        complete(step.kind == StepKind::send ? peer : place);
        return;
    }
    complete(place);
}

void SymbolicRun::complete(Place place) {
    Rank& rank = ranks_[place.rank];
    rank.completed[place.step] = true;
    order_.push_back(place);
    for (StepId dependent : rank.dependents.of(place.step)) {
        if (--rank.pending[dependent] == 0) ready_.push_back({place.rank, dependent});
    }
}

void SymbolicRun::move(Place reader, Place writer) {
    const Region& from = step(reader).from;
    const std::int32_t count = std::min(from.count, step(writer).to.count);
    for (std::int32_t position = 0; position < count; ++position) {
        write(writer, position, read(reader, from, position));
    }
}

void SymbolicRun::reduce(Place place) {
    const Step& step = this->step(place);
    for (std::int32_t position = 0; position < step.to.count; ++position) {
        const Value from = read(place, step.from, position);
        const Value to = read(place, step.to, position);
        write(place, position,
              step.from_operand == Operand::left ? expressions_.combine(from, to)
                                                 : expressions_.combine(to, from));
    }
}

Value SymbolicRun::read(Place place, const Region& region, std::int32_t position) {
    if (region.space == Space::input) {
        return expressions_.leaf({place.rank, region.chunk(position)});
    }
    const Value value = ranks_[place.rank].values[index(place, region, position)];
    if (value != unwritten) return value;
    report_unwritten(place, region, position);
    return unknown;
}

void SymbolicRun::write(Place place, std::int32_t position, Value value) {
    Rank& rank = ranks_[place.rank];
    const std::size_t chunk = index(place, step(place).to, position);
    rank.values[chunk] = value;
    rank.writers[chunk] = place.step;
}

std::size_t SymbolicRun::index(Place place, const Region& region, std::int32_t position) const {
    const std::size_t before =
        region.space == Space::scratch ? schedule_.programs[place.rank].output_chunks : 0;
    return before + region.chunk(position);
}

void SymbolicRun::report_unwritten(Place place, const Region& region, std::int32_t position) {
    // One finding a step: the first chunk tells enough.
    if (!findings_.empty() && findings_.back().rank == place.rank &&
        findings_.back().step == place.step) {
        return;
    }
    const std::int32_t chunk = region.chunk(position);
    const char* verb = step(place).kind == StepKind::reduce && region == step(place).to
                           ? " reduces into "
                           : " reads ";
    findings_.push_back({place.rank, place.step, chunk,
                         describe(schedule_, place.rank, place.step) + verb +
                             describe(region.space, chunk) + " before anything is written there"});
}

std::optional<StepId> SymbolicRun::first_incomplete(std::int32_t rank) const {
    const auto& completed = ranks_[rank].completed;
    const auto found = std::find(completed.begin(), completed.end(), false);
    if (found == completed.end()) return {};
    return static_cast<StepId>(found - completed.begin());
}

// Steps come after steps of lower number only, so the first incomplete step waits for nothing in
// its own program: it is a message, and waits for its peer.
void SymbolicRun::report_stuck(std::int32_t rank) {
    const std::optional<StepId> stuck = first_incomplete(rank);
    if (!stuck) return;
    ended_ = false;
    const Step& step = schedule_.programs[rank].steps[*stuck];
    const Region& region = step.kind == StepKind::send ? step.from : step.to;
    std::string message = describe(schedule_, rank, *stuck);
    if (!region.empty()) message += " of " + describe(region.space, region.first);
    message += " never completes: it waits for ";
    const StepId met = met_[rank][*stuck];
    if (met == no_step) {
        message += "rank " + std::to_string(step.peer) + ", where nothing meets it";
    } else {
        message += describe(schedule_, step.peer, met) + ", which cannot start because of step " +
                   std::to_string(*first_incomplete(step.peer));
    }
    findings_.push_back(
        {rank, stuck, region.empty() ? std::nullopt : std::optional(region.first), message});
}

Value SymbolicRun::output(std::int32_t rank, std::int32_t chunk) const {
    return ranks_[rank].values[chunk];
}

std::optional<StepId> SymbolicRun::output_writer(std::int32_t rank, std::int32_t chunk) const {
    const StepId writer = ranks_[rank].writers[chunk];
    return writer == no_step ? std::nullopt : std::optional(writer);
}

std::string SymbolicRun::expression(std::int32_t rank, std::int32_t chunk) const {
    return expressions_.text(output(rank, chunk));
}

}  // namespace tasuki
