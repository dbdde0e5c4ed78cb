#include "execute/posted_round.hpp"

#include <algorithm>
#include <utility>

#include "transport/memory/copy_block.hpp"
#include "transport/memory/copy_small.hpp"

namespace tasuki {

namespace {

using memory::Boards;

using memory::Geometry;
static_assert(Geometry::usual_small_board.slot_bytes >=
              sizeof(memory::BoardSlot) + OneRound::most_bytes_to_one);
static_assert(Geometry::usual_large_board.slot_bytes >=
              sizeof(memory::BoardSlot) + OneRound::most_bytes_to_many);

constexpr std::int64_t most_small_bytes = 48;

void post_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    if (bytes <= most_small_bytes) return memory::copy_small(to, from, size);
    memory::fill_block(to, from, size);
}

void take_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    if (bytes <= most_small_bytes) return memory::copy_small(to, from, size);
    memory::read_block(to, from, size, memory::usual_way_to_read(size));
}

/// [step] whether a send comes, by any number of steps, after it.
std::vector<bool> those_before_sends(const Program& program) {
    std::vector<bool> needed(program.steps.size());
    for (std::size_t id = program.steps.size(); id-- > 0;) {
        const bool is_sent = program.steps[id].kind == StepKind::send;
        for (const StepId earlier : program.after(program.steps[id])) {
            if (is_sent || needed[id]) needed[earlier] = true;
        }
    }
    return needed;
}

bool may_overlap(const Region& one, const Region& other) {
    if (one.empty() || other.empty() || one.space != other.space) return false;
    const Extent first = extent_of(one);
    const Extent second = extent_of(other);
    return first.low <= second.high && second.low <= first.high;
}

/// Whether all that happens to what `recv` writes is that other steps read it as a whole.
bool is_only_read(const Program& program, const Step& recv) {
    if (recv.to.space != Space::scratch || recv.to.empty()) return false;
    return std::ranges::all_of(program.steps, [&](const Step& step) {
        if (&step == &recv) return true;
        if (may_overlap(step.to, recv.to)) return false;
        return !may_overlap(step.from, recv.to) || (!step.is_message() && step.from == recv.to);
    });
}

/// The region that the send sends which `recv` of rank `receiver` gets.
const Region& sent_to(std::int32_t receiver, const Program& sender, const Step& recv) {
    return std::ranges::find_if(sender.steps,
                                [&](const Step& step) {
                                    return step.kind == StepKind::send && step.peer == receiver &&
                                           step.message == recv.message;
                                })
        ->from;
}

}  // namespace

std::optional<PostedRound> PostedRound::of(const Program& program, std::int32_t rank,
                                           std::int32_t ranks,
                                           const std::function<Program(std::int32_t)>& generate) {
    PostedRound round;
    std::vector<const Step*> received;
    for (const Step& step : program.steps) {
        if (step.kind != StepKind::recv) continue;
        const bool is_read_in_place = is_only_read(program, step);
        received.push_back(&step);
        round.receipts_.push_back({step.to, 0, step.peer, is_read_in_place});
        if (is_read_in_place) continue;
        round.copied_chunks_ += step.to.count;
        round.need_scratch(step.to);
    }
    const auto see = [&](std::int32_t peer, const Program& other, const PostLayout& layout) {
        if (peer == rank) {
            round.parts_ = layout.parts();
            round.posted_chunks_ = layout.chunks();
            round.copied_chunks_ += layout.chunks();
        }
        for (std::size_t i = 0; i < received.size(); ++i) {
            if (received[i]->peer != peer) continue;
            round.receipts_[i].place = layout.place_of(sent_to(rank, other, *received[i]));
        }
    };
    const std::optional<OneRound> facts = one_round_of(ranks, generate, see);
    if (!facts) return std::nullopt;
    round.facts_ = *facts;
    const std::vector<bool> late = steps_after_receipts(program);
    const std::vector<bool> needed = those_before_sends(program);
    for (std::size_t id = 0; id < program.steps.size(); ++id) {
        const Step& step = program.steps[id];
        if (step.kind == StepKind::send) {
            ++round.sent_messages_;
            round.sent_chunks_ += step.from.count;
            round.need_scratch(step.from);
        }
        if (step.is_message()) continue;
        Local local{step, no_receipt};
        for (std::uint32_t receipt = 0; receipt < round.receipts_.size(); ++receipt) {
            const Receipt& read = round.receipts_[receipt];
            if (read.is_read_in_place && read.to == step.from) local.reads = receipt;
        }
        if (local.reads == no_receipt) round.need_scratch(step.from);
        round.need_scratch(step.to);
        (needed[id] ? round.before_ : late[id] ? round.after_ : round.beside_).push_back(local);
    }
    round.came_.resize(round.receipts_.size());
    return round;
}

