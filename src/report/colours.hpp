#pragma once

#include <map>
#include <string>

#include "report/record.hpp"

namespace tasuki::report {

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
