#include "interpose/bound_exchange.hpp"

#include <climits>
#include <cstring>

#include "transport/host/check.hpp"
#include "transport/host/host_transport.hpp"

namespace tasuki::interpose {

namespace {

bool is_run_of_bytes(const Region& region, const Buffer& buffer) {
    return region.is_contiguous() && buffer.type == nullptr && buffer.uneven == nullptr &&
           buffer.bytes(region.count) <= INT_MAX;
}

int bytes_of(const Region& region, const Buffer& buffer) {
    return static_cast<int>(buffer.bytes(region.count));
}

}  // namespace

std::optional<BoundExchange> BoundExchange::of(const Program& program, const Binding& binding) {
    if (!program.after_steps.empty()) return std::nullopt;
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
    // The first message leaves before anything else is done, because its receiver waits for it. The
    // others leave when the receives are there, so that nothing comes unexpected.
    std::vector<Move>& moves = bound.moves_;
    if (!sends.empty()) moves.push_back(sends.front());
    moves.insert(moves.end(), receives.begin(), receives.end());
    if (!sends.empty()) moves.insert(moves.end(), sends.begin() + 1, sends.end());
    bound.requests_.assign(moves.size(), MPI_REQUEST_NULL);
    moves.insert(moves.end(), copies.begin(), copies.end());
    return bound;
}

void BoundExchange::run(MPI_Comm communicator, std::int32_t first_tag) {
    started_ = 0;
    try {
        start_all(communicator, first_tag);
        if (started_ > 0) {
            host::check(
                PMPI_Waitall(static_cast<int>(started_), requests_.data(), MPI_STATUSES_IGNORE));
        }
    } catch (...) {
        abandon();
        throw;
    }
}

void BoundExchange::start_all(MPI_Comm communicator, std::int32_t first_tag) {
    const Move* move = moves_.data();
    for (; started_ < requests_.size(); ++started_, ++move) {
        const int tag = (first_tag + move->message) % host::HostTransport::tags;
        MPI_Request* const request = &requests_[started_];
        host::check(move->is_send ? PMPI_Isend(move->address, move->bytes, MPI_PACKED, move->peer,
                                               tag, communicator, request)
                                  : PMPI_Irecv(move->address, move->bytes, MPI_PACKED, move->peer,
                                               tag, communicator, request));
    }
    for (const Move* const end = moves_.data() + moves_.size(); move != end; ++move) {
        std::memcpy(move->address, move->copied_from, static_cast<std::size_t>(move->bytes));
    }
}

void BoundExchange::abandon() noexcept {
    for (std::size_t index = 0; index < started_; ++index) {
        MPI_Request& request = requests_[index];
        if (request == MPI_REQUEST_NULL) continue;
        if (moves_[index].is_send) {
            PMPI_Request_free(&request);
        } else {
            PMPI_Cancel(&request);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

}  // namespace tasuki::interpose
