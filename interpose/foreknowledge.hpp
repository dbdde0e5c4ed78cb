// What the ranks of a communicator know before they learn.
#pragma once

#include <memory>
#include <string>

#include "calls/collectives.hpp"
#include "interpose/row_filter.hpp"
#include "interpose/wishes.hpp"
#include "predict/machine_parameters.hpp"
#include "predict/quick_measurement.hpp"
#include "schedule/placement.hpp"
#include "select/candidates.hpp"
#include "select/decision_book.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// The same on all ranks: rank 0 has looked it up and told the others.
struct Foreknowledge {
    bool oversubscribed = false;
    MachineParameters machine;
    MachineParameters with_memory;  ///< the same, where memory carries messages inside nodes
    DecisionBook kept;              ///< of earlier runs; its fingerprint is this run's

    /// What the ranks of a communicator are told.
    struct Told;
    /// Of communicators of one shape (nodes, and most ranks on one), ranks are told only once, as
    /// long as all of them were told the same. Cores are shared if they are so on the node of any
    /// rank. Collective. Throws TransportError.
    static Told of(MPI_Comm communicator, int rank, const Placement& placement);

    /// `known`, whose parameters are built in, with what the ranks have measured (QuickParameters).
    /// Communicators whose rank 0 is this one are told the same from now on, where ranks share
    /// cores or not as here; the first that is measured counts.
    static std::shared_ptr<const Foreknowledge> with_quick(const Foreknowledge& known,
                                                           const QuickTimes& times);
};

struct Foreknowledge::Told {
    std::shared_ptr<const Foreknowledge> known;
    std::shared_ptr<const DecisionBook> of_run;  ///< learnt in this run; nullptr: nothing

    /// nullptr where there is none.
    const Decision* decision(const SelectionKey& key) const;
};

/// Candidates with their predictors, shared by all communicators of the same shape. Made once in
/// about a millisecond for each row of the table. They are the same for all roots. `with_memory`:
/// ranks of a node share memory.
std::shared_ptr<const CandidateSet> candidates_of(Collective collective, const RowFilter& rows,
                                                  const Placement& placement, bool with_memory);

}  // namespace tasuki::interpose
