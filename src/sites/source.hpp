// What the symbols of a program tell about an address in it.
#pragma once

#include <cstdint>
#include <string>

namespace tasuki {

/// What is not known is empty or 0.
struct Source {
    std::string file;
    std::uint64_t line = 0;
    std::string function;
};

/// `offset`: as ModuleAddress has it. Cost: proportional to the file's symbols, which are not kept.
Source find_source(const std::string& module, std::uint64_t offset);

}  // namespace tasuki
