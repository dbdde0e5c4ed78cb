// What Tasuki keeps for a communicator of the program's.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "interpose/agreed_size.hpp"
#include "interpose/call_count.hpp"
#include "interpose/call_tags.hpp"
#include "interpose/foreknowledge.hpp"
#include "interpose/known_candidates.hpp"
#include "interpose/lazy_placement.hpp"
#include "interpose/node_memory.hpp"
#include "interpose/places.hpp"
#include "interpose/prepared_programs.hpp"
#include "interpose/quick_parameters.hpp"
#include "interpose/repeated_call.hpp"
#include "interpose/reported_call.hpp"
#include "interpose/reported_sizes.hpp"
#include "interpose/selection.hpp"
#include "interpose/spare_communicator.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Made at a collective on a communicator, which all its ranks reach; goes when the communicator is
/// freed, or at MPI_Finalize. Messages travel on a communicator of our own with the same ranks, so
/// that they meet nothing of the program's.
///
/// It is made by MPI_Comm_create, not MPI_Comm_dup, which would call the program's attribute
/// callbacks.
///
/// Memory: constant, beside the placement where that is irregular (12 bytes a rank), the prepared
/// programs (bounded, see there) and what the host keeps for a communicator.
class alignas(64) Communicator {
  public:
    /// The one of `parent`, made if need be (collectively). nullptr where Tasuki has no business,
    /// on all ranks alike: inter-communicators, communicators that reach processes outside of
    /// MPI_COMM_WORLD (they may run without Tasuki), and where the host has none to spare for us.
    static Communicator* of(MPI_Comm parent) { return recent_or(parent, at_once); }

    /// The same for a call of `collective`. Where nothing but learning was asked for, also nullptr
    /// during the first calls_before_making of a communicator other than MPI_COMM_WORLD (fewer of
    /// one with as many ranks, for which there may be a SpareCommunicator): of the many that
    /// programs make, most go before what is made here could be won back.
    static Communicator* of(MPI_Comm parent, Collective collective) {
        return recent_or(parent, collective);
    }
    /// To make one and to begin learning on it takes as long as some 100 short calls.
    static constexpr int calls_before_making = 64;
    static constexpr int calls_before_making_of_all_ranks = 16;
    /// If the last such copy has had calls_of_long_use, or a few and seconds_of_long_use (hosts
    /// that wait busily on shared cores take 8 ms for a call), the next one takes over what was
    /// made for it after so many.
    static constexpr int calls_before_taking_over = 1;
    static constexpr std::uint32_t calls_of_long_use = 128;
    static constexpr std::uint32_t fewest_calls_of_long_use = 16;
    static constexpr double seconds_of_long_use = 10e-3;

    /// The one of `parent` if it is among those that this thread used last, else nullptr; never
    /// makes one.
    static Communicator* of_recent_call(MPI_Comm parent) {
        const Recent& recent = recent_at(parent);
        return recent.is_of(parent, generation_now()) ? recent.found : nullptr;
    }
    /// Grows whenever a communicator goes.
    static std::uint64_t generation_now() { return generation.load(std::memory_order_acquire); }
    /// Why of() gave nullptr, as a sentence.
    static const char* why_not(MPI_Comm parent);
    /// A collective of `parent` has failed on this rank, and may have left messages behind.
    static void note_failure(MPI_Comm parent);
    /// When the program's communicator goes.
    static void retire(std::unique_ptr<Communicator> communicator);

    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    MPI_Comm own() const { return own_; }
    CommunicatorNumber number() const { return number_; }
    void note_failure() { has_failed_ = true; }
    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    /// Whether the program's communicator that this served before was used for long.
    bool has_served_long() const { return has_served_long_; }
    /// Whether, going by the one that this served before, the program's communicator will have many
    /// calls. All ranks say the same.
    bool expects_long_use() const { return expects_long_use_; }
    /// Begins a call; all ranks do at the same one. Now and then (at calls 2, 4, 8, ...) they agree
    /// anew about device runtimes, which programs often load after their first collectives, and one
    /// of them tells what memory() has met.
    void begin_call() {
        const bool agrees = agrees_in_next_call();
        calls_.count();
        if (agrees) [[unlikely]]
            agree_about_device_memory();
    }
    /// Its count() begins a call, too, where agrees_in_next_call() has said that they do not.
    CallCount& call_count() { return calls_; }
    bool agrees_in_next_call() const {
        return looks_for_devices_in_next_call() && !may_meet_device_memory_;
    }
    /// Whether the ranks have to ask each other for device memory in the next call, or are to agree
    /// about it.
    bool looks_for_devices_in_next_call() const { return calls_.looks_for_devices_in_next_call(); }
    CallTags tags() const { return {calls() % CallTags::rounds}; }

