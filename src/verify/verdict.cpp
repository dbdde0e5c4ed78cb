#include "verify/verify.hpp"

namespace tasuki {

std::string Verdict::text(std::size_t most) const {
    std::string text;
    for (std::size_t i = 0; i < findings.size() && i < most; ++i)
        text += findings[i].message + "\n";
    if (findings.size() > most) {
        text += "and " + std::to_string(findings.size() - most) + " more\n";
    }
    return text;
}

}  // namespace tasuki
