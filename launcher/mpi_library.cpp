#include "launcher/mpi_library.hpp"

#include <array>
#include <deque>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace tasuki::launcher {

namespace {

constexpr std::array<std::pair<std::string_view, Abi>, 5> known_sonames = {{
    {"libmpi.so.40", Abi::openmpi},
    {"libmpi.so.12", Abi::mpich},
    {"libmpich.so.12", Abi::mpich},  // Debian's name
    {"libmpi_abi.so.1", Abi::mpi_abi},
    // Intel's MPI for 64-bit Fortran integers: its arguments are not those of any other MPI.
    {"libmpi_ilp64.so.4", Abi::uncovered},
}};

/// No program loads as many; a bound for whatever a broken file may claim.
constexpr std::size_t most_objects = 4096;

struct Object {
    std::string path;
    ElfFacts facts;
    std::vector<std::string> inherited_rpath;
};

std::string folder_of(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

std::string find_needed(const std::string& name, const Object& by, const LibrarySearch& search) {
    if (name.find('/') != std::string::npos) return name;
    const bool has_runpath = !by.facts.runpath.empty();
    std::string path;
    // A RUNPATH switches the RPATHs off, those of the files above too.
    if (!has_runpath) path = find_in(by.inherited_rpath, name);
    if (path.empty()) path = search.find_by_user(name);
    if (path.empty() && has_runpath) {
        path = find_in(expand_folders(by.facts.runpath, folder_of(by.path)), name);
    }
    return path.empty() ? search.find_by_system(name) : path;
}

Object make_object(std::string path, ElfFacts facts, const std::vector<std::string>& inherited) {
    Object object{std::move(path), std::move(facts), {}};
    if (object.facts.runpath.empty() && !object.facts.rpath.empty()) {
        object.inherited_rpath = expand_folders(object.facts.rpath, folder_of(object.path));
    }
    object.inherited_rpath.insert(object.inherited_rpath.end(), inherited.begin(), inherited.end());
    return object;
}

}  // namespace

std::string_view abi_name(Abi abi) {
    switch (abi) {
        case Abi::openmpi:
            return "openmpi";
        case Abi::mpich:
            return "mpich";
        case Abi::mpi_abi:
            return "mpi-abi";
        case Abi::uncovered:
            break;
    }
    return "uncovered";
}

std::optional<Abi> abi_named(std::string_view name) {
    for (const Abi abi : {Abi::openmpi, Abi::mpich, Abi::mpi_abi}) {
        if (abi_name(abi) == name) return abi;
    }
    return std::nullopt;
}

std::optional<Abi> abi_of_soname(std::string_view soname) {
    for (const auto& [known, abi] : known_sonames) {
        if (known == soname) return abi;
    }
    return std::nullopt;
}

std::vector<std::string> sonames_of(Abi abi) {
    std::vector<std::string> sonames;
    for (const auto& [known, its_abi] : known_sonames) {
        if (its_abi == abi) sonames.emplace_back(known);
    }
    return sonames;
}

std::optional<MpiLink> linked_mpi(const std::string& path, const ElfFacts& facts,
                                  const LibrarySearch& search) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    std::deque<Object> waiting;
    waiting.push_back(make_object(error ? path : real.string(), facts, {}));
    std::set<std::string> seen;
    while (!waiting.empty() && seen.size() < most_objects) {
        const Object object = std::move(waiting.front());
        waiting.pop_front();
        std::optional<MpiLink> found;
        for (const std::string& name : object.facts.needed) {
            const std::string base = std::filesystem::path(name).filename().string();
            const auto abi = abi_of_soname(base);
            // Intel's 64-bit wrapper stands before the MPI that it needs itself.
            if (abi == Abi::uncovered) return MpiLink{*abi, base};
            if (abi && !found) found = MpiLink{*abi, base};
        }
        if (found) return found;
        for (const std::string& name : object.facts.needed) {
            if (!seen.insert(name).second) continue;
            std::string library = find_needed(name, object, search);
            if (library.empty()) continue;
            ElfFacts its_facts = read_elf_file(library);
            if (its_facts.kind != ElfKind::native) continue;
            waiting.push_back(
                make_object(std::move(library), std::move(its_facts), object.inherited_rpath));
        }
    }
    return std::nullopt;
}

}  // namespace tasuki::launcher
