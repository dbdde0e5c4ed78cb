#include "interpose/communicator.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpose/acquaintance.hpp"
#include "interpose/copy_of.hpp"
#include "interpose/device_memory.hpp"
#include "interpose/fallbacks.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/own_thread.hpp"
#include "interpose/process.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/run_report.hpp"
#include "interpose/selection_clock.hpp"
#include "interpose/wishes.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

/// Whether calls of `collective` are only to be learnt.
bool may_wait(Collective collective) {
    return current_wish(collective)->is_automatic && !is_reporting() && !checks_reductions();
}

int calls_to_wait(MPI_Comm parent) {
    if (parent == MPI_COMM_WORLD) return 0;
    int ranks = 0;
    PMPI_Comm_size(parent, &ranks);
    return ranks == process().world_size ? Communicator::calls_before_making_of_all_ranks
                                         : Communicator::calls_before_making;
}

/// Whether all that `parent` reaches is here, and runs with Tasuki.
bool is_inside_world(MPI_Comm parent) {
    int is_inter = 0;
    if (PMPI_Comm_test_inter(parent, &is_inter) != MPI_SUCCESS || is_inter) return false;
    return !reaches_other_worlds(parent);
}

/// "2x4", or of how many nodes where these are not alike.
std::string short_text(const Placement& placement) {
    const std::string text = placement.nodes_text();
    if (text.find('x') != text.npos) return text;
    return std::to_string(placement.nodes()) + " nodes of up to " +
           std::to_string(placement.most_ranks_on_a_node());
}

/// Hosts have few communicators (MPICH 2,048); most are the program's.
constexpr int most_alive = 256;
std::atomic<int> alive{0};

}  // namespace

constinit std::atomic<std::uint64_t> Communicator::generation{0};
constinit thread_local Communicator::Recent Communicator::recent[] = {};

Communicator* Communicator::find(MPI_Comm parent, Collective collective, std::uint64_t now) {
    Acquaintance* known = acquaintance_of(parent);
    if (known == nullptr) return nullptr;
    if (!known->is_made) {
        const bool waits =
            known->calls < calls_to_wait(parent) && collective != at_once && may_wait(collective);
        if (waits) {
            if (known->calls++ == calls_before_taking_over) {
                known->communicator.reset(take_over(parent));
            }
            if (known->communicator == nullptr) return nullptr;
        } else {
            known->communicator.reset(make(parent));
        }
        known->is_made = true;
    }
    Communicator* communicator = known->communicator.get();
    // What is not there is not remembered: nothing would tell when the handle changes its meaning.
    if (communicator != nullptr) recent_at(parent) = {parent, now, communicator};
    return communicator;
}

const char* Communicator::why_not(MPI_Comm parent) {
    int is_inter = 0;
    PMPI_Comm_test_inter(parent, &is_inter);
    if (is_inter) return "the communicator is an inter-communicator";
    const Acquaintance* known = acquaintance_of(parent);
    if (known != nullptr && !known->is_made) return "the communicator has had few calls";
    return "the communicator reaches outside of MPI_COMM_WORLD, or the host has none to spare";
}

void Communicator::note_failure(MPI_Comm parent) {
    const Acquaintance* known = acquaintance_of(parent);
    if (known != nullptr && known->communicator != nullptr) known->communicator->note_failure();
}

void Communicator::retire(std::unique_ptr<Communicator> communicator) {
    if (communicator->has_failed_ || is_reporting() || own_thread.is_ours) return;
    if (!spare_communicator().may_keep(*communicator)) return;
    communicator->forget_program();
    spare_communicator().keep(std::move(communicator));
}

void Communicator::forget_program() {
    generation.fetch_add(1, std::memory_order_acq_rel);
    forget_known_calls();
    repeated_call_.forget();
    std::erase_if(selections_, [](const auto& made) { return !made->wish().uses_kept_decisions; });
    agreed_sizes_ = {};
    const std::uint32_t calls = this->calls() - calls_before_;
    has_served_long_ =
        calls >= calls_of_long_use ||
        (calls >= fewest_calls_of_long_use && seconds_since(serves_since_) >= seconds_of_long_use);
    calls_before_ = this->calls();
}

Communicator* Communicator::make(MPI_Comm parent) {
    return is_inside_world(parent) ? make_inside_world(parent) : nullptr;
}

Communicator* Communicator::take_over(MPI_Comm parent) {
    int ranks = 0;
    PMPI_Comm_size(parent, &ranks);
    if (ranks != process().world_size || !is_inside_world(parent)) return nullptr;
    const SpareCommunicator& spare = spare_communicator();
    const CommunicatorNumber number = spare.number_for(parent);
    // {no, a device runtime is here}, then what the spare one is called. What one rank has counts
    // for all: they may have freed communicators in another order, which hosts let them do.
    std::array<int, 6> shared = {number == 0 || !spare.has_served_long(),
                                 device_runtime_is_loaded()};
    std::ranges::copy(to_compare(number), shared.begin() + 2);
    if (maximum_of_program(parent, shared) != MPI_SUCCESS || shared[0] != 0 ||
        !are_alike(std::span(shared).last<4>())) {
        return nullptr;
    }
    return take_spare(shared[1] != 0, true);
}

Communicator* Communicator::take_spare(bool may_meet_device_memory, bool expects_long_use) {
    std::unique_ptr<Communicator> taken = spare_communicator().take();
    taken->note_device_memory(may_meet_device_memory);
    taken->expects_long_use_ = expects_long_use;
    taken->serves_since_ = selection_clock();
    return taken.release();
}

