#include "interpose/requested_reduction.hpp"

#include <utility>

#include "interpose/after_host.hpp"
#include "interpose/handlers.hpp"
#include "interpose/host_reduction.hpp"
#include "interpose/kept_handles.hpp"
#include "interpose/own_thread.hpp"
#include "interpose/predefined.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

namespace {

bool is_predefined(MPI_Datatype type) {
    host::TypeLayout layout;
    return host::layout_of(type, layout) && layout.is_predefined;
}

Handled handle(const ReductionArguments& call, MPI_Comm shadow) {
    const std::int64_t count = call.counts.front();
    switch (call.collective) {
        case Collective::allreduce:
            return handle_allreduce(call.send, call.receive, count, call.type, call.operation,
                                    shadow);
        case Collective::reduce:
            return handle_reduce(call.send, call.receive, count, call.type, call.operation,
                                 call.root, shadow);
        case Collective::scan:
            return handle_scan(call.send, call.receive, count, call.type, call.operation, shadow);
        case Collective::exscan:
            return handle_exscan(call.send, call.receive, count, call.type, call.operation, shadow);
        default:
            if (call.has_equal_blocks) {
                return handle_reduce_scatter_block(call.send, call.receive, count, call.type,
                                                   call.operation, shadow);
            }
            return handle_reduce_scatter(call.send, call.receive, call.counts.data(), call.type,
                                         call.operation, shadow);
    }
}

}  // namespace

RequestedReduction::RequestedReduction(ReductionArguments arguments, MPI_Comm parent,
                                       ReductionMode mode)
    : arguments_(std::move(arguments)),
      mode_(mode),
      wish_(current_wish(arguments_.collective)),
      keeps_type_(!is_predefined(arguments_.type)),
      keeps_operation_(!predefined_operation(arguments_.operation)) {
    take_environment();
    PMPI_Comm_get_errhandler(parent, &handler_);
    if (keeps_type_) kept_types().keep(arguments_.type);
    if (keeps_operation_) kept_operations().keep(arguments_.operation);
}

RequestedReduction::~RequestedReduction() {
    release();
}

void RequestedReduction::release() {
    if (std::exchange(keeps_type_, false)) kept_types().release(arguments_.type);
    if (std::exchange(keeps_operation_, false)) kept_operations().release(arguments_.operation);
    if (handler_ != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&handler_);
}

int RequestedReduction::run(MPI_Comm shadow) const {
    const Handled handled = handle(arguments_, shadow);
    if (handled.done) return handled.code;
    const LeftForLater left = left_by(handled);
    const int code = reduce_by_host(arguments_, shadow);
    if (handled.is_watched) after_host(left);
    return code;
}

void RequestedReduction::tell_error(int code, MPI_Comm shadow) const {
    PMPI_Comm_set_errhandler(shadow, handler_);
    PMPI_Comm_call_errhandler(shadow, code);
    PMPI_Comm_set_errhandler(shadow, MPI_ERRORS_RETURN);
}

void RequestedReduction::carry_out(MPI_Comm shadow) {
    own_thread.mode = mode_;
    own_thread.wish = wish_;
    std::fesetenv(&environment_);
    const int code = run(shadow);
    if (code != MPI_SUCCESS) tell_error(code, shadow);
    end(code);
}

}  // namespace tasuki::interpose
