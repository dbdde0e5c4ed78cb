// What this process has learnt, until it is kept at the end.
#pragma once

#include <string>
#include <string_view>

#include "select/decision.hpp"
#include "select/selection_key.hpp"

namespace tasuki::interpose {

/// By rank 0 of the communicator that has learnt it. Of several decisions for one key the one that
/// saw most calls counts; calls and seconds are those of all. `parameters`: the source of those by
/// which candidates were predicted; empty if they were not.
void keep(const std::string& fingerprint, const SelectionKey& key, const Decision& decision,
          std::string_view parameters);

/// At MPI_Finalize: adds what there is to the decision files, to which other ranks may be adding
/// theirs. Says what goes wrong.
void write_decisions();

}  // namespace tasuki::interpose
