#include "launcher/become.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "launcher/elf.hpp"
#include "launcher/messages.hpp"
#include "launcher/program.hpp"

namespace tasuki::launcher {

namespace {

/// What the kernel would start to run the file at `path`, if that is what is missing; else "".
std::string absent_interpreter(const std::string& path, const Environment& environment) {
    const LoadedFile file = loaded_file(path, environment);
    const std::string interpreter =
        file.facts.kind == ElfKind::native ? file.facts.interpreter : file.path;
    return access(interpreter.c_str(), F_OK) == 0 ? "" : interpreter;
}

std::string why_not_started(int error, const std::string& path, const Environment& environment) {
    const std::string absent = error == ENOENT ? absent_interpreter(path, environment) : "";
    if (absent.empty()) return std::strerror(error);
    if (absent.ends_with('\r')) {
        return "its first line ends in a carriage return; write it with the line ends of Unix";
    }
    return "it is run by '" + absent + "', which does not exist";
}

}  // namespace

int become(const std::string& path, const std::vector<std::string>& command,
           const Environment& environment) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(path.c_str(), words.data());
    const int error = errno;
    // A shell, to which execvp gives what the kernel does not know, would take the bytes of a
    // damaged program for commands.
    if (error != ENOEXEC || read_elf_file(path).kind == ElfKind::none) {
        execvp(words.front(), words.data());
    }
    tell_from_this_rank(environment, "cannot start '" + command.front() +
                                         "': " + why_not_started(error, path, environment));
    return error == ENOENT ? exit_not_found : exit_not_executable;
}

}  // namespace tasuki::launcher
