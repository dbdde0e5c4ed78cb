#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tasuki::launcher {

/// Debian's name for the folder of this machine's libraries, such as "x86_64-linux-gnu".
extern const std::string_view multiarch;

/// Splits a list of folders: PATH, RPATH and RUNPATH at colons only; ld.so takes semicolons too in
/// LD_LIBRARY_PATH alone. An empty entry is the current folder.
std::vector<std::string> split_folders(std::string_view list, std::string_view separators = ":");

/// The folders of an RPATH or RUNPATH with $ORIGIN replaced by `origin`, the folder of the file
/// that it stands in. Entries with other variables ($LIB, $PLATFORM) are left out.
std::vector<std::string> expand_folders(std::string_view list, const std::string& origin);

/// The first of `folders` where the library `name`, of this machine's kind, lies: its path, or "".
std::string find_in(const std::vector<std::string>& folders, const std::string& name);

/// Where the dynamic loader looks for every program alike.
class LibrarySearch {
  public:
    /// `library_path` is the value of LD_LIBRARY_PATH.
    explicit LibrarySearch(std::string_view library_path,
                           std::string cache_file = "/etc/ld.so.cache");

    /// Between RPATH and RUNPATH: LD_LIBRARY_PATH.
    std::string find_by_user(const std::string& name) const;
    /// After them: the loader's cache, then its default folders.
    std::string find_by_system(const std::string& name) const;

  private:
    std::vector<std::string> library_path_;
    std::string cache_file_;
};

}  // namespace tasuki::launcher
