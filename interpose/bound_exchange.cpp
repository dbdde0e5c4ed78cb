#include "interpose/bound_exchange.hpp"

#include <climits>
#include <cstring>

#include "transport/host/check.hpp"
#include "transport/host/host_transport.hpp"

namespace tasuki::interpose {

namespace {

/// A message that surely leaves at once: as the last one, when all receives are there, it is sent
/// by the call that makes no request, which hosts do in less time.
constexpr int small_bytes = 256;

bool is_run_of_bytes(const Region& region, const Buffer& buffer) {
    return region.is_contiguous() && buffer.type == nullptr && buffer.uneven == nullptr &&
           buffer.bytes(region.count) <= INT_MAX;
}

}  // namespace

std::optional<BoundExchange> BoundExchange::of(const Program& program, const Binding& binding) {
    if (!program.after_steps.empty()) return std::nullopt;
    BoundExchange bound;
    for (const Step& step : program.steps) {
        const Buffer& from = binding[step.from.space];
        const Buffer& to = binding[step.to.space];
        if (!is_run_of_bytes(step.from, from) || !is_run_of_bytes(step.to, to)) return std::nullopt;
        if (step.kind == StepKind::recv) {
            bound.receives_.push_back({to.address(step.to.first),
                                       static_cast<int>(to.bytes(step.to.count)), step.peer,
                                       step.message});
        } else if (step.kind == StepKind::send) {
            bound.sends_.push_back({from.address(step.from.first),
                                    static_cast<int>(from.bytes(step.from.count)), step.peer,
                                    step.message});
        } else if (step.kind == StepKind::copy) {
            bound.copies_.push_back({from.address(step.from.first), to.address(step.to.first),
                                     static_cast<std::size_t>(from.bytes(step.from.count))});
        } else {
            return std::nullopt;
        }
    }
    bound.requests_.assign(bound.receives_.size() + bound.sends_.size(), MPI_REQUEST_NULL);
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
    const auto tag = [first_tag](const Message& message) {
        return (first_tag + message.number) % host::HostTransport::tags;
    };
    for (const Message& message : receives_) {
        host::check(PMPI_Irecv(message.address, message.bytes, MPI_PACKED, message.peer,
                               tag(message), communicator, &requests_[started_]));
        ++started_;
    }
    for (const Message& message : sends_) {
        if (&message == &sends_.back() && message.bytes <= small_bytes) {
            host::check(PMPI_Send(message.address, message.bytes, MPI_PACKED, message.peer,
                                  tag(message), communicator));
            continue;
        }
        host::check(PMPI_Isend(message.address, message.bytes, MPI_PACKED, message.peer,
                               tag(message), communicator, &requests_[started_]));
        ++started_;
    }
    for (const Copy& copy : copies_) std::memcpy(copy.to, copy.from, copy.bytes);
}

void BoundExchange::abandon() noexcept {
    for (std::size_t index = 0; index < started_; ++index) {
        MPI_Request& request = requests_[index];
        if (request == MPI_REQUEST_NULL) continue;
        if (index < receives_.size()) {
            PMPI_Cancel(&request);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            PMPI_Request_free(&request);
        }
    }
}

}  // namespace tasuki::interpose
