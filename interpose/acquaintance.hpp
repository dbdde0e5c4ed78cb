// What is known of a communicator of the program's, whether or not Tasuki acts on it.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "interpose/communicator.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Carried by the communicator as an attribute, from the first time that we are asked about it.
struct Acquaintance {
    int calls = 0;  // that went by before anything was made
    bool is_made = false;
    bool had_idup = false;
    std::optional<bool> reaches_other_worlds;
    std::unique_ptr<Communicator> communicator;  // nullptr where Tasuki has no business
};

/// nullptr where `parent` is no communicator, or soon none any more.
Acquaintance* acquaintance_of(MPI_Comm parent);

/// Whether some process of `parent` is not in our MPI_COMM_WORLD, and may run without Tasuki: it
/// did not take part in the agreement on settings. Looked up once for each communicator.
bool reaches_other_worlds(MPI_Comm parent);

/// Before the host begins to copy `parent` by MPI_Comm_idup. What Open MPI does for that goes on in
/// its other calls, by non-blocking collectives on `parent`, which ours there would meet in another
/// order on each rank; and when it ends we are not told. From then on ours are of other kinds.
void note_idup(MPI_Comm parent);
bool had_idup(MPI_Comm parent);
/// maximum_of_all() on a communicator of the program's.
int maximum_of_program(MPI_Comm parent, std::span<int> values);

/// At MPI_Finalize: of those that the program did not free.
void forget_acquaintances();

}  // namespace tasuki::interpose
