#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::launcher {

/// What the user typed cannot be done: the text says what was expected.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One that lies in this rank's program or machine, so that other ranks may not meet it.
class LocalUsageError : public UsageError {
  public:
    using UsageError::UsageError;
};

/// What `tasuki run` was asked for.
struct RunOptions {
    bool help = false;
    /// The environment variables to set, for the library to read at MPI_Init.
    std::vector<std::pair<std::string, std::string>> variables;
    /// The program and its arguments.
    std::vector<std::string> command;
};

/// `words` are what follows "run". Throws UsageError.
RunOptions parse_run(const std::vector<std::string>& words);

/// The text of `tasuki run --help`.
std::string run_help();

}  // namespace tasuki::launcher
