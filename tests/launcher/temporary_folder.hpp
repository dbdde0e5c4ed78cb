#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tasuki::launcher {

/// A folder that ends with the test.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "tasuki-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }

    /// Writes a file, with the folders above it, and tells its path.
    std::string write(const std::string& name, const std::string& text, bool executable = false) {
        const std::string path = prepare(name);
        std::ofstream(path) << text;
        if (executable) {
            std::filesystem::permissions(path, std::filesystem::perms::owner_exec,
                                         std::filesystem::perm_options::add);
        }
        return path;
    }

    std::string copy(const std::string& from, const std::string& name) {
        const std::string path = prepare(name);
        std::filesystem::copy_file(from, path);
        return path;
    }

  private:
    std::string prepare(const std::string& name) {
        const std::filesystem::path path = std::filesystem::path(path_) / name;
        std::filesystem::create_directories(path.parent_path());
        return path.string();
    }

    std::string path_;
};

}  // namespace tasuki::launcher
