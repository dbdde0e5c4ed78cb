// Decisions on disk, shared by runs that may end at the same moment.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "select/decision_book.hpp"

namespace tasuki {

/// What came of reading or writing. `message` is empty if all is well, else a sentence that says
/// what is wrong, what happens now and what to do.
struct DecisionFileResult {
    std::optional<DecisionBook> book;
    std::string message;
};

/// The file of the machine with this fingerprint, below the cache directory; empty if there is
/// none.
std::filesystem::path decision_path(const std::string& fingerprint);

/// Reads the decisions of the machine with this fingerprint. A file that is missing is no error and
/// gives no book. One that is damaged, older, newer or another machine's gives a message: the run
/// goes on without.
DecisionFileResult load_decisions(const std::filesystem::path& path,
                                  const std::string& fingerprint);

/// Adds `news` to the file: keys that only the file has stay, those of `news` replace the file's,
/// their calls, samples and seconds added up; the call from which on the winner was used is counted
/// over all runs. Other writers are waited for (at most five seconds), readers
/// see the old file or the new one. A newer Tasuki's or another machine's file is left alone; a
/// damaged or older one is replaced. Where the file system has no locks nothing is kept. Never
/// throws; the message says what went wrong.
DecisionFileResult add_decisions(const std::filesystem::path& path, const DecisionBook& news);

/// Takes these keys out of the file, under the same lock.
DecisionFileResult forget_decisions(const std::filesystem::path& path,
                                    std::span<const SelectionKey> keys);

}  // namespace tasuki
