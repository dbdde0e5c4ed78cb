// The report of the run that TASUKI_REPORT asks for: begun in MPI_Init, written in MPI_Finalize.
#pragma once

#include <string>

#include "calls/collectives.hpp"
#include "report/record.hpp"

namespace tasuki::interpose {

struct Process;

/// Written in MPI_Init, before any call is ours.
extern constinit bool a_report_is_wanted;
inline bool is_reporting() {
    return a_report_is_wanted;
}

/// Empty, or why the file that `process.settings` name cannot be written, as rank 0 finds it.
std::string why_no_report(const Process& process);
/// The same of the file that reductions which are checked are told in.
std::string why_no_report_of_checks(const Process& process);

void start_run_report();

/// How long a tick of the report's clock is.
double seconds_per_tick();

/// How many communicators of so many ranks this process has in the report; at least what all ranks
/// of the last one agreed on.
int reported_communicators(int ranks);
void note_reported_communicators(int ranks, int number);

/// What a communicator that goes has counted.
void add_to_report(report::CommunicatorRecord record);

/// A call that the host got for a reason that lives as long as the process.
void report_refused_call(Collective collective, const char* reason);

/// At MPI_Finalize, by all ranks of MPI_COMM_WORLD: brings together what they have, and rank 0
/// writes it. Says what goes wrong. Nothing is done where no report is wanted.
///
/// Cost: a binomial tree of messages of some KiB; at a rank it takes what RunRecord is bounded to.
void write_run_report();

}  // namespace tasuki::interpose
