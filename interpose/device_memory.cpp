#include "interpose/device_memory.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <string_view>
#include <sys/uio.h>
#include <unistd.h>

#include "interpose/say.hpp"
#include "interpose/switches.hpp"

namespace tasuki::interpose {

constinit link_map unknown_library{0, nullptr, nullptr, &unknown_library, nullptr};
constinit DeviceWatch device_watch;

namespace {

// Both runtimes answer "of which kind is this pointer" under the same number, with an unsigned
// integer, and fail for addresses that they have not been told of (CUDA driver API,
// CU_POINTER_ATTRIBUTE_MEMORY_TYPE; HIP, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE).
using GetPointerAttribute = int (*)(void* value, int attribute, std::uintptr_t pointer);
constexpr int memory_type_attribute = 2;
constexpr unsigned cuda_host_memory = 1;
constexpr unsigned hip_ordinary_memory = 0;

struct Runtimes {
    std::atomic<unsigned long long> libraries_at_last_look{0};
    std::mutex mutex;
    std::atomic<GetPointerAttribute> cuda{nullptr};
    std::atomic<GetPointerAttribute> hip{nullptr};
    std::atomic<bool> level_zero{false};
};
constinit Runtimes runtimes;

/// What is found is kept loaded, because it will be called.
void* find_loaded(const char* library, const char* symbol) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return nullptr;
    void* found = dlsym(handle, symbol);
    if (found == nullptr) dlclose(handle);
    return found;
}

/// The libraries of this process.
struct Loaded {
    unsigned long long so_far = 0;    ///< also those that have gone: changes when a runtime comes
    bool has_device_runtime = false;  ///< by their names
};

bool may_be_device_runtime(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return std::ranges::any_of(std::array{"libcuda.so", "libamdhip64.so", "libze_loader.so"},
                               [&](const char* runtime) { return name.starts_with(runtime); });
}

Loaded loaded_libraries() {
    Loaded loaded;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            Loaded& found = *static_cast<Loaded*>(result);
            found.so_far = info->dlpi_adds;
            found.has_device_runtime |= may_be_device_runtime(info->dlpi_name);
            return 0;
        },
        &loaded);
    return loaded;
}

/// Level Zero answers only to who holds its context, which we do not: what the processor cannot
/// read is taken for device memory.
bool is_readable(const void* address) {
    char byte = 0;
    const iovec to{&byte, 1};
    const iovec from{const_cast<void*>(address), 1};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1;
}

void look() {
    const std::lock_guard lock(runtimes.mutex);
    runtimes.cuda =
        reinterpret_cast<GetPointerAttribute>(find_loaded("libcuda.so.1", "cuPointerGetAttribute"));
    for (const char* library :
         {"libamdhip64.so", "libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7"}) {
        if (void* found = find_loaded(library, "hipPointerGetAttribute")) {
            runtimes.hip = reinterpret_cast<GetPointerAttribute>(found);
        }
    }
    const bool level_zero = find_loaded("libze_loader.so.1", "zeInit") != nullptr;
    if (level_zero && !runtimes.level_zero && !is_readable(&level_zero)) {
        say("Level Zero is loaded and process_vm_readv is denied: Tasuki cannot tell device "
            "memory, "
            "and takes every buffer for it");
    }
    runtimes.level_zero = level_zero;
    device_watch.found = runtimes.cuda != nullptr || runtimes.hip != nullptr || level_zero;
    forget_known_calls();
}

/// Asking the loader for a library that is not there makes it search the disk: 0.5 ms for the six.
void look_among(const Loaded& libraries) {
    if (libraries.has_device_runtime) look();
    runtimes.libraries_at_last_look.store(libraries.so_far, std::memory_order_release);
}

bool runtime_says_device(GetPointerAttribute get, const void* address, unsigned ordinary) {
    unsigned type = ordinary;
    const int code = get(&type, memory_type_attribute, reinterpret_cast<std::uintptr_t>(address));
    return code == 0 && type != ordinary;
}

}  // namespace

void watch_for_device_runtimes() {
    look_among(loaded_libraries());
    link_map* last = _r_debug.r_map;
    while (last != nullptr && last->l_next != nullptr) last = last->l_next;
    if (last == nullptr) return;
    void* held = dlopen(last->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (held == last) {
        device_watch.last_at_start = last;
    } else if (held != nullptr) {
        dlclose(held);
    }
}

void stop_watching_for_device_runtimes() {
    const link_map* last = device_watch.last_at_start.exchange(&unknown_library);
    if (last != &unknown_library) dlclose(const_cast<link_map*>(last));
}

bool look_for_device_runtimes() {
    const Loaded now = loaded_libraries();
    if (runtimes.libraries_at_last_look.load(std::memory_order_acquire) != now.so_far) {
        look_among(now);
    }
    return device_watch.found;
}

bool is_device_memory(const void* address) {
    if (address == nullptr) return false;
    if (const auto cuda = runtimes.cuda.load()) {
        if (runtime_says_device(cuda, address, cuda_host_memory)) return true;
    }
    if (const auto hip = runtimes.hip.load()) {
        if (runtime_says_device(hip, address, hip_ordinary_memory)) return true;
    }
    return runtimes.level_zero && !is_readable(address);
}

}  // namespace tasuki::interpose
