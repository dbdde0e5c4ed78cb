#include "interpose/run_report.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "interpose/copy_of.hpp"
#include "interpose/process.hpp"
#include "interpose/run_facts.hpp"
#include "interpose/say.hpp"
#include "interpose/selection_clock.hpp"
#include "report/merge.hpp"
#include "report/packing.hpp"
#include "report/report_file.hpp"
#include "report/ticks.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

constinit bool a_report_is_wanted = false;

namespace {

struct Refused {
    Collective collective;
    const char* reason;
    double calls;
};

/// Made when the report begins.
struct State {
    report::TickLength tick;
    std::filesystem::path path;  // absolute: the program may go elsewhere
    std::mutex mutex;            // guards what follows
    report::RunRecord run;
    std::map<int, int> communicators;  // of so many ranks, how many
    std::vector<Refused> refused;
};

State* state = nullptr;  // never given back: other threads may still be in their last calls

constexpr int report_tag = 1;

void send(MPI_Comm communicator, int to, std::span<const std::byte> packed) {
    const auto bytes = static_cast<int>(packed.size());
    host::check(PMPI_Send(&bytes, 1, MPI_INT, to, report_tag, communicator));
    host::check(PMPI_Send(packed.data(), bytes, MPI_BYTE, to, report_tag, communicator));
}

std::vector<std::byte> receive(MPI_Comm communicator, int from) {
    int bytes = 0;
    host::check(PMPI_Recv(&bytes, 1, MPI_INT, from, report_tag, communicator, MPI_STATUS_IGNORE));
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
    host::check(PMPI_Recv(packed.data(), bytes, MPI_BYTE, from, report_tag, communicator,
                          MPI_STATUS_IGNORE));
    return packed;
}

/// Up a binomial tree, so that no rank gets more than the logarithm of their number. Afterwards
/// rank 0 has all.
void gather(MPI_Comm communicator, report::RunRecord& run) {
    const int rank = process().world_rank;
    for (int distance = 1; distance < process().world_size; distance *= 2) {
        if (rank & distance) {
            send(communicator, rank - distance, report::pack(run));
            return;
        }
        if (rank + distance >= process().world_size) continue;
        report::add(run, report::unpack(receive(communicator, rank + distance)));
        report::bound(run);
    }
}

report::RunRecord own_record() {
    const std::lock_guard lock(state->mutex);
    report::RunRecord run = std::move(state->run);
    for (const Refused& refused : state->refused) {
        const auto name = collective_names[static_cast<std::size_t>(refused.collective)];
        run.refused.push_back({std::string(name), refused.reason, refused.calls});
    }
    report::bound(run);
    return run;
}

std::string why_not_writable(const Process& process, const std::string& setting,
                             const std::string& file) {
    if (process.world_rank != 0) return {};
    const std::string why = report::why_not_writable(file);
    return why.empty() ? "" : wrong_value(setting, why);
}

}  // namespace

std::string why_no_report_of_checks(const Process& process) {
    const std::string& file = process.settings.check_file;
    return file.empty() ? "" : why_not_writable(process, "TASUKI_CHECK_REDUCTIONS", file);
}

std::string why_no_report(const Process& process) {
    if (process.settings.report.empty()) return {};
    try {
        report::form_of(process.settings.report);
    } catch (const std::invalid_argument& error) {
        return wrong_value("TASUKI_REPORT", error.what());
    }
    return why_not_writable(process, "TASUKI_REPORT", process.settings.report);
}

void start_run_report() {
    state = new State;
    std::error_code error;
    state->path = std::filesystem::absolute(process().settings.report, error);
    state->run.facts = run_facts();
    a_report_is_wanted = true;
}

double seconds_per_tick() {
    return counter_is_time ? state->tick.seconds() : 1e-9;
}

int reported_communicators(int ranks) {
    if (!is_reporting()) return 0;
    const std::lock_guard lock(state->mutex);
    return state->communicators[ranks];
}

void note_reported_communicators(int ranks, int number) {
    const std::lock_guard lock(state->mutex);
    state->communicators[ranks] = number;
}

void add_to_report(report::CommunicatorRecord record) {
    const std::lock_guard lock(state->mutex);
    report::add(state->run, std::move(record));
}

void report_refused_call(Collective collective, const char* reason) {
    const std::lock_guard lock(state->mutex);
    const auto known = std::ranges::find_if(state->refused, [&](const Refused& other) {
        return other.collective == collective && other.reason == reason;
    });
    if (known == state->refused.end()) {
        state->refused.push_back({collective, reason, 1});
    } else {
        ++known->calls;
    }
}

void write_run_report() {
    if (!is_reporting()) return;
    report::RunRecord run = own_record();
    run.facts.seconds = state->tick.seconds_passed();
    MPI_Comm own = copy_of(MPI_COMM_WORLD);
    try {
        if (own == MPI_COMM_NULL) throw std::runtime_error("the host has no communicator to spare");
        gather(own, run);
        if (process().world_rank == 0) report::write_report(state->path, run);
    } catch (const TransportError&) {
        say("the report could not be brought together: the host MPI failed");
    } catch (const std::exception& error) {
        if (process().world_rank == 0) say(std::string("there is no report: ") + error.what());
    }
    if (own != MPI_COMM_NULL) PMPI_Comm_free(&own);
}

}  // namespace tasuki::interpose
