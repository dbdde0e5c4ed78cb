#include "interpose/bound_exchange.hpp"

#include <climits>

namespace tasuki::interpose {

namespace {

#ifdef TASUKI_ABI_OPENMPI
/// Open MPI 5.0 sends 8 B by the call that makes no request in 40 ns less. That is for a message
/// which surely leaves at once, as the last one, when all receives are there.
constexpr int most_bytes_without_request = 256;
constexpr bool first_send_comes_first = false;
/// Open MPI 5.0 starts requests that it has seen before in 70 ns less.
constexpr bool has_quick_persistent_requests = true;
#else
/// MPICH 5.0: its receiver waits for it; 45 ns less for 8 B and 4 KiB between two ranks. The other
/// messages leave when the receives are there, so that nothing comes unexpected.
constexpr int most_bytes_without_request = -1;
constexpr bool first_send_comes_first = true;
constexpr bool has_quick_persistent_requests = false;
#endif

/// Who repeats a call so often will repeat it more often: making a request costs as much as some
/// calls save.
constexpr std::uint32_t runs_before_persistent = 16;

bool is_run_of_bytes(const Region& region, const Buffer& buffer) {
    return region.is_contiguous() && buffer.type == nullptr && buffer.uneven == nullptr &&
           buffer.bytes(region.count) <= INT_MAX;
}

int bytes_of(const Region& region, const Buffer& buffer) {
    return static_cast<int>(buffer.bytes(region.count));
}

}  // namespace

std::optional<BoundExchange> BoundExchange::of(const Program& program, const Binding& binding) {
    if (!may_be_of(program)) return std::nullopt;
    BoundExchange bound;
    std::vector<Move> receives, sends, copies;
    for (const Step& step : program.steps) {
        const Buffer& from = binding[step.from.space];
        const Buffer& to = binding[step.to.space];
        if (!is_run_of_bytes(step.from, from) || !is_run_of_bytes(step.to, to)) return std::nullopt;
        if (step.kind == StepKind::recv) {
            receives.push_back({to.address(step.to.first), nullptr, bytes_of(step.to, to),
                                step.peer, step.message, false});
        } else if (step.kind == StepKind::send) {
            sends.push_back({from.address(step.from.first), nullptr, bytes_of(step.from, from),
                             step.peer, step.message, true});
        } else if (step.kind == StepKind::copy) {
            copies.push_back({to.address(step.to.first), from.address(step.from.first),
                              bytes_of(step.from, from), 0, 0, false});
        } else {
            return std::nullopt;
        }
    }
    bound.sent_messages_ = sends.size();
    for (const Move& send : sends) bound.sent_bytes_ += static_cast<std::uint64_t>(send.bytes);
    bound.moving_bytes_ = bound.sent_bytes_;
    for (const Move& receive : receives)
        bound.moving_bytes_ += static_cast<std::uint64_t>(receive.bytes);
    std::vector<Move>& moves = bound.moves_;
    const std::ptrdiff_t first = first_send_comes_first && !sends.empty() ? 1 : 0;
    moves.insert(moves.end(), sends.begin(), sends.begin() + first);
    moves.insert(moves.end(), receives.begin(), receives.end());
    moves.insert(moves.end(), sends.begin() + first, sends.end());
    bound.ends_without_request_ =
        !sends.empty() && sends.back().bytes <= most_bytes_without_request;
    bound.requests_.assign(moves.size() - (bound.ends_without_request_ ? 1 : 0), MPI_REQUEST_NULL);
    moves.insert(moves.end(), copies.begin(), copies.end());
    bound.may_be_persistent_ = has_quick_persistent_requests && !bound.ends_without_request_ &&
                               !bound.requests_.empty() &&
                               bound.requests_.size() <= most_persistent;
    return bound;
}

/// After a run, for the next one of the same round.
void BoundExchange::prepare_for_later(MPI_Comm communicator, CallTags tags) {
    if (++runs_ <= runs_before_persistent) return;
    persistent_.resize(CallTags::rounds * requests_.size(), MPI_REQUEST_NULL);
    under_way_ = &persistent_[tags.round * requests_.size()];
    started_ = 0;
    for (; started_ < requests_.size(); ++started_) {
        const Move& move = moves_[started_];
        const int tag = (tags.first() + move.message) % host::HostTransport::tags;
        MPI_Request* const request = &under_way_[started_];
        host::check(move.is_send ? PMPI_Send_init(move.address, move.bytes, MPI_PACKED, move.peer,
                                                  tag, communicator, request)
                                 : PMPI_Recv_init(move.address, move.bytes, MPI_PACKED, move.peer,
                                                  tag, communicator, request));
    }
}

void BoundExchange::free_persistent() noexcept {
    for (MPI_Request& request : persistent_) {
        if (request != MPI_REQUEST_NULL) PMPI_Request_free(&request);
    }
    persistent_.clear();
}

void BoundExchange::abandon() noexcept {
    for (std::size_t index = 0; index < started_; ++index) {
        MPI_Request& request = under_way_[index];
        int is_complete = 1;
        if (request == MPI_REQUEST_NULL) continue;
        PMPI_Request_get_status(request, &is_complete, MPI_STATUS_IGNORE);
        if (is_complete) continue;
        if (moves_[index].is_send) {
            PMPI_Request_free(&request);
        } else {
            PMPI_Cancel(&request);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    free_persistent();
    may_be_persistent_ = false;
}

}  // namespace tasuki::interpose
