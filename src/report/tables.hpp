// The tables of the page, as HTML.
#pragma once

#include <string>
#include <vector>

#include "report/record.hpp"

namespace tasuki::report {

std::string facts_table(const RunFacts& facts);
std::string sizes_table(const CommunicatorRecord& communicator);
/// Empty where nothing was learnt.
std::string learnt_table(const CommunicatorRecord& communicator);
/// By which parameters candidates were predicted, and what a quick measurement has given; empty
/// where nothing was predicted.
std::string parameters_text(const CommunicatorRecord& communicator);
/// Empty where nothing of Tasuki's ran.
std::string traffic_table(const Traffic& traffic);
/// What else there is to say of learning; mostly nothing.
std::string learning_text(const Decision& decision, const std::string& phase);
std::string candidates_table(const Decision& decision);
/// With its heading; empty where there are none.
std::string refused_table(const std::vector<RefusedCalls>& refused);

}  // namespace tasuki::report
