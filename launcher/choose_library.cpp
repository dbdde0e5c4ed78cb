#include "launcher/choose_library.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "launcher/mpi_library.hpp"
#include "launcher/options.hpp"

namespace tasuki::launcher {

namespace {

// The loader takes LD_PRELOAD apart at both.
constexpr std::string_view preload_separators = " :";

std::optional<Abi> asked_abi(const Environment& environment) {
    const std::string name(value_of(environment, "TASUKI_MPI"));
    if (name.empty()) return std::nullopt;
    const auto abi = abi_named(name);
    if (!abi) {
        throw UsageError("'" + name +
                         "' (--mpi or TASUKI_MPI) is no MPI interface; there are openmpi, mpich "
                         "(Intel MPI too) and mpi-abi");
    }
    return abi;
}

/// A library that the user named: its path must lead to an MPI.
Abi abi_of_file(const std::string& path) {
    const std::string what = "'" + path + "' (--mpi-library or TASUKI_MPI_LIBRARY) ";
    const ElfFacts facts = read_elf_file(path);
    if (facts.kind == ElfKind::unreadable) throw LocalUsageError(what + "cannot be read");
    if (facts.kind != ElfKind::native) {
        throw LocalUsageError(what + "is no shared library of this machine");
    }
    const auto abi = abi_of_soname(facts.soname);
    if (!abi || *abi == Abi::uncovered) {
        throw LocalUsageError(what + "calls itself '" + facts.soname +
                              "', which is no MPI that Tasuki knows: libmpi.so.40, libmpi.so.12, "
                              "libmpich.so.12 or libmpi_abi.so.1");
    }
    return *abi;
}

Choice with_own_library(Abi abi, const std::string& mpi_library, const std::string& reason,
                        const std::vector<std::string>& folders) {
    const std::string file = "libtasuki-" + std::string(abi_name(abi)) + ".so";
    const std::string own = find_in(folders, file);
    if (own.empty()) {
        std::string message = reason + ", but there is no " + file + " in";
        for (const std::string& folder : folders) message += " " + folder;
        return {{}, message + "; build or install Tasuki for that MPI"};
    }
    Choice choice{{own}, reason};
    if (!mpi_library.empty()) {
        // The program, or one that it starts, may change folder.
        choice.preload.push_back(std::filesystem::absolute(mpi_library).string());
    }
    for (const std::string& path : choice.preload) {
        if (path.find_first_of(preload_separators) == std::string::npos) continue;
        return {{},
                "'" + path +
                    "' has a space or a colon in its path, which LD_PRELOAD cannot "
                    "name; move it"};
    }
    return choice;
}

Choice choose_for_linked(const LoadedFile& program, const MpiLink& link, std::optional<Abi> asked,
                         const std::string& library, const std::vector<std::string>& folders) {
    const std::string reason = "'" + program.path + "' is linked to " + link.soname;
    if (link.abi == Abi::uncovered) {
        return {{}, reason + ", whose integers have 64 bits, which Tasuki does not cover"};
    }
    if (asked && *asked != link.abi) {
        throw LocalUsageError(reason + " (" + std::string(abi_name(link.abi)) + "), so " +
                              std::string(abi_name(*asked)) +
                              " cannot be put before it; leave --mpi and --mpi-library out");
    }
    return with_own_library(link.abi, library, reason, folders);
}

Choice choose_for_late(const LoadedFile& program, std::optional<Abi> asked,
                       const Environment& environment, const Job& job, const LibrarySearch& search,
                       const std::vector<std::string>& folders) {
    const std::string reason =
        "'" + program.path +
        (program.facts.kind == ElfKind::unreadable ? "' cannot be read, so its MPI is not known"
                                                   : "' is not linked to MPI");
    const std::optional<Abi> abi = asked ? asked : job.abi;
    if (!abi && !job.variable.empty()) {
        return {{},
                reason + ", and " + job.variable +
                    " does not tell which MPI it loads, as launchers such as srun set it for "
                    "every MPI; say so with --mpi {openmpi,mpich,mpi-abi} or --mpi-library PATH",
                true};
    }
    if (!abi) {
        return {{},
                reason +
                    " and no MPI launcher started it; start it with mpirun, mpiexec or "
                    "srun (mpirun -n 4 tasuki run PROGRAM), or name its MPI with --mpi or "
                    "--mpi-library",
                true};
    }
    const std::string name(abi_name(*abi));
    const std::string why = reason + (asked ? ", you asked for " : ", the launcher is of ") + name;
    const std::string library = late_library(*abi, job, environment, search);
    if (library.empty()) {
        return {{},
                why + ", and no " + sonames_of(*abi).front() +
                    " was found; name it with "
                    "--mpi-library PATH"};
    }
    return with_own_library(*abi, library, why + ": " + library + " is loaded first", folders);
}

Choice decide(const LoadedFile& program, const Environment& environment, const Job& job,
              const std::vector<std::string>& library_folders) {
    std::optional<Abi> asked = asked_abi(environment);
    const std::string library(value_of(environment, "TASUKI_MPI_LIBRARY"));
    if (!library.empty()) {
        const Abi abi = abi_of_file(library);
        if (asked && *asked != abi) {
            throw LocalUsageError("'" + library + "' is of " + std::string(abi_name(abi)) +
                                  ", not of " + std::string(abi_name(*asked)) +
                                  ": name only one of them");
        }
        asked = abi;
    }
    if (!program.refusal.empty()) return {{}, program.refusal};
    const LibrarySearch search(value_of(environment, "LD_LIBRARY_PATH"));
    if (const auto link = linked_mpi(program.path, program.facts, search)) {
        return choose_for_linked(program, *link, asked, library, library_folders);
    }
    if (!library.empty()) {
        return with_own_library(*asked, library, "you named " + library, library_folders);
    }
    return choose_for_late(program, asked, environment, job, search, library_folders);
}

}  // namespace

Choice choose_library(const LoadedFile& program, const Environment& environment, const Job& job,
                      const std::vector<std::string>& library_folders) {
    Choice choice = decide(program, environment, job, library_folders);
    if (choice.preload.empty()) return choice;
    // The address sanitizer ends a program in which anything is loaded before it.
    for (const std::string& name : program.facts.needed) {
        if (name.starts_with("libasan.so")) choice.preload.insert(choice.preload.begin(), name);
    }
    return choice;
}

std::string preload_value(const std::vector<std::string>& first, std::string_view before) {
    std::string value;
    const auto add = [&value](std::string_view path) {
        if (!value.empty()) value += ':';
        value += path;
    };
    for (const std::string& path : first) add(path);
    while (!before.empty()) {
        const std::size_t end = before.find_first_of(preload_separators);
        const std::string_view path = before.substr(0, end);
        const bool repeated = std::find(first.begin(), first.end(), path) != first.end();
        if (!path.empty() && !repeated) add(path);
        before.remove_prefix(end == std::string_view::npos ? before.size() : end + 1);
    }
    return value;
}

}  // namespace tasuki::launcher
