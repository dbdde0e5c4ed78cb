#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/elf.hpp"
#include "launcher/search_path.hpp"

namespace tasuki::launcher {

/// The binary interfaces of MPI that Tasuki has a library for, and those that it must not touch.
enum class Abi { openmpi, mpich, mpi_abi, uncovered };

/// "openmpi", "mpich", "mpi-abi": as in --mpi and in libtasuki-<name>.so.
std::string_view abi_name(Abi abi);
std::optional<Abi> abi_named(std::string_view name);

/// The interface of a library by its soname, or nothing if it is no MPI.
std::optional<Abi> abi_of_soname(std::string_view soname);

/// The sonames under which an MPI of that interface is found, the commonest first.
std::vector<std::string> sonames_of(Abi abi);

/// The MPI that a program or library asks for, and by which name.
struct MpiLink {
    Abi abi;
    std::string soname;
};

/// Follows what the file at `path` needs, and what that needs, in the dynamic loader's way.
std::optional<MpiLink> linked_mpi(const std::string& path, const ElfFacts& facts,
                                  const LibrarySearch& search);

}  // namespace tasuki::launcher
