#include "launcher/options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tasuki::launcher {

namespace {

struct Option {
    std::string_view name;
    std::string_view variable;
    std::string_view value;  ///< how the help names the value; "" for a switch
    std::string_view meaning;
};

constexpr std::array<Option, 6> options = {{
    {"--alltoall", "TASUKI_ALLTOALL", "NAME[:param=value,...]",
     "run every all-to-all by this algorithm (see tasuki list); auto learns which"},
    {"--fabric", "TASUKI_FABRIC", "FILE",
     "how the fabric leads to the hosts (tasuki fabric assign --routes FILE)"},
    {"--mpi", "TASUKI_MPI", "{openmpi,mpich,mpi-abi}",
     "which MPI a program gets that loads its MPI late"},
    {"--mpi-library", "TASUKI_MPI_LIBRARY", "PATH",
     "the libmpi that a program gets that loads its MPI late"},
    {"--placement", "TASUKI_PLACEMENT", "PLACEMENT",
     "which ranks share a node, where the MPI library does not tell it right"},
    {"--verbose", "TASUKI_VERBOSE", "", "say what was found, chosen and run"},
}};

const Option* option_named(std::string_view name) {
    const auto found = std::find_if(options.begin(), options.end(),
                                    [name](const Option& option) { return option.name == name; });
    return found == options.end() ? nullptr : found;
}

std::string valid_names() {
    std::string names;
    for (const Option& option : options) names += std::string(option.name) + ", ";
    return names + "--help";
}

}  // namespace

RunOptions parse_run(const std::vector<std::string>& words) {
    RunOptions result;
    std::size_t at = 0;
    for (; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (word == "--") {
            ++at;
            break;
        }
        if (!word.starts_with("-")) break;
        if (word == "--help" || word == "-h") {
            result.help = true;
            return result;
        }
        const std::size_t sign = word.find('=');
        const Option* option = option_named(word.substr(0, sign));
        if (option == nullptr) {
            throw UsageError("run has no option '" + word + "'; it has " + valid_names() +
                             ". What belongs to the program comes after its name.");
        }
        std::string value = "1";
        if (!option->value.empty()) {
            if (sign == std::string::npos && at + 1 == words.size()) {
                throw UsageError(word + " needs a value: " + word + " " +
                                 std::string(option->value));
            }
            value = sign == std::string::npos ? words[++at] : word.substr(sign + 1);
        } else if (sign != std::string::npos) {
            throw UsageError(std::string(option->name) + " takes no value");
        }
        result.variables.emplace_back(option->variable, value);
    }
    result.command.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (result.command.empty()) {
        throw UsageError("run needs a program: tasuki run [options] PROGRAM [arguments]");
    }
    return result;
}

std::string run_help() {
    std::string text =
        "Usage: tasuki run [options] [--] PROGRAM [arguments]\n"
        "\n"
        "Runs an MPI program with Tasuki before its MPI library. It stands between the launcher\n"
        "and the program, once for each rank.\n"
        "\n"
        "Options, and the environment variables that do the same:\n";
    for (const Option& option : options) {
        std::string line = "  " + std::string(option.name);
        if (!option.value.empty()) line += " " + std::string(option.value);
        text += line + "  (" + std::string(option.variable) + ")\n      " +
                std::string(option.meaning) + "\n";
    }
    return text +
           "  --help\n"
           "      show this text\n"
           "\n"
           "Example: mpirun -n 4 tasuki run --alltoall bruck:radix=4 ./app input.nml\n";
}

}  // namespace tasuki::launcher
