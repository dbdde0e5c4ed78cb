#include "interpose/preload_variable.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

namespace {

constexpr std::string_view separators = " :";

/// The file that the code at `address` comes from; empty if nobody knows.
std::string file_at(const void* address) {
    Dl_info info{};
    if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
    return info.dli_fname;
}

bool are_same_file(const std::string& one, const std::string& other) {
    struct stat first{}, second{};
    return stat(one.c_str(), &first) == 0 && stat(other.c_str(), &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// Without the entry for `ours`, and the one for `host` if it comes next, as where the program
/// loads its MPI late.
std::string without_ours(std::string_view list, const std::string& ours, const std::string& host) {
    std::string left;
    bool follows_ours = false;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find_first_of(separators), list.size());
        const std::string entry(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
        if (entry.empty()) continue;
        if (are_same_file(entry, ours)) {
            follows_ours = true;
            continue;
        }
        const bool is_host_after_ours = follows_ours && are_same_file(entry, host);
        follows_ours = false;
        if (is_host_after_ours) continue;
        if (!left.empty()) left += ':';
        left += entry;
    }
    return left;
}

}  // namespace

void leave_preload_variable() {
    const char* const list = std::getenv("LD_PRELOAD");
    static const char anchor = 0;
    const std::string ours = file_at(&anchor);
    if (list == nullptr || ours.empty()) return;
    const std::string host = file_at(reinterpret_cast<const void*>(&PMPI_Init));
    const std::string left = without_ours(list, ours, host);
    if (left == list) return;
    if (left.empty()) {
        unsetenv("LD_PRELOAD");
    } else {
        setenv("LD_PRELOAD", left.c_str(), 1);
    }
}

}  // namespace tasuki::interpose
