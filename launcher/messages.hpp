#pragma once

#include <string>

#include "launcher/environment.hpp"

namespace tasuki::launcher {

/// Whether this process is the one of its job that speaks for all: rank 0, or of unknown rank.
bool speaks_for_all(const Environment& environment);

/// The line for `message` from this rank alone: with its number and its host, where it has one.
std::string line_of_this_rank(const Environment& environment, const std::string& message);

/// Prints what all ranks of a job meet alike: one of them does it.
void tell_once(const Environment& environment, const std::string& message);

/// Prints what this rank meets and others may not, because their program or machine differs.
void tell_from_this_rank(const Environment& environment, const std::string& message);

}  // namespace tasuki::launcher
