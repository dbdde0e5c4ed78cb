#include "launcher/become.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <unistd.h>

#include "launcher/program.hpp"

namespace tasuki::launcher {

int become(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    const int error = errno;
    std::cerr << "tasuki: cannot start '" << command.front() << "': " << std::strerror(error)
              << '\n';
    return error == ENOENT ? exit_not_found : exit_not_executable;
}

}  // namespace tasuki::launcher
