#include "interpose/process.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "interpose/agreement.hpp"
#include "interpose/attribute_key.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"
#include "interpose/fallbacks.hpp"
#include "interpose/learnt.hpp"
#include "interpose/library_version.hpp"
#include "interpose/node_load.hpp"
#include "interpose/own_arithmetic.hpp"
#include "interpose/persistent_requests.hpp"
#include "interpose/preload_variable.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/reduction_check_report.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/reduction_worker.hpp"
#include "interpose/run_report.hpp"
#include "interpose/say.hpp"
#include "interpose/thread_level.hpp"
#include "interpose/time_slice.hpp"
#include "interpose/wishes.hpp"
#include "transport/memory/cores.hpp"

namespace tasuki::interpose {

namespace {

/// Whether what this library needs of the host was bound when it was loaded. It was not if the
/// program loaded its MPI later, and no launcher saw to it that it came first.
bool host_is_bound() {
    return PMPI_Isend != nullptr;
}

std::string read_wishes(Process& process) {
    if (!process.settings.problem.empty()) return process.settings.problem;
    for (std::size_t index = 0; index < collectives; ++index) {
        try {
            set_wish(Collective(index), process.settings.wishes[index]);
        } catch (const std::invalid_argument& error) {
            return wrong_value(collective_settings[index], error.what());
        }
    }
    try {
        set_reduction_mode(parse_reduction_mode(process.settings.reproducible));
    } catch (const std::invalid_argument& error) {
        return wrong_value("TASUKI_REPRODUCIBLE", error.what());
    }
    check_reductions(process.settings.checks_reductions);
    if (!process.settings.placement.empty()) {
        try {
            process.placement = Placement::parse(process.settings.placement, process.world_size);
        } catch (const std::invalid_argument& error) {
            return wrong_value("TASUKI_PLACEMENT", error.what());
        }
    }
    if (const std::string why = why_no_report(process); !why.empty()) return why;
    if (const std::string why = why_no_report_of_checks(process); !why.empty()) return why;
    if (process.settings.fabric.empty()) return {};
    try {
        process.fabric = FabricFile::read(process.settings.fabric);
        process.settings.fabric_contents = std::to_string(process.fabric->fingerprint());
    } catch (const FabricFileError& error) {
        process.settings.fabric_contents = "not readable";
        return wrong_value("TASUKI_FABRIC", error.what()) + "; \"tasuki fabric assign\" writes one";
    }
    return {};
}

/// The host may be another than this library was made for: libmpi.so.12 has been the name of
/// different MPIs.
bool is_host_of_this_abi() {
    [[maybe_unused]] const bool is_openmpi = library_version().starts_with("Open MPI");
#if defined(TASUKI_ABI_OPENMPI)
    return is_openmpi;
#elif defined(TASUKI_ABI_MPICH)
    return !is_openmpi;
#else
    return true;
#endif
}

/// See Process::host_needs_bytes. What is built on MPICH and does not say which is taken for an old
/// one.
bool needs_bytes() {
#if defined(TASUKI_ABI_MPICH)
    const std::string version = host_version();
    const std::string_view mpich = "MPICH Version: ";
    if (version.starts_with("Intel")) return false;
    return !version.starts_with(mpich) || std::atoi(version.c_str() + mpich.size()) < 5;
#else
    return false;
#endif
}

/// A job that was spawned inherits what is said of another world.
void forget_settings_of_parent(Process& process) {
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) return;
    process.may_reach_other_worlds = true;
    const auto forget = [&](std::string& setting, const std::string& name) {
        if (setting.empty()) return;
        setting.clear();
        if (process.world_rank == 0) say(name + " does not count for spawned processes");
    };
    forget(process.settings.placement, "TASUKI_PLACEMENT");
    forget(process.settings.report, "TASUKI_REPORT");
    forget(process.settings.check_file, "TASUKI_CHECK_REDUCTIONS");
}

/// The launcher of one MPI starts programs of another as so many worlds of one rank.
void warn_of_foreign_launcher(const Process& process) {
    if (process.world_size > 1) return;
    struct Launcher {
        const char *name, *ranks, *rank;
    };
    for (const Launcher& launcher :
         {Launcher{"Hydra's (MPICH, Intel MPI)", "PMI_SIZE", "PMI_RANK"},
          Launcher{"Open MPI's", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}}) {
        const char* const ranks = std::getenv(launcher.ranks);
        const char* const rank = std::getenv(launcher.rank);
        if (ranks == nullptr || rank == nullptr) continue;
        if (std::atoi(ranks) < 2 || std::atoi(rank) != 0) continue;
        say(std::string(launcher.name) + " launcher has started " + ranks +
            " processes, but each is alone in its MPI_COMM_WORLD: they run with " +
            library_version() + "; start them by the launcher of that");
    }
}

void greet(const Process& process) {
    for (const std::string& name : process.settings.unknown) {
        say("nobody reads " + name + "; known settings: " + Settings::known_names());
    }
    if (!process.settings.is_verbose) return;
    say(process.settings.agreed_text() + " on " + std::to_string(process.world_size) +
        " ranks of " + host_version());
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else ends: the moment to
/// give back what we hold, whichever language or wrapper the program calls it through.
int stop_process(MPI_Comm, int, void*, void*) {
    // No reduction of the program's is under way any more.
    const OwnArithmetic own;
    allow_wishes(false);
    forget_all_persistent();
    end_reduction_workers_late();
    report_fallbacks();
    report_reduction_checks();
    forget_communicators();
    write_decisions();
    write_run_report();
    stop_watching_for_device_runtimes();
    return MPI_SUCCESS;
}

void stop_at_finalize() {
    int key = new_attribute_key(MPI_COMM_NULL_COPY_FN, stop_process);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
    PMPI_Comm_free_keyval(&key);
}

}  // namespace

Process& process() {
    static Process the_process;
    return the_process;
}

void start_process() {
    // A host's MPI_Init may be reached through one of its other entry points.
    static bool has_started = false;
    if (std::exchange(has_started, true)) return;
    leave_preload_variable();
    if (!host_is_bound()) {
        say("the program's MPI library was loaded after Tasuki, which stands aside; start the "
            "program by \"tasuki run --mpi-library PATH\", with the path of its libmpi");
        return;
    }
    if (!is_host_of_this_abi()) {
        say("the program's MPI library is not of the kind that libtasuki-" TASUKI_ABI_NAME
            ".so is for, and Tasuki stands aside; \"tasuki run --mpi\" says which one to take");
        return;
    }
    // It reads files the first time, which else would be in a call of the program that has to wait.
    static_cast<void>(memory::count_cores());
    // What the launcher says, before anything else is known.
    note_node_load(1, 0, false);
    Process& self = process();
    PMPI_Comm_rank(MPI_COMM_WORLD, &self.world_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &self.world_size);
    self.host_needs_bytes = needs_bytes();
    self.settings = Settings::from_environment();
    forget_settings_of_parent(self);
    const std::string problem = read_wishes(self);
    self.may_have_threads = agree_or_end(self, problem, has_thread_multiple());
    if (self.settings.time_slice > 0) shorten_time_slice(self.settings.time_slice);
    if (self.world_rank == 0) {
        warn_of_foreign_launcher(self);
        greet(self);
    }
    watch_for_device_runtimes();
    stop_at_finalize();
    if (!self.settings.report.empty()) start_run_report();
    allow_wishes(true);
}

}  // namespace tasuki::interpose
