#include "interpose/host_reduction.hpp"

#include <algorithm>
#include <climits>

namespace tasuki::interpose {

namespace {

/// The host's functions for counts of type `Integer`.
template <typename Integer>
struct Functions {
    template <typename... More>
    using Vector = int(const void*, void*, Integer, MPI_Datatype, MPI_Op, More...);

    Vector<MPI_Comm>* allreduce;
    Vector<int, MPI_Comm>* reduce;
    Vector<MPI_Comm>* scan;
    Vector<MPI_Comm>* exscan;
    int (*reduce_scatter)(const void*, void*, const Integer*, MPI_Datatype, MPI_Op, MPI_Comm);
    Vector<MPI_Comm>* reduce_scatter_block;
};

template <typename Integer>
int run_on_host(const Functions<Integer>& host, const ReductionArguments& call,
                MPI_Comm communicator) {
    const std::vector<Integer> counts(call.counts.begin(), call.counts.end());
    const auto vector = [&](auto* function) {
        return function(call.send, call.receive, counts.front(), call.type, call.operation,
                        communicator);
    };
    switch (call.collective) {
        case Collective::allreduce:
            return vector(host.allreduce);
        case Collective::reduce:
            return host.reduce(call.send, call.receive, counts.front(), call.type, call.operation,
                               call.root, communicator);
        case Collective::scan:
            return vector(host.scan);
        case Collective::exscan:
            return vector(host.exscan);
        default:
            if (call.has_equal_blocks) return vector(host.reduce_scatter_block);
            return host.reduce_scatter(call.send, call.receive, counts.data(), call.type,
                                       call.operation, communicator);
    }
}

}  // namespace

int reduce_by_host(const ReductionArguments& call, MPI_Comm communicator) {
#if TASUKI_HAS_LARGE_COUNTS
    // A program that has such counts has a host with these functions.
    if (std::ranges::max(call.counts) > INT_MAX) {
        return run_on_host<MPI_Count>({PMPI_Allreduce_c, PMPI_Reduce_c, PMPI_Scan_c, PMPI_Exscan_c,
                                       PMPI_Reduce_scatter_c, PMPI_Reduce_scatter_block_c},
                                      call, communicator);
    }
#endif
    return run_on_host<int>({PMPI_Allreduce, PMPI_Reduce, PMPI_Scan, PMPI_Exscan,
                             PMPI_Reduce_scatter, PMPI_Reduce_scatter_block},
                            call, communicator);
}

}  // namespace tasuki::interpose
