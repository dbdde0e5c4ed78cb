// MPI_Start and MPI_Startall: a thread of ours begins with the persistent reductions among them.
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/fortran_symbols.hpp"
#include "interpose/next_call.hpp"
#include "interpose/persistent_reduction.hpp"
#include "interpose/persistent_requests.hpp"

using namespace tasuki::interpose;

namespace {

/// Starts what is ours among `handles`, and has `start_others(count, handles)` start the rest.
/// Gives the first code that is none of success.
template <typename Handle, typename ToRequest, typename StartOthers>
int start_all(std::span<Handle> handles, const ToRequest& to_request,
              const StartOthers& start_others) {
    std::vector<std::shared_ptr<PersistentReduction>> ours;
    std::vector<Handle> others;
    std::vector<std::size_t> places;  // of the others
    for (std::size_t index = 0; index < handles.size(); ++index) {
        if (auto found = find_persistent(to_request(handles[index]))) {
            ours.push_back(std::move(found));
        } else {
            others.push_back(handles[index]);
            places.push_back(index);
        }
    }
    for (const auto& reduction : ours) {
        if (const int code = reduction->start(); code != MPI_SUCCESS) return code;
    }
    if (others.empty()) return MPI_SUCCESS;
    const int code = start_others(static_cast<int>(others.size()), others.data());
    // Open MPI may have put another request in the place of one that it was not quite done with.
    for (std::size_t index = 0; index < others.size(); ++index) {
        handles[places[index]] = others[index];
    }
    return code;
}

}  // namespace

extern "C" {

TASUKI_EXPORT int MPI_Start(MPI_Request* request) {
    static constinit NextCall<int(MPI_Request*)> next("MPI_Start");
    if (has_persistent_requests() && request != nullptr) {
        if (const auto ours = find_persistent(*request)) return ours->start();
    }
    return next(request);
}

TASUKI_EXPORT int MPI_Startall(int count, MPI_Request* requests) {
    static constinit NextCall<int(int, MPI_Request*)> next("MPI_Startall");
    if (!has_persistent_requests() || count <= 0 || requests == nullptr) {
        return next(count, requests);
    }
    return start_all(
        std::span(requests, static_cast<std::size_t>(count)),
        [](MPI_Request request) { return request; },
        [](int others, MPI_Request* them) { return next(others, them); });
}

#define TASUKI_FORTRAN_START(symbol)                                             \
    TASUKI_EXPORT void symbol(MPI_Fint* request, MPI_Fint* error) {              \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*)> next(#symbol);     \
        if (has_persistent_requests()) {                                         \
            if (const auto ours = find_persistent(PMPI_Request_f2c(*request))) { \
                return give_code(error, ours->start());                          \
            }                                                                    \
        }                                                                        \
        next(request, error);                                                    \
    }

#define TASUKI_FORTRAN_STARTALL(symbol)                                                     \
    TASUKI_EXPORT void symbol(MPI_Fint* count, MPI_Fint* requests, MPI_Fint* error) {       \
        static constinit NextCall<void(MPI_Fint*, MPI_Fint*, MPI_Fint*)> next(#symbol);     \
        if (!has_persistent_requests() || *count <= 0) return next(count, requests, error); \
        const int code = start_all(                                                         \
            std::span(requests, static_cast<std::size_t>(*count)),                          \
            [](MPI_Fint request) { return PMPI_Request_f2c(request); },                     \
            [](MPI_Fint others, MPI_Fint* them) {                                           \
                MPI_Fint of_others = MPI_SUCCESS;                                           \
                next(&others, them, &of_others);                                            \
                return static_cast<int>(of_others);                                         \
            });                                                                             \
        give_code(error, code);                                                             \
    }

TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_START, mpi_start, MPI_START)
TASUKI_FORTRAN_SYMBOLS(TASUKI_FORTRAN_STARTALL, mpi_startall, MPI_STARTALL)
}
