// The command `tasuki`. Every rank of a job starts it as `tasuki run`, so that verb is done here,
// within milliseconds; all other verbs are Python's.

#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "launcher/environment.hpp"
#include "launcher/messages.hpp"
#include "launcher/options.hpp"
#include "launcher/run.hpp"
#include "launcher/verbs.hpp"

namespace {

constexpr int exit_usage = 2;

std::string own_folder() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "." : path.parent_path().string();
}

int answer(const std::vector<std::string>& words) {
    using namespace tasuki::launcher;
    const std::string verb = words.empty() ? "--help" : words.front();
    if (verb == "run") return run({words.begin() + 1, words.end()}, own_folder());
    if (verb == "--version") {
        std::cout << "tasuki " TASUKI_VERSION "\n";
        return 0;
    }
    if (verb == "--help" || verb == "-h") {
        const Environment environment = own_environment();
        if (find_python(own_folder(), environment).empty()) {
            std::cout << run_help() << "\nAll other verbs need Python, which was not found.\n";
            return 0;
        }
        return run_python_verb({"--help"}, own_folder(), environment);
    }
    return run_python_verb(words, own_folder(), own_environment());
}

}  // namespace

int main(int argc, char** argv) {
    using namespace tasuki::launcher;
    try {
        return answer({argv + 1, argv + argc});
    } catch (const LocalUsageError& error) {
        tell_from_this_rank(own_environment(), error.what());
        return exit_usage;
    } catch (const UsageError& error) {
        tell_once(own_environment(), error.what());
        return exit_usage;
    } catch (const std::exception& error) {
        tell_from_this_rank(own_environment(), error.what());
        return 1;
    }
}
