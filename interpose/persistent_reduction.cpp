#include "interpose/persistent_reduction.hpp"

#include <dlfcn.h>
#include <system_error>
#include <utility>

#include "interpose/acquaintance.hpp"
#include "interpose/copy_of.hpp"
#include "interpose/persistent_requests.hpp"
#include "sites/module_address.hpp"

namespace tasuki::interpose {

namespace {

/// Whether the program's MPI_Start comes to us: not where a tool is linked into the program that
/// passes it on by PMPI_Start.
bool sees_starts() {
    const auto own = reinterpret_cast<const void*>(&sees_starts);
    return locate(dlsym(RTLD_DEFAULT, "MPI_Start")).module == locate(own).module;
}

/// nullptr: it may be ours, as far as is known before anything is made. Collective.
const char* why_not_made(MPI_Comm parent) {
    // Programs may free their requests in another order on each rank, so how many there are is
    // agreed on: one that makes and frees them again and again keeps its bits.
    int shared[2] = {persistent_requests() >= PersistentReduction::most, !sees_starts()};
    if (maximum_of_program(parent, shared) != MPI_SUCCESS) return "the host fails";
    if (shared[0] != 0) return "so many at once would take too many threads";
    if (shared[1] != 0) return "the program has an MPI_Start that Tasuki is not told of";
    return nullptr;
}

ReductionWorker* worker_on(MPI_Comm shadow) {
    try {
        return &ReductionWorker::on(shadow);
    } catch (const std::system_error&) {
        return nullptr;
    }
}

/// Collective.
bool all_are(bool ready, MPI_Comm parent) {
    int shared[1] = {!ready};
    return maximum_of_program(parent, shared) == MPI_SUCCESS && shared[0] == 0;
}

}  // namespace

PersistentReduction::PersistentReduction(ReductionArguments arguments, MPI_Comm parent,
                                         ReductionMode mode, MPI_Comm shadow)
    : RequestedReduction(std::move(arguments), parent, mode),
      receive_(shadow),
      worker_(worker_on(shadow)) {}

PersistentReduction::Made PersistentReduction::make(ReductionArguments arguments, MPI_Comm parent,
                                                    ReductionMode mode) {
    if (const char* reason = why_not_made(parent)) return {nullptr, reason};
    MPI_Comm shadow = copy_of(parent);
    std::shared_ptr<PersistentReduction> made;
    if (shadow != MPI_COMM_NULL) {
        made = std::make_shared<PersistentReduction>(std::move(arguments), parent, mode, shadow);
    }
    if (all_are(made != nullptr && made->is_ready(), parent)) {
        made->receive_.give_away();
        return {std::move(made)};
    }
    if (made != nullptr && made->worker_ != nullptr) {
        made->leave();
    } else if (shadow != MPI_COMM_NULL) {
        PMPI_Comm_free(&shadow);
    }
    return {nullptr, "the system has no thread or the host no communicator to spare"};
}

int PersistentReduction::start() {
    const int code = receive_.start();
    if (code != MPI_SUCCESS) return code;
    take_environment();
    worker_->add(shared_from_this());
    return MPI_SUCCESS;
}

}  // namespace tasuki::interpose
