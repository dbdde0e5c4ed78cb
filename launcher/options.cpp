#include "launcher/options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "calls/collectives.hpp"

namespace tasuki::launcher {

namespace {

struct Option {
    std::string name;
    std::string variable;
    std::string value;  ///< how the help names the value; "" for a switch; "[=...]" if it may lack
    std::string meaning;
};

const std::string algorithm = "NAME[:param=value,...]";

const std::array<Option, 12> others = {{
    {"--check-reductions", "TASUKI_CHECK_REDUCTIONS", "[=FILE.json]",
     "say which calls of reductions give other results in another order, and where they are"},
    {"--collectives", "TASUKI_COLLECTIVES", "{auto,native}",
     "what those run by that are not named: what is learnt while the program runs (auto), or the "
     "MPI library's own algorithms"},
    {"--fabric", "TASUKI_FABRIC", "FILE",
     "how the fabric leads to the hosts (tasuki fabric assign --routes FILE)"},
    {"--memory", "TASUKI_MEMORY", "{on,off}",
     "whether memory may carry messages between ranks of a node"},
    {"--memory-limit", "TASUKI_MEMORY_LIMIT", "BYTES",
     "how much a rank may share with others for that (64M)"},
    {"--mpi", "TASUKI_MPI", "{openmpi,mpich,mpi-abi}",
     "which MPI a program gets that loads its MPI late"},
    {"--mpi-library", "TASUKI_MPI_LIBRARY", "PATH",
     "the libmpi that a program gets that loads its MPI late"},
    {"--placement", "TASUKI_PLACEMENT", "PLACEMENT",
     "which ranks share a node, where that is not found right"},
    {"--report", "TASUKI_REPORT", "FILE",
     "what ran, how long it took and what it saved, as a page (.html) or for scripts (.json)"},
    {"--reproducible", "TASUKI_REPRODUCIBLE", "{off,placement,exact}",
     "the bits of reductions: as fast as can be, the same on any placement, or exact sums"},
    {"--time-slice", "TASUKI_TIME_SLICE", "{MICROSECONDS,off}",
     "for how long a rank asks for a core that others want, 100 (if not set) to 100000; or off"},
    {"--verbose", "TASUKI_VERBOSE", "", "say what was found, chosen and run"},
}};

std::vector<Option> all_options() {
    std::vector<Option> options;
    for (std::size_t index = 0; index < collectives; ++index) {
        options.push_back({"--" + std::string(collective_names[index]), collective_settings[index],
                           algorithm, ""});
    }
    options.insert(options.end(), others.begin(), others.end());
    return options;
}

/// The options of collectives have one meaning, so that the help tells it once.
std::string help_of_collectives() {
    std::string text =
        "  --COLLECTIVE NAME[:param=value,...]  (TASUKI_ALLTOALL, TASUKI_BCAST, ...)\n"
        "      run every call of it by this algorithm (see tasuki list). There "
        "are";
    constexpr std::size_t names_on_a_line = 7;
    for (std::size_t index = 0; index < collectives; ++index) {
        text += index % names_on_a_line == 0 ? "\n      --" : " --";
        text += collective_names[index];
    }
    return text + "\n";
}

/// An algorithm is none, so its name was forgotten before that of the program.
void refuse_path(const Option& option, const std::string& value) {
    if (option.value != algorithm || value.find('/') == std::string::npos) return;
    throw UsageError(option.name + " takes an algorithm (see tasuki list), and '" + value +
                     "' is a path; expected " + option.name + " " + algorithm + " PROGRAM");
}

/// An option as it is typed.
std::string with_value(const Option& option) {
    const bool is_apart = !option.value.empty() && !option.value.starts_with("[=");
    return option.name + (is_apart ? " " : "") + option.value;
}

/// A job script whose variable is not set would run without the option, and nobody would see it.
void refuse_empty(const Option& option, const std::string& value) {
    if (value.empty()) throw UsageError(option.name + " needs a value: " + with_value(option));
}

std::string valid_names() {
    std::string names;
    for (const Option& option : all_options()) names += std::string(option.name) + ", ";
    return names + "--help";
}

}  // namespace

RunOptions parse_run(const std::vector<std::string>& words) {
    RunOptions result;
    const std::vector<Option> options = all_options();
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
        const auto option = std::ranges::find(options, word.substr(0, sign), &Option::name);
        if (option == options.end()) {
            throw UsageError("run has no option '" + word + "'; it has " + valid_names() +
                             ". What belongs to the program comes after its name.");
        }
        std::string value = "1";
        const bool may_lack = option->value.starts_with("[=");
        if (may_lack && sign != std::string::npos) {
            value = word.substr(sign + 1);
        } else if (!may_lack && !option->value.empty()) {
            const bool is_last = at + 1 == words.size();
            value = sign != std::string::npos ? word.substr(sign + 1) : is_last ? "" : words[++at];
            refuse_path(*option, value);
        } else if (sign != std::string::npos) {
            throw UsageError(option->name + " takes no value");
        }
        refuse_empty(*option, value);
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
    text += help_of_collectives();
    for (const Option& option : others) {
        text += "  " + with_value(option) + "  (" + option.variable + ")\n      " + option.meaning +
                "\n";
    }
    return text +
           "  --help\n"
           "      show this text\n"
           "\n"
           "Environment variables without an option:\n"
           "  TASUKI_CACHE=FOLDER\n"
           "      where is kept what runs learn (~/.cache/tasuki)\n"
           "  TASUKI_DECISIONS={keep,ignore}\n"
           "      whether to use what earlier runs have learnt, and to keep what this one learns\n"
           "  TASUKI_START_TIMEOUT=SECONDS\n"
           "      how long MPI_Init waits for ranks that may run without Tasuki (60)\n"
           "\n"
           "Example: mpirun -n 4 tasuki run --alltoall bruck:radix=4 ./app input.nml\n";
}

}  // namespace tasuki::launcher
