// MPI_Iallreduce, MPI_Ireduce, MPI_Iscan, MPI_Iexscan, MPI_Ireduce_scatter and
// MPI_Ireduce_scatter_block, and MPI_Allreduce_init and its like of them all. Where a mode of
// reproducibility is on, a thread of ours carries them out the way the blocking calls go; else they
// are the host's.
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "interpose/acquaintance.hpp"
#include "interpose/communicator_mode.hpp"
#include "interpose/handlers.hpp"
#include "interpose/persistent_reduction.hpp"
#include "interpose/persistent_requests.hpp"
#include "interpose/planned_reduction.hpp"
#include "interpose/process.hpp"
#include "interpose/reduced_blocks.hpp"
#include "interpose/reduced_vector.hpp"
#include "interpose/reduction_worker.hpp"
#include "interpose/started_reduction.hpp"

namespace tasuki::interpose {

namespace {

/// Whether a valid call has `arguments`, on every rank alike but for what only one rank sees.
bool is_valid(const ReductionArguments& arguments, MPI_Comm parent) {
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(parent, &rank);
    PMPI_Comm_size(parent, &ranks);
    const auto& counts = arguments.counts;
    if (counts.empty() || std::ranges::min(counts) < 0) return false;
    if (arguments.collective == Collective::reduce_scatter) {
        const std::size_t own = arguments.has_equal_blocks ? 0 : static_cast<std::size_t>(rank);
        return has_valid_buffers(arguments.send, arguments.receive, counts[own]);
    }
    return has_valid_buffers({.collective = arguments.collective,
                              .send = arguments.send,
                              .receive = arguments.receive,
                              .count = counts.front(),
                              .type = arguments.type,
                              .operation = arguments.operation,
                              .root = arguments.root,
                              .parent = parent},
                             rank, ranks);
}

bool is_empty(const ReductionArguments& arguments) {
    const auto& counts = arguments.counts;
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == 0;
}

/// Why the host has to do a call with valid arguments, as all ranks find; nullptr if it need not.
const char* why_not_ours(const ReductionArguments& arguments, MPI_Comm parent) {
    int is_inter = 0;
    PMPI_Comm_test_inter(parent, &is_inter);
    if (is_inter) return "the communicator is an inter-communicator";
    if (reaches_other_worlds(parent)) return "the communicator reaches outside of MPI_COMM_WORLD";
    if (!Reduction::of(arguments.operation, arguments.type)) return joined_by_host;
    return nullptr;
}

Handled start(ReductionArguments arguments, const PlannedCall& call, MPI_Comm parent,
              MPI_Request& request) {
    const auto started =
        std::make_shared<StartedReduction>(std::move(arguments), parent, call.mode);
    const int code = StartedReduction::make_request(started, request);
    if (code == MPI_SUCCESS) ReductionWorker::of(parent).add(started);
    return {true, code};
}

Handled make_persistent(ReductionArguments arguments, const PlannedCall& call, MPI_Comm parent,
                        MPI_Request& request) {
    int ranks = 0;
    PMPI_Comm_size(parent, &ranks);
    if (ranks == 1) return {};  // nothing is joined, and SelfReceive takes another rank
    PersistentReduction::Made made =
        PersistentReduction::make(std::move(arguments), parent, call.mode);
    if (made.reduction == nullptr) {
        tell_of_mode(call, made.why_not,
                     "some persistent ones (MPI_Allreduce_init and its like) are the host MPI's "
                     "own and may give other bits: " +
                         std::string(made.why_not));
        return {};
    }
    request = made.reduction->request();
    note_persistent(std::move(made.reduction));
    return {true, MPI_SUCCESS};
}

/// `make_arguments`: a function, called where a mode is on.
template <typename MakeArguments>
Handled request_reduction(RequestKind kind, Collective collective, MPI_Comm parent,
                          MPI_Request* request, const MakeArguments& make_arguments) {
    if (parent == MPI_COMM_NULL || request == nullptr) return {};
    return handle_safely(collective, parent, [&]() -> Handled {
        const PlannedCall call = plan_call(collective, 0, parent);
        if (call.mode == ReductionMode::off) return {};
        if (!process().may_have_threads) {
            tell_of_mode(call, "threads",
                         "non-blocking and persistent ones are the host MPI's own and may give "
                         "other bits: a thread would carry them out, which takes "
                         "MPI_THREAD_MULTIPLE on all ranks (the program may ask for it, and "
                         "TASUKI_REPRODUCIBLE does)");
            return {};
        }
        ReductionArguments arguments = make_arguments();
        arguments.collective = collective;
        if (const char* reason = why_not_ours(arguments, parent)) {
            tell_of_host(call, reason);
            return {};
        }
        // What is wrong with the arguments is the host's to say, at once.
        if (!is_valid(arguments, parent) || is_empty(arguments)) return {};
        const bool is_persistent = kind == RequestKind::persistent;
        return (is_persistent ? make_persistent : start)(std::move(arguments), call, parent,
                                                         *request);
    });
}

/// Those with a vector: all but MPI_Ireduce_scatter and MPI_Reduce_scatter_init.
Handled request_vector(RequestKind kind, Collective collective, const void* send, void* receive,
                       MPI_Count count, MPI_Datatype type, MPI_Op operation, int root,
                       MPI_Comm communicator, MPI_Request* request) {
    return request_reduction(kind, collective, communicator, request, [&] {
        return ReductionArguments{.collective = collective,
                                  .has_equal_blocks = collective == Collective::reduce_scatter,
                                  .send = send,
                                  .receive = receive,
                                  .counts = {count},
                                  .type = type,
                                  .operation = operation,
                                  .root = root};
    });
}

}  // namespace

Handled request_allreduce(RequestKind kind, const void* send, void* receive, MPI_Count count,
                          MPI_Datatype type, MPI_Op operation, MPI_Comm communicator,
                          MPI_Request* request) {
    return request_vector(kind, Collective::allreduce, send, receive, count, type, operation, 0,
                          communicator, request);
}

Handled request_reduce(RequestKind kind, const void* send, void* receive, MPI_Count count,
                       MPI_Datatype type, MPI_Op operation, int root, MPI_Comm communicator,
                       MPI_Request* request) {
    return request_vector(kind, Collective::reduce, send, receive, count, type, operation, root,
                          communicator, request);
}

Handled request_scan(RequestKind kind, const void* send, void* receive, MPI_Count count,
                     MPI_Datatype type, MPI_Op operation, MPI_Comm communicator,
                     MPI_Request* request) {
    return request_vector(kind, Collective::scan, send, receive, count, type, operation, 0,
                          communicator, request);
}

Handled request_exscan(RequestKind kind, const void* send, void* receive, MPI_Count count,
                       MPI_Datatype type, MPI_Op operation, MPI_Comm communicator,
                       MPI_Request* request) {
    return request_vector(kind, Collective::exscan, send, receive, count, type, operation, 0,
                          communicator, request);
}

Handled request_reduce_scatter(RequestKind kind, const void* send, void* receive, Integers counts,
                               MPI_Datatype type, MPI_Op operation, MPI_Comm communicator,
                               MPI_Request* request) {
    return request_reduction(kind, Collective::reduce_scatter, communicator, request, [&] {
        int ranks = 0;
        PMPI_Comm_size(communicator, &ranks);
        std::vector<std::int64_t> list;
        for (int rank = 0; rank < ranks && !counts.is_missing(); ++rank) {
            list.push_back(counts[rank]);
        }
        return ReductionArguments{.collective = Collective::reduce_scatter,
                                  .send = send,
                                  .receive = receive,
                                  .counts = std::move(list),
                                  .type = type,
                                  .operation = operation};
    });
}

Handled request_reduce_scatter_block(RequestKind kind, const void* send, void* receive,
                                     MPI_Count count, MPI_Datatype type, MPI_Op operation,
                                     MPI_Comm communicator, MPI_Request* request) {
    return request_vector(kind, Collective::reduce_scatter, send, receive, count, type, operation,
                          0, communicator, request);
}

}  // namespace tasuki::interpose
