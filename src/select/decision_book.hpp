// All decisions of one machine, as they are kept.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "select/decision.hpp"
#include "select/selection_key.hpp"

namespace tasuki {

struct DecisionBook {
    /// MPI library and version, node type, fabric setting: decisions with another fingerprint were
    /// learnt elsewhere. One line.
    std::string fingerprint;
    std::map<SelectionKey, Decision> decisions;
    /// By which P-LogP parameters the run predicted that was added last: "built-in", "quick",
    /// "measured", or several with ", " between. Empty: by none, or not told, as in older files.
    std::string parameters = {};
};

/// What is wrong with a text that should hold decisions.
class DecisionError : public std::runtime_error {
  public:
    enum class Kind { damaged, older, newer };

    DecisionError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
    Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

/// Lines of words, with a checksum at the end:
///
///     tasuki-decisions 1
///     fingerprint Open MPI 5.0.3, xeon-32, tcp
///     parameters built-in, quick                          (may be missing)
///     key alltoall bytes=1024 ranks=32 placement=8x4 oversubscribed=no
///     winner bruck:radix=4
///     margin 0.13
///     calls 20000
///     switched-at 42
///     relearnings 0
///     common-drifts 1
///     learning-seconds 0.0021
///     saved-seconds 1.7
///     candidate FATE PREDICTED MEASURED SAMPLES NAME      (seconds; - is unknown)
///     ...
///     checksum 00c3f5a1b2d4e
///
/// Versions: docs/reference/decisions.md.
std::string decisions_text(const DecisionBook& book);

/// Reads decisions_text(). Throws DecisionError that names the line and what was expected.
DecisionBook read_decisions(std::string_view text);

}  // namespace tasuki
