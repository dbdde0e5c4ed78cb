#include "report/report_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include "report/page.hpp"
#include "report/record_json.hpp"

namespace tasuki::report {

namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

[[noreturn]] void fail(const std::filesystem::path& path, int number) {
    throw std::runtime_error(path.string() + " cannot be written: " + std::strerror(number));
}

/// Beside the file, so that it can take its place. Two runs may write to one name.
std::string temporary_name(const std::filesystem::path& path) {
    return path.string() + "." + std::to_string(getpid()) + ".new";
}

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category());
        }
    }
}

}  // namespace

Form form_of(const std::filesystem::path& path) {
    const std::string ending = path.extension().string();
    if (ending == ".html") return Form::page;
    if (ending == ".json") return Form::json;
    throw std::invalid_argument("a report cannot be written to \"" + path.string() +
                                "\": the name is to end with .html (a page to read) or .json "
                                "(for a script)");
}

std::string why_not_writable(const std::filesystem::path& path) {
    const std::string refused = "the report cannot be written to " + path.string() + ": ";
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return refused + "that is a directory; name a file in it";
    }
    const std::filesystem::path folder = folder_of(path);
    if (!std::filesystem::is_directory(folder, error)) {
        return refused + "there is no directory " + folder.string() + "; make it first";
    }
    // Asking for permissions does not tell of all that may stand in the way.
    const std::string temporary = temporary_name(path);
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return refused + "no file can be made there (" + std::strerror(errno) + ")";
    ::close(file);
    ::unlink(temporary.c_str());
    return {};
}

void write_report(const std::filesystem::path& path, const RunRecord& run) {
    const std::string text = form_of(path) == Form::page ? page(run) : record_json(run);
    const std::string temporary = temporary_name(path);
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) fail(path, errno);
    try {
        write_all(file, text);
    } catch (const std::system_error& error) {
        ::close(file);
        ::unlink(temporary.c_str());
        fail(path, error.code().value());
    }
    if (::close(file) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const int number = errno;
        ::unlink(temporary.c_str());
        fail(path, number);
    }
}

}  // namespace tasuki::report
