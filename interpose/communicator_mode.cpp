#include "interpose/communicator_mode.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "interpose/acquaintance.hpp"
#include "interpose/attribute_key.hpp"
#include "interpose/process.hpp"
#include "interpose/reduction_check.hpp"
#include "interpose/run_report.hpp"
#include "interpose/say.hpp"
#include "interpose/wishes.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

constinit std::atomic<int> communicators_with_mode{0};

namespace {

void count(int more) {
    communicators_with_mode += more;
    renew_switches();
}

int copy(MPI_Comm, int, void*, void* value, void* copied, int* is_copied) {
    *static_cast<void**>(copied) = value;
    *is_copied = 1;
    count(1);
    return MPI_SUCCESS;
}

int forget(MPI_Comm, int, void*, void*) {
    count(-1);
    return MPI_SUCCESS;
}

/// The attribute's value is the mode itself.
int key() {
    static const int made = new_attribute_key(copy, forget);
    return made;
}

std::optional<ReductionMode> own_mode(MPI_Comm communicator) {
    void* value = nullptr;
    int found = 0;
    if (communicators_with_mode.load(std::memory_order_relaxed) == 0) return std::nullopt;
    PMPI_Comm_get_attr(communicator, key(), &value, &found);
    if (!found) return std::nullopt;
    return ReductionMode(reinterpret_cast<std::uintptr_t>(value));
}

void forget_mode(MPI_Comm communicator) {
    if (own_mode(communicator)) PMPI_Comm_delete_attr(communicator, key());
}

void set_mode(MPI_Comm communicator, ReductionMode mode) {
    forget_mode(communicator);
    void* value = reinterpret_cast<void*>(static_cast<std::uintptr_t>(mode));
    if (PMPI_Comm_set_attr(communicator, key(), value) == MPI_SUCCESS) count(1);
}

// What a rank asks for, as a number that all can compare: nothing, a mode, or what is none.
constexpr int nothing = 0, first_mode = 1, no_mode = 100;

int asked_by(std::string_view text) {
    try {
        return first_mode + static_cast<int>(parse_reduction_mode(text));
    } catch (const std::invalid_argument&) {
        return no_mode;
    }
}

std::string name_of_asked(int asked) {
    if (asked == nothing) return "none";
    if (asked == no_mode) return "no known one";
    return std::string(name_of(ReductionMode(asked - first_mode)));
}

/// Why Tasuki does not act on `communicator`; nullptr if it does. The same on all its ranks.
const char* why_not(MPI_Comm communicator) {
    if (communicator == MPI_COMM_NULL) return "the communicator is none";
    int is_inter = 0;
    PMPI_Comm_test_inter(communicator, &is_inter);
    if (is_inter) return "the communicator is an inter-communicator";
    if (reaches_other_worlds(communicator)) return "the communicator reaches other MPI_COMM_WORLDs";
    return nullptr;
}

/// What all ranks ask for. Throws std::invalid_argument on all of them where that differs, or is no
/// mode: `text` is what this one has asked for. Collective.
int agreed(MPI_Comm communicator, int mine, std::string_view text) {
    int shared[2] = {mine, -mine};
    host::check(maximum_of_program(communicator, shared));
    const int most = shared[0], least = -shared[1];
    if (mine == no_mode) parse_reduction_mode(text);  // says what is wrong with it
    if (most != least) {
        throw std::invalid_argument("ranks of one communicator ask for different modes (" +
                                    name_of_asked(least) + ", " + name_of_asked(most) +
                                    "); all have to ask for the same");
    }
    return most;
}

std::string hint_in(MPI_Info info) {
    char value[MPI_MAX_INFO_VAL + 1] = {};
    int is_there = 0;
    if (info != MPI_INFO_NULL) {
        PMPI_Info_get(info, mode_key, MPI_MAX_INFO_VAL, value, &is_there);
    }
    return is_there ? value : "";
}

/// Nothing where no rank gives the hint; what is wrong with it is said by the lowest that knows.
std::optional<ReductionMode> agreed_hint(MPI_Comm communicator, MPI_Info info) {
    const std::string hint = hint_in(info);
    const auto tell = [](const std::string& reason) {
        say(std::string(mode_key) + " of a communicator does not count: " + reason);
    };
    if (const char* reason = why_not(communicator)) {
        if (!hint.empty()) say_once(std::string(mode_key) + " does not count: " + reason);
        return std::nullopt;
    }
    const int mine = hint.empty() ? nothing : asked_by(hint);
    try {
        const int all = agreed(communicator, mine, hint);
        if (all == nothing) return std::nullopt;
        return ReductionMode(all - first_mode);
    } catch (const std::exception& error) {
        int rank = 0;
        PMPI_Comm_rank(communicator, &rank);
        if (rank == 0 || mine == no_mode) tell(error.what());
        return std::nullopt;
    }
}

}  // namespace

ReductionMode mode_of(MPI_Comm communicator) {
    return own_mode(communicator).value_or(reduction_mode());
}

bool may_be_ours_by_mode(Collective collective) {
    return is_reduction(collective) &&
           (reduction_mode() != ReductionMode::off || communicators_with_mode > 0);
}

bool is_asked_of_all(Collective collective) {
    return current_wish(collective) != &native_wish || reduction_mode() != ReductionMode::off ||
           checks_reductions() || is_reporting();
}

void set_mode_of(MPI_Comm communicator, std::string_view mode) {
    if (const char* reason = why_not(communicator)) throw std::invalid_argument(reason);
    const int all = agreed(communicator, asked_by(mode), mode);
    set_mode(communicator, ReductionMode(all - first_mode));
}

void take_hints(MPI_Comm communicator, MPI_Info info) {
    if (!wishes_are_allowed()) return;
    if (const auto mode = agreed_hint(communicator, info)) set_mode(communicator, *mode);
}

void take_hints_of_copy(MPI_Comm communicator, MPI_Info info) {
    if (!wishes_are_allowed() || communicator == MPI_COMM_NULL) return;
    forget_mode(communicator);
    take_hints(communicator, info);
}

void tell_hint_is_lost(MPI_Info info, const char* call) {
    if (!wishes_are_allowed() || hint_in(info).empty() || !process().speaks()) return;
    const std::string text = std::string(mode_key) + " does not count in " + call;
    say_once(text, text + ": give it to the communicator by MPI_Comm_set_info");
}

void tell_hints(MPI_Comm communicator, MPI_Info info) {
    const auto mode = own_mode(communicator);
    if (mode) PMPI_Info_set(info, mode_key, name_of(*mode).data());
}

}  // namespace tasuki::interpose
