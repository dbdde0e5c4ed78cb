#include "interpose/quiet_calls.hpp"

#include <algorithm>
#include <iterator>

#include "interpose/predefined.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/run_report.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

constinit thread_local QuietCall* quiet_call = nullptr;

/// Handles of the program's own types and operations may come to mean something else, and
/// reductions that are checked are not left to the host alone. A report counts every call.
bool QuietCall::may_be_kept() const {
    if (is_reporting()) return false;
    const MPI_Op operation = arguments_.operation;
    if (operation != MPI_Op{} && (checks_reductions() || !predefined_operation(operation))) {
        return false;
    }
    return std::all_of(std::begin(arguments_.types), std::end(arguments_.types),
                       [](MPI_Datatype type) {
                           host::TypeLayout layout;
                           return type == MPI_Datatype{} ||
                                  (host::layout_of(type, layout) && layout.is_predefined);
                       });
}

void QuietCall::remember(Communicator& communicator, SelectedSize& size) {
    communicator_ = &communicator;
    size_ = &size;
    generation_ = Communicator::generation_now();
    switches_ = switch_changes.load(std::memory_order_relaxed);
}

}  // namespace tasuki::interpose
