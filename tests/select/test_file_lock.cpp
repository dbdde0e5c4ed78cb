#include <cerrno>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "select/file_lock.hpp"

namespace tasuki {
namespace {

int calls = 0;

template <int error>
int fails(int, int) {
    ++calls;
    errno = error;
    return -1;
}

/// The first time another holds it, then a signal comes.
int fails_twice(int file, int operation) {
    if (++calls > 2) return ::flock(file, operation);
    errno = calls == 1 ? EWOULDBLOCK : EINTR;
    return -1;
}

class FileLockTest : public testing::Test {
  protected:
    void SetUp() override {
        calls = 0;
        path = std::filesystem::temp_directory_path() /
               ("tasuki-file-lock-" + std::to_string(::getpid()));
    }
    void TearDown() override {
        EXPECT_FALSE(std::filesystem::exists(path.string() + ".lock")) << "left behind";
    }

    std::string why_not(int (*lock)(int, int)) const {
        try {
            const FileLock held(path, lock);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    }

    std::filesystem::path path;
};

TEST_F(FileLockTest, WaitsForAnotherHolder) {
    EXPECT_EQ(why_not(fails_twice), "");
    EXPECT_EQ(calls, 3);
}

// It waited five seconds, and then said that another run was writing.
TEST_F(FileLockTest, WhereThereAreNoLocksItSaysSoAtOnce) {
    for (const auto lock : {fails<ENOSYS>, fails<ENOLCK>, fails<EOPNOTSUPP>}) {
        calls = 0;
        EXPECT_NE(why_not(lock).find("on a file system without locks"), std::string::npos);
        EXPECT_EQ(calls, 1);
    }
    EXPECT_NE(why_not(fails<EIO>).find("cannot be locked"), std::string::npos);
}

}  // namespace
}  // namespace tasuki
