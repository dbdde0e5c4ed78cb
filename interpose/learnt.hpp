// What this process has learnt, until it is kept at the end.
#pragma once

#include <string>

#include "select/decision.hpp"
#include "select/selection_key.hpp"

namespace tasuki::interpose {

/// Of several decisions for one key the one that saw most calls counts.
void keep(const std::string& fingerprint, const SelectionKey& key, const Decision& decision);

/// At MPI_Finalize: writes what there is to the decision files, if this is rank 0 of
/// MPI_COMM_WORLD. Says what goes wrong.
void write_decisions();

}  // namespace tasuki::interpose
