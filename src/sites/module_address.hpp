// Addresses of this process as ranks can share them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki {

/// A place in a program or a library: equal in all processes that have loaded the file.
struct ModuleAddress {
    std::string module;        ///< the file's path; "" where there is none
    std::uint64_t offset = 0;  ///< as the file counts addresses, and addr2line does
};

/// Whether a file of that path is an MPI library by its name, or the layer of one for Fortran.
bool is_mpi_library(std::string_view path);

/// Takes as long as a look through the symbols of a library: microseconds.
ModuleAddress locate(const void* address);

}  // namespace tasuki
