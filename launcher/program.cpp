#include "launcher/program.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

#include "launcher/search_path.hpp"
#include "sites/mapped_file.hpp"

namespace tasuki::launcher {

namespace {

/// The kernel follows five; more is a loop.
constexpr int most_interpreters = 5;
/// The kernel reads no more of a script's first line.
constexpr std::size_t most_first_line = 255;

bool is_file(const std::string& path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_executable(const std::string& path) {
    return is_file(path) && access(path.c_str(), X_OK) == 0;
}

ProgramPath missing(const std::string& name) {
    return {"", exit_not_found, "there is no program '" + name + "'"};
}

ProgramPath not_executable(const std::string& path) {
    const char* why = is_file(path) ? "' is not executable" : "' is not a file";
    return {"", exit_not_executable, "'" + path + why};
}

/// The words after "#!", or nothing for a file that does not begin so. As for the kernel, only
/// spaces and tabs part them: a carriage return belongs to the last.
std::optional<std::vector<std::string>> interpreter_words(const std::string& path) {
    const MappedFile file(path);
    std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                          std::min(file.bytes().size(), most_first_line));
    if (!text.starts_with("#!")) return std::nullopt;
    text =
        text.substr(2, text.find('\n') == std::string_view::npos ? text.npos : text.find('\n') - 2);
    constexpr std::string_view blanks = " \t";
    std::vector<std::string> list;
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
        if (text.empty()) return list;
        list.emplace_back(text.substr(0, text.find_first_of(blanks)));
        text.remove_prefix(list.back().size());
    }
}

/// The program that a script's "#!" line starts; "" if none can be told.
std::string interpreter_of(const std::vector<std::string>& words, const Environment& environment) {
    if (words.empty()) return "";
    if (!words.front().ends_with("/env")) return words.front();
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool option_or_variable =
            word.starts_with("-") || word.find('=') != std::string::npos;
        if (!option_or_variable) return find_program(word, environment).path;
    }
    return "";
}

/// Where the program runs with another's rights, the loader ignores LD_PRELOAD.
bool has_other_rights(const std::string& path) {
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) return false;
    if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) return true;
    if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid()) return true;
    return getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

std::string refusal_of(const LoadedFile& file) {
    switch (file.facts.kind) {
        case ElfKind::foreign:
            return "'" + file.path + "' is made for another architecture than tasuki";
        case ElfKind::malformed:
            return "'" + file.path + "' is a damaged ELF file";
        case ElfKind::native:
            if (file.facts.interpreter.empty()) {
                return "'" + file.path +
                       "' is linked statically, so nothing can be put before its MPI; link it to "
                       "the MPI's shared library";
            }
            break;
        case ElfKind::unreadable:
            break;
        case ElfKind::none:
            return is_file(file.path) ? "'" + file.path + "' is neither a program nor a script"
                                      : missing(file.path).complaint;
    }
    if (has_other_rights(file.path)) {
        return "'" + file.path +
               "' runs with other rights than yours (setuid, setgid or capabilities), and the "
               "loader preloads nothing for such programs";
    }
    return "";
}

}  // namespace

ProgramPath find_program(const std::string& name, const Environment& environment) {
    if (name.empty()) return missing(name);
    if (name.find('/') != std::string::npos) {
        if (is_executable(name)) return {name, 0, ""};
        return access(name.c_str(), F_OK) == 0 ? not_executable(name) : missing(name);
    }
    const std::string_view path =
        is_set(environment, "PATH") ? value_of(environment, "PATH") : "/bin:/usr/bin";
    std::string seen;
    for (const std::string& folder : split_folders(path.empty() ? ":" : path)) {
        std::string candidate = folder + "/" + name;
        if (is_executable(candidate)) return {candidate, 0, ""};
        if (seen.empty() && is_file(candidate)) seen = candidate;
    }
    return seen.empty() ? missing(name) : not_executable(seen);
}

LoadedFile loaded_file(const std::string& program, const Environment& environment) {
    LoadedFile file{program, read_elf_file(program), ""};
    for (int i = 0; i < most_interpreters && file.facts.kind == ElfKind::none; ++i) {
        if (!is_file(file.path)) break;
        const auto words = interpreter_words(file.path);
        // execvp gives a file without a "#!" line to the shell.
        std::string next = words ? interpreter_of(*words, environment) : "/bin/sh";
        if (next.empty()) break;
        file.path = std::move(next);
        file.facts = read_elf_file(file.path);
    }
    file.refusal = refusal_of(file);
    return file;
}

}  // namespace tasuki::launcher
