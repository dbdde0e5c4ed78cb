#include "interpose/library_version.hpp"

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

std::string library_version() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    if (PMPI_Get_library_version != nullptr) PMPI_Get_library_version(version, &length);
    return version;
}

}  // namespace tasuki::interpose