    /// Whether some rank had a device runtime loaded when the ranks agreed about it last: then they
    /// must agree in each call on whether any of them has a buffer in device memory.
    bool may_meet_device_memory() const { return may_meet_device_memory_; }
    /// Where `carrier` is memory, only if memory().get() has given it.
    Transport& transport(Carrier carrier) {
        if (carrier == Carrier::memory) return *memory_.get();
        return transport_;
    }
    LazyPlacement& placement() { return placement_; }
    NodeMemory& memory() { return memory_; }
    /// Collective at the first call. Throws TransportError. What it gives holds until the ranks
    /// have measured something better: note_agreement().
    const Foreknowledge& foreknowledge();
    /// What is known for calls of this key, of earlier runs or this one; nullptr: nothing. Once
    /// foreknowledge() has been asked.
    const Decision* known_decision(const SelectionKey& key) const { return told_.decision(key); }
    /// The calls that have begun.
    std::uint32_t calls() const { return calls_.calls(); }
    /// Behind an agreement of `selector`, which had spent `seconds` at the last one, and
    /// `learning_seconds` of them in learning: the moment to measure parameters, if there are none
    /// and `budget` pays for it. Collective. Throws TransportError.
    void note_agreement(Selector& selector, double seconds, double learning_seconds,
                        double budget) {
        if (quick_ != nullptr) [[unlikely]]
            measure_quickly(selector, seconds, learning_seconds, budget);
    }
    /// Where the ranks are, as far as is known; once foreknowledge() has asked, it is.
    Placement shape() const;
    KnownCandidates& candidates() { return candidates_; }
    /// Whether the ranks have not agreed about timings yet; all say the same. From then on they
    /// have.
    bool begins_agreements() { return !std::exchange(has_agreed_, true); }
    /// For the report: the call that this thread is in has `bytes`, and counts among those of so
    /// many, as SelectionKey counts them.
    void report_size(Collective collective, const RowFilter& rows, std::int64_t key_bytes,
                     std::int64_t bytes) {
        if (reported_ == nullptr) [[likely]]
            return;
        // Of an all-to-all these are of one block.
        call_under_way = {&reported_->of(collective, rows, key_bytes),
                          collective == Collective::alltoall ? bytes * ranks_ : bytes};
    }
    /// For the report: what was sent beside transport().
    void report_messages(std::uint64_t messages, std::uint64_t bytes) {
        if (reported_ != nullptr) [[unlikely]]
            reported_->tally().add_host_messages(messages, bytes);
    }
    /// Before the communicator of `parent` goes: hands over what is to be reported.
    void report(MPI_Comm parent) const;
    PreparedPrograms& programs() { return programs_; }
    RepeatedCall& repeated_call() { return repeated_call_; }
    /// That for calls of so many bytes, as SelectionKey counts them; nullptr where `wish` leaves
    /// nothing to select.
    SelectedSize* selected_size(Collective collective, const Wish& wish, std::int64_t bytes,
                                const RowFilter& rows = every_row) {
        report_size(collective, rows, bytes, bytes);
        return wish.is_automatic ? &selection(wish).find(collective, bytes, rows) : nullptr;
    }
    /// What selected_size() gives, and the capacity of heads.
    struct Agreed {
        SelectedSize* size = nullptr;
        std::int64_t capacity = 0;  ///< see AgreedSize::capacity()
    };
    /// Whether calls that are selected for agree on their sizes now and then: not where whatever
    /// they would agree upon is left to the host.
    bool agrees_about_sizes(Collective collective) const {
        return !candidates_.leaves_to_host(collective);
    }
    AgreedSize& agreed_size(Collective collective) {
        return agreed_sizes_[static_cast<std::size_t>(collective)];
    }
    /// As selected_size() where the ranks do not know each other's sizes: `mine` are this rank's,
    /// OwnSizes::all, and a function for OwnSizes::largest_block, which few calls ask for. Throws
    /// TransportError.
    template <typename LargestBlock>
    Agreed agreed_selected_size(Collective collective, const Wish& wish, std::int64_t mine,
                                const LargestBlock& largest_block, const RowFilter& rows) {
        AgreedSize& agreed = agreed_size(collective);
        const bool needs_capacity = wish.algorithm != nullptr && wish.algorithm->needs_capacity;
        const bool is_key = wish.is_automatic && agrees_about_sizes(collective);
        if ((is_key || needs_capacity) && agreed.is_due()) {
            agreed.renew(own_, ranks_, {mine, largest_block()});
        }
        std::int64_t key_bytes = report::SizeRecord::any_size;
        SelectedSize* size = nullptr;
        if (wish.is_automatic) {
            size = &selection(wish).find(collective, agreed.key_bytes(), rows);
            if (is_key) key_bytes = agreed.key_bytes();
        }
        report_size(collective, rows, key_bytes, mine);
        return {size, agreed.capacity()};
    }

