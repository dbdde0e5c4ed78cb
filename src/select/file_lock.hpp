// One writer of a file at a time.
#pragma once

#include <filesystem>
#include <string>
#include <sys/file.h>

namespace tasuki {

/// Holds PATH.lock, and removes it at the end. The kernel frees the lock of a killed process.
class FileLock {
  public:
    /// Waits for other holders, for five seconds at most. Throws std::runtime_error that says why
    /// the file cannot be locked: at once, if waiting would not help. `lock`: what locks it; tests
    /// have others.
    explicit FileLock(const std::filesystem::path& path, int (*lock)(int, int) = ::flock);
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

  private:
    bool try_lock();

    std::string path_;
    int (*lock_)(int, int);
    int number_ = -1;
};

}  // namespace tasuki
