// Decisions that the tests of keeping them share.
#pragma once

#include <cmath>
#include <initializer_list>
#include <string>

#include "select/decision_book.hpp"
#include "select/digest.hpp"

namespace tasuki {

inline Decision some_decision() {
    Decision decision;
    decision.winner = "bruck:radix=4";
    decision.margin = 0.13;
    decision.calls = 20000;
    decision.switched_at = 42;
    decision.common_drifts = 1;
    decision.learning_seconds = 0.0021;
    decision.saved_seconds = -1.0 / 3;
    decision.candidates = {{"native", unknown, 1.5e-5, 40, Fate::slower},
                           {"bruck:radix=4", 1.1e-5, 1.25e-5, 900, Fate::winner},
                           {"ring", 9e-4, unknown, 0, Fate::predicted}};
    return decision;
}

inline DecisionBook book_of(std::initializer_list<std::int64_t> sizes) {
    DecisionBook book{"Open MPI 5.0.3, xeon-32, tcp", {}};
    for (const std::int64_t bytes : sizes) {
        book.decisions[make_key("alltoall", bytes, Placement::blocks(32, 4), false)] =
            some_decision();
    }
    return book;
}

inline std::string with_checksum(const std::string& body) {
    return body + "checksum " + Digest().add(body).text() + "\n";
}

}  // namespace tasuki