void PostedRound::need_scratch(const Region& region) {
    if (region.space != Space::scratch || region.empty()) return;
    scratch_chunks_ =
        std::max(scratch_chunks_, static_cast<std::int32_t>(extent_of(region).high) + 1);
}

std::size_t PostedRound::bytes() const {
    return sizeof *this + (before_.size() + beside_.size() + after_.size()) * sizeof(Local) +
           parts_.size() * sizeof parts_[0] +
           receipts_.size() * (sizeof(Receipt) + sizeof(const std::byte*));
}

void PostedRound::run(const Binding& binding, Boards& boards) {
    try {
        take_all_steps(binding, boards);
    } catch (...) {
        // All ranks have made the call: else the next one would take what was posted for this one.
        boards.finish();
        throw;
    }
    boards.finish();
    const std::int64_t chunk_bytes = binding.scratch.chunk_bytes;
    boards.count(sent_messages_, sent_chunks_ * chunk_bytes, copied_chunks_ * chunk_bytes);
}

void PostedRound::take_all_steps(const Binding& binding, Boards& boards) {
    for (const Local& local : before_) run_local(local, binding);
    if (sent_messages_ > 0) post(binding, boards);
    for (const Local& local : beside_) run_local(local, binding);
    read(binding, boards);
    for (const Local& local : after_) run_local(local, binding);
}

void PostedRound::post(const Binding& binding, Boards& boards) {
    const std::int64_t chunk_bytes = binding.scratch.chunk_bytes;
    std::byte* const room = boards.room(posted_chunks_ * chunk_bytes);
    for (const PostLayout::Part& part : parts_) {
        const Buffer& from = binding[part.region.space];
        const std::int64_t bytes = part.region.count * chunk_bytes;
        if (bytes == 0) continue;
        std::byte* const to = room + part.place * chunk_bytes;
        const std::byte* const address = from.address(part.region.first);
        if (from.type != nullptr) {
            from.type->pack(address, part.region.count * from.chunk_elements, to);
        } else {
            post_bytes(to, address, bytes);
        }
    }
    boards.post();
}

/// Takes what is there first, and waits then.
void PostedRound::read(const Binding& binding, Boards& boards) {
    missing_.clear();
    for (std::uint32_t receipt = 0; receipt < receipts_.size(); ++receipt) {
        const std::byte* const posted = boards.look(receipts_[receipt].peer);
        if (posted != nullptr) {
            take(receipt, posted, binding);
        } else {
            missing_.push_back(receipt);
        }
    }
    for (const std::uint32_t receipt : missing_) {
        const Receipt& one = receipts_[receipt];
        const auto bytes = static_cast<std::uint64_t>(one.to.count * binding.scratch.chunk_bytes);
        take(receipt, boards.wait(one.peer, bytes), binding);
    }
}

void PostedRound::take(std::uint32_t receipt, const std::byte* posted, const Binding& binding) {
    const Receipt& one = receipts_[receipt];
    const std::int64_t chunk_bytes = binding.scratch.chunk_bytes;
    const std::byte* const from = came_[receipt] = posted + one.place * chunk_bytes;
    const std::int64_t bytes = one.to.count * chunk_bytes;
    if (one.is_read_in_place || bytes == 0) return;
    const Buffer& to = binding[one.to.space];
    if (to.type != nullptr) {
        to.type->unpack(from, to.address(one.to.first), one.to.count * to.chunk_elements);
    } else {
        take_bytes(to.address(one.to.first), from, bytes);
    }
}

void PostedRound::run_local(const Local& local, const Binding& binding) const {
    const Step& step = local.step;
    Buffer from = binding[step.from.space];
    if (local.reads != no_receipt) {
        // Nobody writes to what a step reads.
        from.base = const_cast<std::byte*>(came_[local.reads]) - step.from.first * from.chunk_bytes;
    }
    const Buffer& to = binding[step.to.space];
    if (step.kind == StepKind::copy) {
        copy_chunks(from, step.from, to, step.to);
    } else {
        combine_chunks(from, step.from, step.from_operand, to, step.to, *binding.combine);
    }
}

}  // namespace tasuki
