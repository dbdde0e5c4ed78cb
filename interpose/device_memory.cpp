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

/// How many libraries have been loaded so far: what changes when a runtime comes.
unsigned long long libraries_loaded() {
    unsigned long long adds = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            *static_cast<unsigned long long*>(result) = info->dlpi_adds;
            return 1;
        },
        &adds);
    return adds;
}

bool is_name_of_runtime(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return std::ranges::any_of(std::array{"libcuda.so", "libamdhip64.so", "libze_loader.so"},
                               [&](const char* runtime) { return name.starts_with(runtime); });
}

bool contains(const dl_phdr_info& library, ElfW(Addr) address) {
    return std::any_of(library.dlpi_phdr, library.dlpi_phdr + library.dlpi_phnum,
                       [&](const ElfW(Phdr) & part) {
                           const ElfW(Addr) begin = library.dlpi_addr + part.p_vaddr;
                           return part.p_type == PT_LOAD && address - begin < part.p_memsz;
                       });
}

/// The name that a library gives itself (DT_SONAME), by which others find it whatever its file is
/// called; empty if it has none.
std::string_view own_name(const dl_phdr_info& library) {
    for (int i = 0; i < library.dlpi_phnum; ++i) {
        const ElfW(Phdr) & part = library.dlpi_phdr[i];
        if (part.p_type != PT_DYNAMIC) continue;
        ElfW(Addr) texts = 0;
        ElfW(Addr) name = 0;
        const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + part.p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_STRTAB) texts = entry->d_un.d_ptr;
            if (entry->d_tag == DT_SONAME) name = entry->d_un.d_val;
        }
        if (texts == 0 || name == 0) return {};
        // Some loaders have added where the library lies, others have not.
        for (const ElfW(Addr) text : {texts + name, library.dlpi_addr + texts + name}) {
            if (contains(library, text)) return reinterpret_cast<const char*>(text);
        }
    }
    return {};
}

/// By the names of the libraries of this process: asking the loader for one that is not there makes
/// it search the disk, 0.5 ms for all of them.
bool may_have_device_runtime() {
    return dl_iterate_phdr(
               [](dl_phdr_info* info, std::size_t, void*) {
                   return static_cast<int>(is_name_of_runtime(info->dlpi_name) ||
                                           is_name_of_runtime(own_name(*info)));
               },
               nullptr) != 0;
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
    if (!may_have_device_runtime()) return;
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

bool runtime_says_device(GetPointerAttribute get, const void* address, unsigned ordinary) {
    unsigned type = ordinary;
    const int code = get(&type, memory_type_attribute, reinterpret_cast<std::uintptr_t>(address));
    return code == 0 && type != ordinary;
}

}  // namespace

void watch_for_device_runtimes() {
    const unsigned long long now = libraries_loaded();
    look();
    runtimes.libraries_at_last_look = now;
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
    const unsigned long long now = libraries_loaded();
    if (runtimes.libraries_at_last_look.load(std::memory_order_acquire) != now) {
        look();
        runtimes.libraries_at_last_look.store(now, std::memory_order_release);
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
