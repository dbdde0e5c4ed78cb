#pragma once

#include <string>

#include "launcher/elf.hpp"
#include "launcher/environment.hpp"

namespace tasuki::launcher {

/// What a shell answers where a program cannot be started.
constexpr int exit_not_executable = 126;
constexpr int exit_not_found = 127;

/// Where a name typed by the user leads, by the rules of execvp.
struct ProgramPath {
    std::string path;       ///< "" if there is none
    int exit_code = 0;      ///< where path is "": exit_not_found or exit_not_executable
    std::string complaint;  ///< where path is "": why
};
ProgramPath find_program(const std::string& name, const Environment& environment);

/// The file that the kernel will load for a program: of a script, its interpreter.
struct LoadedFile {
    std::string path;
    ElfFacts facts;
    /// Why the dynamic loader will take no preload for it; "" if it will.
    std::string refusal;
};
LoadedFile loaded_file(const std::string& program, const Environment& environment);

}  // namespace tasuki::launcher
