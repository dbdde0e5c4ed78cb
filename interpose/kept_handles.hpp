// Datatypes and operations of the program's that reductions under way still need: it may free them
// right after the call, and MPI lets them live until what was started is over.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// They keep their handles, because the program's own operations are told the datatype. Memory: an
/// entry for each that is kept now.
template <typename Handle>
class KeptHandles {
  public:
    using Free = int(Handle*);

    explicit KeptHandles(Free* free) : free_(free) {}

    /// Until as many calls of release().
    void keep(Handle handle) {
        const std::lock_guard lock(mutex_);
        ++kept_[handle].uses;
        ++uses_;
    }
    /// The last one frees it if the program has.
    void release(Handle handle) {
        {
            const std::lock_guard lock(mutex_);
            --uses_;
            const auto found = kept_.find(handle);
            if (--found->second.uses > 0) return;
            const bool is_freed = found->second.is_freed;
            kept_.erase(found);
            if (!is_freed) return;
        }
        free_(&handle);
    }
    /// Whether the program's call that frees it has nothing more to do: release() will.
    bool postpones_free(Handle handle) {
        if (uses_.load(std::memory_order_relaxed) == 0) [[likely]]
            return false;
        const std::lock_guard lock(mutex_);
        const auto found = kept_.find(handle);
        if (found == kept_.end()) return false;
        found->second.is_freed = true;
        return true;
    }

  private:
    struct Kept {
        int uses = 0;
        bool is_freed = false;  // by the program
    };

    Free* free_;
    std::atomic<int> uses_{0};
    std::mutex mutex_;  // guards what follows
    std::map<Handle, Kept> kept_;
};

/// They outlive the process: threads of ours may use them until it ends.
KeptHandles<MPI_Datatype>& kept_types();
KeptHandles<MPI_Op>& kept_operations();

}  // namespace tasuki::interpose
