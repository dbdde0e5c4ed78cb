#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tasuki {

/// A file's bytes, read only. Empty if the file cannot be opened or is no regular file.
class MappedFile {
  public:
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return bytes_; }
    /// Why it cannot be opened, as errno says it; 0 if it can.
    int error() const { return error_; }

  private:
    std::span<const std::byte> bytes_;
    int error_ = 0;
};

}  // namespace tasuki