Communicator* Communicator::make_inside_world(MPI_Comm parent) {
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(parent, &rank);
    PMPI_Comm_size(parent, &ranks);
    // Threads of ours, which are so on all ranks, leave it to the program's.
    const CommunicatorNumber spare =
        own_thread.is_ours ? 0 : spare_communicator().number_for(parent);
    // {enough of ours, a device runtime is here, communicators of this size in the report}: what
    // one rank has counts for all. Then what the spare one is called.
    std::array<int, 7> shared = {alive >= most_alive, device_runtime_is_loaded(),
                                 reported_communicators(ranks)};
    std::ranges::copy(to_compare(spare), shared.begin() + 3);
    const bool is_shared = maximum_of_program(parent, shared) == MPI_SUCCESS;
    if (is_shared && spare != 0 && are_alike(std::span(shared).last<4>())) {
        return take_spare(shared[1] != 0, false);
    }
    if (is_shared && shared[0] == 0) {
        MPI_Comm own = copy_of(parent);
        const CommunicatorNumber number = agreed_number(parent, rank, own == MPI_COMM_NULL);
        if (number != 0) {
            auto made = std::unique_ptr<Communicator>(
                new Communicator(own, number, rank, ranks, shared[1] != 0));
            if (is_reporting() && !own_thread.is_ours) made->begin_report(shared[2] + 1);
            return made.release();
        }
        if (own != MPI_COMM_NULL) PMPI_Comm_free(&own);
    }
    for (std::size_t index = 0; index < collectives; ++index) {
        const Wish* wish = current_wish(Collective(index));
        if (wish->algorithm == nullptr) continue;
        note_fallback(*wish, rank, ranks, "the host has no communicator to spare for Tasuki");
    }
    return nullptr;
}

Communicator::Communicator(MPI_Comm own, CommunicatorNumber number, int rank, int ranks,
                           bool may_meet_device_memory)
    : own_(own),
      number_(number),
      rank_(rank),
      ranks_(ranks),
      placement_(own, rank, ranks),
      transport_(own),
      memory_(own, rank, placement_, transport_,
              [this]() -> const MachineParameters& { return foreknowledge().machine; }),
      programs_(rank, ranks, placement_, memory_),
      serves_since_(selection_clock()) {
    note_device_memory(may_meet_device_memory);
    ++alive;
}

void Communicator::begin_report(int ordinal) {
    note_reported_communicators(ranks_, ordinal);
    reported_ = std::make_unique<ReportedSizes>(rank_, ranks_, ordinal);
    placement_.get();
}

void Communicator::report(MPI_Comm parent) const {
    if (reported_ == nullptr) return;
    report::Traffic traffic;
    if (const memory::Counters* counters = memory_.counters()) traffic.memory = *counters;
    traffic.host_messages = transport_.sent_messages();
    traffic.host_bytes = transport_.sent_bytes();
    report::CommunicatorRecord record =
        reported_->tally().record(seconds_per_tick(), process().world_rank, traffic);
    if (rank_ == 0) {
        char name[MPI_MAX_OBJECT_NAME] = "";
        int length = 0;
        if (PMPI_Comm_get_name(parent, name, &length) == MPI_SUCCESS) record.name = name;
        if (const Placement* placement = placement_.known()) {
            record.placement = short_text(*placement);
        }
        for (const auto& selection : selections_) selection->describe(record);
        if (told_.known != nullptr) record.shares_cores = told_.known->oversubscribed;
        if (quick_ != nullptr) record.quick = quick_->record();
    }
    add_to_report(std::move(record));
}

const Foreknowledge& Communicator::foreknowledge() {
    if (told_.known == nullptr) {
        placement_.get();
        told_ = Foreknowledge::of(own_, rank_, shape());
        quick_ = QuickParameters::of(*this, told_.known);
    }
    return *told_.known;
}

void Communicator::measure_quickly(Selector& selector, double seconds, double learning_seconds,
                                   double budget) {
    quick_->note(selector.total_seconds() - seconds,
                 selector.learning_seconds() - learning_seconds);
    // What is being learnt comes first.
    if (selector.phase() != Phase::running) return;
    selector.charge(quick_->pay(selector.agreement_seconds(), budget));
    if (quick_->has_news()) told_.known = quick_->tell();
}

Placement Communicator::shape() const {
    const Placement* placement = placement_.known();
    return placement != nullptr ? *placement : Placement::one_node(ranks_);
}

Selection& Communicator::selection(const Wish& wish) {
    for (const auto& made : selections_) {
        if (&made->wish() == &wish) return *made;
    }
    selections_.push_back(std::make_unique<Selection>(wish, *this));
    return *selections_.back();
}

void Communicator::note_device_memory(bool may_be_met) {
    may_meet_device_memory_ = may_be_met;
    if (may_be_met) {
        calls_.look_in_every_call();
    } else {
        calls_.look_now_and_then();
    }
}

void Communicator::agree_about_device_memory() {
    note_device_memory(false);  // the next one is due when it is, even if this one fails
    const auto remark = memory_.offer_remark();
    std::array<int, 3> shared = {device_runtime_is_loaded(), remark[0], remark[1]};
    host::check(maximum_of_all(own_, shared));
    note_device_memory(shared[0] != 0);
    memory_.conclude_remark(std::span(shared).last<2>());
}

Communicator::~Communicator() {
    forget_program();
    selections_.clear();
    PMPI_Comm_free(&own_);
    --alive;
}

void forget_communicators() {
    forget_acquaintances();
    spare_communicator().drop();
}

}  // namespace tasuki::interpose
