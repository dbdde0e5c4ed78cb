// Buffers that the processor must not touch: memory of CUDA, HIP and Level Zero devices.
#pragma once

#include <atomic>
#include <link.h>

namespace tasuki::interpose {

/// From MPI_Init to MPI_Finalize.
void watch_for_device_runtimes();
void stop_watching_for_device_runtimes();

/// In place of a library while none is watched: another one comes after it.
extern link_map unknown_library;

struct DeviceWatch {
    /// The library that was last in the loader's list when MPI had started, held so that it stays:
    /// while nothing comes after it there is nothing to look for, which two loads tell.
    std::atomic<const link_map*> last_at_start{&unknown_library};
    std::atomic<bool> found{false};  ///< a runtime
};
extern constinit DeviceWatch device_watch;
/// Looks if libraries have been loaded since it looked last; about 50 ns.
bool look_for_device_runtimes();

/// Whether a library may have been loaded since MPI started.
inline bool has_new_library() {
    const link_map* last = device_watch.last_at_start.load(std::memory_order_relaxed);
    return __atomic_load_n(&last->l_next, __ATOMIC_RELAXED) != nullptr;
}
/// Whether a device runtime is in this process now.
inline bool device_runtime_is_loaded() {
    return has_new_library() ? look_for_device_runtimes()
                             : device_watch.found.load(std::memory_order_acquire);
}

/// Whether `address` may lie in device memory, as the loaded runtimes say; managed memory counts as
/// such. false for nullptr.
bool is_device_memory(const void* address);

}  // namespace tasuki::interpose
