#pragma once

#include <map>
#include <string>

#include "report/record.hpp"

namespace tasuki::report {

constexpr const char* colour_of_grid = "#e3e6e8";
/// The palette's first two, which everybody can tell apart.
constexpr const char* blue = "#0072b2";
constexpr const char* orange = "#e69f00";

/// One colour for each algorithm on the whole page; those that took most time get colours of their
/// own. They can be told apart by who does not see all of them (the palette is Okabe and Ito's).
class Colours {
  public:
    explicit Colours(const RunRecord& run);

    /// `algorithm` has run in that run.
    const std::string& of(const std::string& algorithm) const { return colours_.at(algorithm); }

  private:
    std::map<std::string, std::string> colours_;
};

}  // namespace tasuki::report
