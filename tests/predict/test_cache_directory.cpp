#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "predict/cache_directory.hpp"

namespace tasuki {
namespace {

/// A variable has its old value again at the end of the test.
class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        ::setenv(name, value, 1);
    }
    ~Variable() {
        if (old_) ::setenv(name_, old_->c_str(), 1);
        if (!old_) ::unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> old_;
};

TEST(CacheDirectory, TheUsersOwnComesFirst) {
    const Variable home("HOME", "/home/user");
    const Variable cache("XDG_CACHE_HOME", "/cache");
    {
        const Variable own("TASUKI_CACHE", "own");
        EXPECT_EQ(cache_directory(), "own");
    }
    const Variable own("TASUKI_CACHE", "");
    EXPECT_EQ(cache_directory(), "/cache/tasuki");
}

TEST(CacheDirectory, OfXdgOnlyAnAbsolutePathCounts) {
    const Variable own("TASUKI_CACHE", "");
    const Variable home("HOME", "/home/user");
    for (const char* ignored : {"", "cache", "./cache"}) {
        const Variable cache("XDG_CACHE_HOME", ignored);
        EXPECT_EQ(cache_directory(), "/home/user/.cache/tasuki") << ignored;
    }
}

}  // namespace
}  // namespace tasuki
