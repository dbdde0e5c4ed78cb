#include "launcher/verbs.hpp"

#include <iostream>

#include "launcher/become.hpp"
#include "launcher/program.hpp"

namespace tasuki::launcher {

std::string find_python(const std::string& own_folder, const Environment& environment) {
    const std::string asked(value_of(environment, "TASUKI_PYTHON"));
    if (!asked.empty()) return find_program(asked, environment).path;
    const std::string beside = find_program(own_folder + "/python3", environment).path;
    return beside.empty() ? find_program("python3", environment).path : beside;
}

int run_python_verb(const std::vector<std::string>& words, const std::string& own_folder,
                    const Environment& environment) {
    const std::string python = find_python(own_folder, environment);
    if (python.empty()) {
        std::cerr << "tasuki: '" << words.front() << "' needs Python 3.10 or later with Tasuki's "
                  << "package: there is none beside " << own_folder
                  << "/tasuki and no python3 on PATH; name one with TASUKI_PYTHON\n";
        return exit_not_found;
    }
    std::vector<std::string> command = {python, "-m", "tasuki"};
    command.insert(command.end(), words.begin(), words.end());
    return become(python, command, environment);
}

}  // namespace tasuki::launcher
