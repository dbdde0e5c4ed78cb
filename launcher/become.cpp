#include "launcher/become.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <unistd.h>

#include "launcher/elf.hpp"
#include "launcher/program.hpp"

namespace tasuki::launcher {

int become(const std::string& path, const std::vector<std::string>& command) {
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
    std::cerr << "tasuki: cannot start '" << command.front() << "': " << std::strerror(error)
              << '\n';
    return error == ENOENT ? exit_not_found : exit_not_executable;
}

}  // namespace tasuki::launcher
