#include "sites/module_address.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace tasuki {

namespace {

std::string own_program() {
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "";
}

}  // namespace

bool is_mpi_library(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (const std::string_view beginning :
         {"libmpi.so", "libmpi_", "libmpifort", "libmpich", "libfmpich"}) {
        if (name.starts_with(beginning)) return true;
    }
    return false;
}

ModuleAddress locate(const void* address) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
    const bool is_program = map == nullptr || map->l_name == nullptr || *map->l_name == '\0';
    const std::uint64_t moved_by = map == nullptr ? 0 : map->l_addr;
    return {is_program ? own_program() : map->l_name,
            reinterpret_cast<std::uintptr_t>(address) - moved_by};
}

}  // namespace tasuki
