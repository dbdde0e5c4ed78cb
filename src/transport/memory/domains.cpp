#include "transport/memory/domains.hpp"

#include <fstream>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::memory {

bool prefer_this_domain(std::byte* base, std::size_t bytes) {
    constexpr int prefer = 1;  // MPOL_PREFERRED of <numaif.h>, which is not everywhere
    unsigned cpu = 0;
    unsigned domain = 0;
    if (syscall(SYS_getcpu, &cpu, &domain, nullptr) != 0 || domain >= 64) return false;
    const unsigned long domains = 1UL << domain;
    return syscall(SYS_mbind, base, bytes, prefer, &domains, 65UL, 0U) == 0;
}

void touch_what_is_looked_at(std::byte* base, const Geometry& geometry) {
    // A page is taken when it is written to; all are zeros still.
    const auto touch = [base](std::size_t place) {
        *static_cast<volatile std::byte*>(base + place) = std::byte{0};
    };
    touch(0);
    for (std::int32_t sender = 0; sender < geometry.ranks; ++sender) {
        const std::size_t box = geometry.fixed_bytes() + sender * geometry.box_bytes();
        for (std::size_t place = 0; place < sizeof(Box); place += page_bytes) touch(box + place);
    }
}

bool names_several_domains(const std::string& list) {
    return list.find_first_of(",-") != std::string::npos;
}

std::string domains_of_this_node() {
    std::string list;
    std::ifstream("/sys/devices/system/node/online") >> list;
    return list;
}

}  // namespace tasuki::memory
