#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launcher/environment.hpp"
#include "launcher/mpi_library.hpp"

namespace tasuki::launcher {

/// What started this process as a rank of a job, as far as it can be told before MPI_Init.
struct Job {
    /// The MPI whose launcher it was; nothing outside of a job, or if that cannot be told.
    std::optional<Abi> abi;
    /// The launcher's own executable, such as ".../bin/prterun"; "" if unknown.
    std::string launcher = {};
    /// The variable, such as "PMI_RANK", that says that this is a rank, but of any MPI; "" if none.
    std::string variable = {};
};

/// `ancestors` are the executables of the parent process, its parent and so on.
Job find_job(const Environment& environment, const std::vector<std::string>& ancestors);

/// The executables of the processes above this one, nearest first, as far as they may be read.
std::vector<std::string> own_ancestors();

/// The libmpi that a program which loads its MPI late would best get in this job; "" if none.
std::string late_library(Abi abi, const Job& job, const Environment& environment,
                         const LibrarySearch& search);

}  // namespace tasuki::launcher
