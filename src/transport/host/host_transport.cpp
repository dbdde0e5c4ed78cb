#include "transport/host/host_transport.hpp"

#include <algorithm>
#include <functional>

#include "transport/host/check.hpp"
#include "transport/silent_wait.hpp"

namespace tasuki::host {

namespace {

/// The calls that complete several requests say "look at the statuses": the first error in them.
void check_all(int code, const std::vector<MPI_Status>& statuses, int count) {
    if (code != MPI_ERR_IN_STATUS) return check(code);
    for (int i = 0; i < count; ++i) {
        const int error = statuses[i].MPI_ERROR;
        if (error != MPI_SUCCESS && error != MPI_ERR_PENDING) throw TransportError(error);
    }
    throw TransportError(MPI_ERR_OTHER);
}

}  // namespace

void HostTransport::collect(Patience patience, std::vector<StepId>& completed) {
    if (requests_.empty()) return make_progress();
    indices_.resize(requests_.size());
    statuses_.resize(requests_.size());
    const auto count = static_cast<int>(requests_.size());
    int done = 0;
    const auto some_are_done = [&] {
        const int code =
            PMPI_Testsome(count, requests_.data(), &done, indices_.data(), statuses_.data());
        check_all(code, statuses_, done);
        return done > 0;
    };
    if (patience == Patience::poll) {
        some_are_done();
    } else {
        wait_in_silence(moving_bytes_, some_are_done);
    }
    drop_completed(done, completed);
}

/// Hosts move what is under way in any call that looks for messages.
void HostTransport::make_progress() {
    int found = 0;
    check(PMPI_Iprobe(MPI_ANY_SOURCE, tags - 1, communicator_, &found, MPI_STATUS_IGNORE));
}

void HostTransport::wait_for_all() {
    statuses_.resize(requests_.size());
    const auto count = static_cast<int>(requests_.size());
    wait_in_silence(moving_bytes_, [&] {
        int done = 0;
        const int code = PMPI_Testall(count, requests_.data(), &done, statuses_.data());
        check_all(code, statuses_, count);
        return done != 0;
    });
    clear();
}

void HostTransport::drop_completed(int count, std::vector<StepId>& completed) {
    // From the back, so that what is moved into a gap is never itself completed.
    std::sort(indices_.begin(), indices_.begin() + count, std::greater<>());
    for (int i = 0; i < count; ++i) {
        const auto index = static_cast<std::size_t>(indices_[i]);
        completed.push_back(in_flight_[index].step);
        requests_[index] = requests_.back();
        requests_.pop_back();
        in_flight_[index] = in_flight_.back();
        in_flight_.pop_back();
    }
    if (requests_.empty()) moving_bytes_ = 0;
}

void HostTransport::abandon() noexcept {
    for (std::size_t index = 0; index < requests_.size(); ++index) {
        MPI_Request& request = requests_[index];
        if (request == MPI_REQUEST_NULL) continue;
        if (in_flight_[index].is_receive) {
            // One that has met its message still writes: it must end before its buffer does.
            PMPI_Cancel(&request);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            PMPI_Request_free(&request);
        }
    }
    clear();
}

void HostTransport::release() {
    requests_ = {};
    in_flight_ = {};
    indices_ = {};
    statuses_ = {};
}

}  // namespace tasuki::host
