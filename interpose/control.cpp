// The functions that a program may ask for by dlsym; see tasuki.h.
#include <exception>
#include <stdexcept>
#include <string>

#include "interpose/export.hpp"
#include "interpose/last_call.hpp"
#include "interpose/reduction_mode.hpp"
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

}  // namespace

extern "C" {

TASUKI_EXPORT int tasuki_choose(const char* collective, const char* choice) {
    error_text.clear();
    try {
        const Collective which = collective_named(collective);
        require_running();
        set_wish(which, choice == nullptr ? "" : choice);
        return 0;
    } catch (const std::exception& error) {
        error_text = error.what();
        return -1;
    }
}

TASUKI_EXPORT int tasuki_reproducible(const char* mode) {
    error_text.clear();
    try {
        require_running();
        set_reduction_mode(parse_reduction_mode(mode == nullptr ? "" : mode));
        return 0;
    } catch (const std::exception& error) {
        error_text = error.what();
        return -1;
    }
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
