#include "select/file_lock.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::chrono::seconds patience{5};

/// Some file systems of networks have no locks. Anything in their place would have to tell a file
/// that a killed run has left behind from one of a run that is slow.
std::string why_not(int error) {
    const std::string reason = std::strerror(error);
    if (error != ENOSYS && error != ENOLCK && error != EOPNOTSUPP) {
        return "cannot be locked: " + reason;
    }
    return "are on a file system without locks (" + reason +
           "); TASUKI_CACHE may name a directory on another";
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path, int (*lock)(int, int))
    : path_(path.string() + ".lock"), lock_(lock) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!try_lock()) {
        if (std::chrono::steady_clock::now() > deadline) {
            throw std::runtime_error("is being written by another run, for over five seconds (" +
                                     path_ + ")");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

FileLock::~FileLock() {
    ::unlink(path_.c_str());
    ::close(number_);
}

/// False if another holds it.
bool FileLock::try_lock() {
    number_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (number_ < 0) throw std::runtime_error(why_not(errno));
    if (lock_(number_, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        ::close(number_);
        if (error == EWOULDBLOCK || error == EINTR) return false;
        ::unlink(path_.c_str());
        throw std::runtime_error(why_not(error));
    }
    struct stat held = {};
    struct stat named = {};
    // The holder before may have removed the file that we have just locked.
    if (::fstat(number_, &held) == 0 && ::stat(path_.c_str(), &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
        return true;
    }
    ::close(number_);
    return false;
}

}  // namespace tasuki
