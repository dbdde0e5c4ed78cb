#include "interpose/reduction_check.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "execute/fold.hpp"
#include "interpose/checked_sites.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/say.hpp"
#include "interpose/wishes.hpp"
#include "reduce/float_environment.hpp"
#include "transport/host/wait_for_requests.hpp"

namespace tasuki::interpose {

constinit std::atomic<bool> current_reduction_checks{false};

namespace {

/// Of all ranks together, at a time.
constexpr std::int64_t most_gathered = std::int64_t{4} << 20;
/// Elements of derived types may have any size.
constexpr std::int64_t most_for_one_element = std::int64_t{256} << 20;

thread_local std::unique_ptr<ReductionCheck> left;

bool allocate(std::unique_ptr<std::byte[]>& memory, std::int64_t bytes) {
    memory.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
    return memory != nullptr;
}

/// Who counts a call, so that it is counted once: who has the result of MPI_Reduce, else rank 0.
int counting_rank(const CheckedCall& call) {
    return call.collective == Collective::reduce ? call.root : 0;
}

}  // namespace

void check_reductions(bool are_checked) {
    current_reduction_checks = are_checked;
    renew_switches();
}

ReductionCheck::ReductionCheck(CheckedCall call, const Reduction& reduction,
                               Communicator& communicator)
    : call_(std::move(call)),
      reduction_(reduction),
      communicator_(communicator),
      element_bytes_(reduction.element_bytes()),
      input_(static_cast<const std::byte*>(call_.input)) {}

bool ReductionCheck::gives_prefixes() const {
    return call_.collective == Collective::scan || call_.collective == Collective::exscan;
}

bool ReductionCheck::meets_device_memory() const {
    return has_late_device(communicator_) &&
           (is_device_memory(call_.input) || is_device_memory(call_.result));
}

/// Takes what the check needs; whether there is not enough of it.
bool ReductionCheck::needs_more_memory() {
    const std::int64_t ranks = communicator_.ranks();
    const std::int64_t count =
        std::accumulate(call_.counts.begin(), call_.counts.end(), std::int64_t{0});
    piece_ = std::clamp<std::int64_t>(most_gathered / bytes(ranks), 1, count);
    const std::int64_t all = bytes(ranks * piece_);
    if (!allocate(parts_, all)) return true;
    if (!allocate(other_, gives_prefixes() ? all : bytes(piece_))) return true;
    if (gives_prefixes() && !allocate(results_, all)) return true;
    if (!call_.is_in_place) return false;
    if (!allocate(copy_, bytes(count))) return true;
    std::memcpy(copy_.get(), call_.input, static_cast<std::size_t>(bytes(count)));
    input_ = copy_.get();
    return false;
}

std::unique_ptr<ReductionCheck> ReductionCheck::begin(CheckedCall call, const Reduction& reduction,
                                                      Communicator& communicator) {
    if (communicator.ranks() == 1) return nullptr;
    const bool counts = communicator.rank() == counting_rank(call);
    if (!reduction.depends_on_order()) {
        if (counts) count_independent_call();
        return nullptr;
    }
    auto check = std::make_unique<ReductionCheck>(std::move(call), reduction, communicator);
    const char* reason = nullptr;
    if (reduction.element_bytes() * communicator.ranks() > most_for_one_element) {
        reason = "its elements are too large to be gathered";
    } else {
        // What one rank meets counts for all.
        int met[2] = {check->meets_device_memory(), 0};
        if (!met[0]) met[1] = check->needs_more_memory();
        host::check(maximum_of_all(communicator.own(), met));
        if (met[1]) reason = "a rank has no memory for a copy of its operands";
        if (met[0]) reason = "a buffer is in device memory";
    }
    if (reason == nullptr) return check;
    if (counts) count_unchecked_call(check->call_.collective, &reduction, reason);
    return nullptr;
}

void ReductionCheck::gather(const std::byte* mine, std::int64_t size, std::byte* all,
                            int checker) const {
    MPI_Request request = MPI_REQUEST_NULL;
    const int count = static_cast<int>(size);
    // Not by MPI_Gather: see maximum_of_all().
    host::check(PMPI_Igather(mine, count, MPI_BYTE, all, count, MPI_BYTE, checker,
                             communicator_.own(), &request));
    host::wait_for_requests(1, &request);
}

void ReductionCheck::compare_one(const std::byte* result, const std::byte* other,
                                 std::int64_t elements) {
    if (reduction_.element()) {
        found_.include(reduction::difference(*reduction_.element(), result, other,
                                             static_cast<std::size_t>(elements)));
    } else if (std::memcmp(result, other, static_cast<std::size_t>(bytes(elements))) != 0) {
        found_.differs = true;
    }
}

void ReductionCheck::compare(std::int64_t elements, const std::byte* result) {
    const FoldedParts parts{parts_.get(), bytes(elements), communicator_.ranks()};
    for (const FoldOrder order : fold_orders(reduction_.commutes())) {
        fold(parts, order, reduction_.combine(), other_.get());
        compare_one(result, other_.get(), elements);
    }
}

void ReductionCheck::compare_prefixes(std::int64_t elements) {
    const int ranks = communicator_.ranks();
    const std::int64_t part = bytes(elements);
    const int below = call_.collective == Collective::exscan ? 1 : 0;
    std::memcpy(other_.get(), parts_.get(), static_cast<std::size_t>(part * ranks));
    fold_prefixes_from_left(other_.get(), part, ranks, reduction_.combine());
    fold_prefixes_by_doubling(parts_.get(), part, ranks, reduction_.combine());
    for (int rank = below; rank < ranks; ++rank) {
        const std::byte* result = results_.get() + rank * part;
        compare_one(result, other_.get() + (rank - below) * part, elements);
        compare_one(result, parts_.get() + (rank - below) * part, elements);
    }
}

/// `count` elements from the `first` of the input on. The result has the first of them first.
/// `checker`: who has the result; nobody: all have.
void ReductionCheck::check_run(std::int64_t first, std::int64_t count, std::optional<int> checker) {
    const auto* result = static_cast<const std::byte*>(call_.result);
    int turn = 0;
    for (std::int64_t done = 0; done < count; done += piece_) {
        const std::int64_t now = std::min(piece_, count - done);
        const int who = checker.value_or(turn++ % communicator_.ranks());
        const std::byte* operands = input_ + bytes(first + done);
        gather(operands, bytes(now), parts_.get(), who);
        if (gives_prefixes()) {
            const std::byte* mine = result == nullptr ? operands : result + bytes(done);
            gather(mine, bytes(now), results_.get(), who);
        }
        if (communicator_.rank() != who) continue;
        if (gives_prefixes()) {
            compare_prefixes(now);
        } else {
            compare(now, result + bytes(done));
        }
    }
}

void ReductionCheck::check_all() {
    const reduction::HeldFloatEnvironment without_traps;
    if (call_.collective != Collective::reduce_scatter) {
        const bool has_root = call_.collective == Collective::reduce;
        check_run(0, call_.counts.front(), has_root ? std::optional(call_.root) : std::nullopt);
        return;
    }
    std::int64_t first = 0;
    for (int rank = 0; rank < communicator_.ranks(); ++rank) {
        const std::int64_t count = call_.counts[static_cast<std::size_t>(rank)];
        check_run(first, count, rank);
        first += count;
    }
}

/// What any rank has found, by the rank that counts.
void ReductionCheck::note() {
    double found[3] = {found_.differs ? 1.0 : 0.0, found_.ulp, found_.relative};
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(PMPI_Iallreduce(MPI_IN_PLACE, found, 3, MPI_DOUBLE, MPI_MAX, communicator_.own(),
                                &request));
    host::wait_for_requests(1, &request);
    if (communicator_.rank() != counting_rank(call_)) return;
    count_checked_call(call_.collective, reduction_, communicator_.ranks(),
                       {found[0] != 0, found[1], found[2]});
}

void ReductionCheck::end() {
    try {
        check_all();
        note();
    } catch (const std::exception& error) {
        say_once(std::string("the check of reductions failed: ") + error.what());
    }
}

Handled end_check(std::unique_ptr<ReductionCheck> check, const Handled& handled) {
    if (check == nullptr) return handled;
    if (handled.done) {
        check->end();
        return handled;
    }
    left = std::move(check);
    return {.is_watched = true};
}

ReductionCheck* take_left_check() {
    return left.release();
}

void end_check_behind_host(ReductionCheck* check) {
    if (const std::unique_ptr<ReductionCheck> ending{check}) ending->end();
}

void note_unchecked(Collective collective, MPI_Comm parent, const char* reason) {
    int rank = 0;
    PMPI_Comm_rank(parent, &rank);
    if (rank == 0) count_unchecked_call(collective, nullptr, reason);
}

}  // namespace tasuki::interpose
