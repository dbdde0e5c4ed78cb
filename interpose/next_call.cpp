#include "interpose/next_call.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "interpose/say.hpp"

namespace tasuki::interpose {

void* find_next(const char* symbol) {
    if (void* found = dlsym(RTLD_NEXT, symbol)) return found;
    // A program that loads its MPI privately (RTLD_LOCAL) hides it from RTLD_NEXT.
    for (const char* library : {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40",
                                "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1"}) {
        if (void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD)) {
            void* found = dlsym(handle, symbol);
            dlclose(handle);
            if (found != nullptr) return found;
        }
    }
    say(std::string("the program calls ") + symbol + ", and no MPI library that has it is loaded");
    std::abort();
}

}  // namespace tasuki::interpose
