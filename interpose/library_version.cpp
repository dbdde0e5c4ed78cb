#include "interpose/library_version.hpp"

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

std::string library_version() {
    // The host may be another MPI than the header is of, with a longer text.
    constexpr int longest_of_any = 8192;
    static_assert(longest_of_any >= MPI_MAX_LIBRARY_VERSION_STRING);
    char version[longest_of_any] = "";
    int length = 0;
    if (PMPI_Get_library_version != nullptr) PMPI_Get_library_version(version, &length);
    return version;
}

std::string host_version() {
    const std::string version = library_version();
    std::string line;
    for (char character : version.substr(0, version.find_first_of("\n,"))) {
        if (character == '\t') character = ' ';
        if (character != ' ' || !line.ends_with(' ')) line += character;
    }
    return line;
}

}  // namespace tasuki::interpose
