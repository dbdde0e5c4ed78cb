#include "launcher/run.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "launcher/become.hpp"
#include "launcher/choose_library.hpp"
#include "launcher/environment.hpp"
#include "launcher/job.hpp"
#include "launcher/messages.hpp"
#include "launcher/options.hpp"
#include "launcher/program.hpp"

namespace tasuki::launcher {

namespace {

void set_variable(Environment& environment, const std::string& name, const std::string& value) {
    environment[name] = value;
    setenv(name.c_str(), value.c_str(), 1);
}

/// A preload would break these; they start the ranks, and Tasuki belongs before each rank.
bool starts_ranks(const std::string& program) {
    constexpr std::array<std::string_view, 8> launchers = {
        "mpirun", "mpiexec", "orterun", "prterun", "mpiexec.hydra", "srun", "aprun", "jsrun"};
    const std::string name = std::filesystem::path(program).filename().string();
    return std::find(launchers.begin(), launchers.end(), name) != launchers.end();
}

Choice choose(const std::string& path, const Environment& environment,
              const std::string& own_folder) {
    if (starts_ranks(path)) {
        return {{},
                "'" + path + "' starts the ranks, and tasuki run belongs behind it: " +
                    std::filesystem::path(path).filename().string() +
                    " [its options] tasuki run PROGRAM"};
    }
    return choose_library(
        loaded_file(path, environment), environment, find_job(environment, own_ancestors()),
        {own_folder, own_folder + "/../lib/tasuki", own_folder + "/../interpose"});
}

}  // namespace

int run(const std::vector<std::string>& words, const std::string& own_folder) {
    const RunOptions options = parse_run(words);
    if (options.help) {
        std::cout << run_help();
        return 0;
    }
    Environment environment = own_environment();
    for (const auto& [name, value] : options.variables) set_variable(environment, name, value);
    const std::string& name = options.command.front();
    const ProgramPath program = find_program(name, environment);
    if (program.path.empty()) {
        tell_from_this_rank(environment, program.complaint);
        return program.exit_code;
    }
    const Choice choice = choose(program.path, environment, own_folder);
    if (choice.preload.empty()) {
        const auto tell = choice.same_for_all ? tell_once : tell_from_this_rank;
        tell(environment, "running '" + name + "' without Tasuki: " + choice.reason);
        return become(program.path, options.command, environment);
    }
    const std::string preload = preload_value(choice.preload, value_of(environment, "LD_PRELOAD"));
    const std::string_view verbose = value_of(environment, "TASUKI_VERBOSE");
    if (!verbose.empty() && verbose != "0" && verbose != "off") {
        tell_once(environment, choice.reason + "; LD_PRELOAD=" + preload);
    }
    set_variable(environment, "LD_PRELOAD", preload);
    return become(program.path, options.command, environment);
}

}  // namespace tasuki::launcher
