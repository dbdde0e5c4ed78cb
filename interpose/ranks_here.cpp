#include "interpose/ranks_here.hpp"

#include <cstdlib>

namespace tasuki::interpose {

std::int32_t ranks_here() {
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (const char* value = std::getenv(name)) return std::atoi(value);
    }
    return 0;
}

}  // namespace tasuki::interpose
