#include "interpose/started_reduction.hpp"

#include <utility>

namespace tasuki::interpose {

namespace {

using Shared = std::shared_ptr<StartedReduction>;

/// Of a collective a status tells nothing.
int describe_started(void* state, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return (*static_cast<Shared*>(state))->code();
}

int forget_started(void* state) {
    delete static_cast<Shared*>(state);
    return MPI_SUCCESS;
}

/// MPI has nobody cancel a collective.
int cancel_started(void*, int) {
    return MPI_SUCCESS;
}

}  // namespace

StartedReduction::StartedReduction(ReductionArguments arguments, MPI_Comm parent,
                                   ReductionMode mode)
    : RequestedReduction(std::move(arguments), parent, mode) {}

int StartedReduction::make_request(const Shared& reduction, MPI_Request& request) {
    auto state = std::make_unique<Shared>(reduction);
    const int code = PMPI_Grequest_start(describe_started, forget_started, cancel_started,
                                         state.get(), &request);
    if (code != MPI_SUCCESS) return code;
    static_cast<void>(state.release());  // forget_started() gets it
    reduction->request_ = request;
    return MPI_SUCCESS;
}

void StartedReduction::end(int code) {
    // Nothing of the program's is touched once it may know that the reduction is over.
    release();
    code_.store(code, std::memory_order_release);
    PMPI_Grequest_complete(request_);
}

}  // namespace tasuki::interpose