  private:
    Communicator(MPI_Comm own, CommunicatorNumber number, int rank, int ranks,
                 bool may_meet_device_memory);
    void note_device_memory(bool may_be_met);
    void agree_about_device_memory();
    void measure_quickly(Selector& selector, double seconds, double learning_seconds,
                         double budget);
    /// Collective.
    void begin_report(int ordinal);

    /// Counts what goes, so that a thread does not trust a handle that now means another
    /// communicator.
    static constinit std::atomic<std::uint64_t> generation;
    struct Recent {
        MPI_Comm parent{};
        std::uint64_t generation = ~std::uint64_t{0};
        Communicator* found = nullptr;

        bool is_of(MPI_Comm other, std::uint64_t now) const {
            return generation == now && parent == other;
        }
    };
    /// Several: programs have calls on rows and columns in turn.
    static constexpr int recent_bits = 2;
    static constinit thread_local Recent recent[1 << recent_bits];
    static Recent& recent_at(MPI_Comm parent) {
        return recent[Places().add(std::hash<MPI_Comm>{}(parent)).of(recent_bits)];
    }

    Selection& selection(const Wish& wish);

    /// In place of a collective: whatever is asked for, one is needed now.
    static constexpr auto at_once = Collective(collectives);
    static Communicator* recent_or(MPI_Comm parent, Collective collective) {
        const std::uint64_t now = generation_now();
        const Recent& recent = recent_at(parent);
        return recent.is_of(parent, now) ? recent.found : find(parent, collective, now);
    }
    static Communicator* find(MPI_Comm parent, Collective collective, std::uint64_t now);
    /// nullptr as of() gives it.
    static Communicator* make(MPI_Comm parent);
    static Communicator* make_inside_world(MPI_Comm parent);
    /// What was made for the last copy of all ranks, if that was used for long; nullptr, on all
    /// ranks alike, if not. Collective.
    static Communicator* take_over(MPI_Comm parent);
    /// Serves the next of the program's.
    static Communicator* take_spare(bool may_meet_device_memory, bool expects_long_use);
    /// Whatever was noted for the program's communicator; and what was learnt, but for what may be
    /// used by another one.
    void forget_program();

    MPI_Comm own_;
    CommunicatorNumber number_;
    int rank_;
    int ranks_;
    bool may_meet_device_memory_ = false;
    bool has_failed_ = false;
    CallCount calls_;
    std::unique_ptr<ReportedSizes> reported_;  // nullptr: nobody wants a report
    RepeatedCall repeated_call_;  // here, beside all else that the same call again asks for
    LazyPlacement placement_;
    host::HostTransport transport_;
    NodeMemory memory_;
    PreparedPrograms programs_;
    std::array<AgreedSize, collectives> agreed_sizes_;
    Foreknowledge::Told told_;                // empty until somebody asks
    std::unique_ptr<QuickParameters> quick_;  // nullptr: nothing is to be measured
    KnownCandidates candidates_;
    bool has_agreed_ = false;
    std::vector<std::unique_ptr<Selection>> selections_;  // one for each automatic wish
    std::uint32_t calls_before_ = 0;  // of the program's communicators that this served before
    std::uint64_t serves_since_;
    bool has_served_long_ = false;
    bool expects_long_use_ = false;
};

/// At MPI_Finalize: gives back what the program did not free.
void forget_communicators();

}  // namespace tasuki::interpose
