#include "interpose/whereabouts.hpp"

#include <array>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "select/digest.hpp"

namespace tasuki::interpose {

namespace {

std::uint64_t own_node() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    return Digest().add(boot).add(name.data()).value();
}

std::uint32_t own_thread_numbering() {
    struct stat status{};
    if (stat("/proc/self/ns/pid", &status) != 0) return 0;
    return static_cast<std::uint32_t>(status.st_ino);
}

}  // namespace

Whereabouts own_whereabouts() {
    static const std::uint64_t node = own_node();
    static const std::uint32_t thread_numbering = own_thread_numbering();
    return {node, gettid(), thread_numbering};
}

}  // namespace tasuki::interpose
