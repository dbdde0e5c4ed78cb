// The functions that a program may ask for by dlsym; see tasuki.h.
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include "interpose/communicator_mode.hpp"
#include "interpose/export.hpp"
#include "interpose/last_call.hpp"
#include "interpose/reduction_mode.hpp"
#include "interpose/shared_exact_sum.hpp"
#include "interpose/tasuki.h"
#include "interpose/wishes.hpp"

using namespace tasuki;
using namespace tasuki::interpose;

namespace {

thread_local std::string error_text;
thread_local std::string last_text;

/// Throws std::invalid_argument that lists the known ones.
Collective collective_named(const char* name) {
    std::string known;
    for (std::size_t index = 0; index < collectives; ++index) {
        if (name != nullptr && collective_names[index] == name) return Collective(index);
        known += (known.empty() ? "" : ", ") + std::string(collective_names[index]);
    }
    throw std::invalid_argument("no collective \"" + std::string(name == nullptr ? "" : name) +
                                "\"; known: " + known);
}

void require_running() {
    if (wishes_are_allowed()) return;
    throw std::invalid_argument(
        "Tasuki does not run: it does from MPI_Init to MPI_Finalize, unless it stands aside");
}

MPI_Comm communicator_of(int handle) {
#if defined(TASUKI_ABI_STANDARD)
    return PMPI_Comm_fromint(handle);
#else
    return PMPI_Comm_f2c(handle);
#endif
}

/// 0, or -1 with error_text if `act` throws.
template <typename Act>
int answer(const Act& act) {
    error_text.clear();
    try {
        act();
        return 0;
    } catch (const std::exception& error) {
        error_text = error.what();
        return -1;
    }
}

}  // namespace

extern "C" {

TASUKI_EXPORT int tasuki_choose(const char* collective, const char* choice) {
    return answer([&] {
        const Collective which = collective_named(collective);
        require_running();
        set_wish(which, choice == nullptr ? "" : choice);
    });
}

TASUKI_EXPORT int tasuki_reproducible(const char* mode) {
    return answer([&] {
        require_running();
        set_reduction_mode(parse_reduction_mode(mode == nullptr ? "" : mode));
    });
}

TASUKI_EXPORT int tasuki_reproducible_on(const char* mode, int communicator) {
    return answer([&] {
        require_running();
        set_mode_of(communicator_of(communicator), mode == nullptr ? "" : mode);
    });
}

TASUKI_EXPORT int tasuki_exact_sum(const double* values, size_t count, int communicator,
                                   double* sum) {
    return answer([&] {
        require_running();
        reduction::ExactSum mine;
        mine.add(std::span(values, count));
        *sum = sum_over_ranks(communicator_of(communicator), mine).to_double();
    });
}

TASUKI_EXPORT int tasuki_exact_dot(const double* left, const double* right, size_t count,
                                   int communicator, double* product) {
    return answer([&] {
        require_running();
        reduction::ExactSum mine;
        mine.add_products(std::span(left, count), std::span(right, count));
        *product = sum_over_ranks(communicator_of(communicator), mine).to_double();
    });
}

TASUKI_EXPORT const char* tasuki_error(void) {
    return error_text.c_str();
}

TASUKI_EXPORT const char* tasuki_last_algorithm(const char* collective) {
    error_text.clear();
    try {
        last_text = last_call(collective_named(collective));
    } catch (const std::exception& error) {
        error_text = error.what();
        last_text.clear();
    }
    return last_text.c_str();
}

TASUKI_EXPORT const char* tasuki_version(void) {
    return TASUKI_VERSION " (" TASUKI_ABI_NAME ")";
}
}
