// What Fortran's arguments are in C.
#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What a call of Fortran's returns, where the program asks for it. `Integer`: Fortran's, which the
/// standard ABI does not name.
template <typename Integer>
void give_code(Integer* error, int code) {
    if (error != nullptr) *error = static_cast<Integer>(code);
}

}  // namespace tasuki::interpose

#if TASUKI_HAS_OWN_FORTRAN_BODIES

// The variables behind Fortran's MPI_IN_PLACE and MPI_BOTTOM in Open MPI's libmpi, one for each way
// in which compilers spell them.
#define TASUKI_FORTRAN_VARIABLE(lower, upper)                                      \
    extern int lower __attribute__((weak));                                        \
    extern int lower##_ __attribute__((weak));                                     \
    extern int lower##__ __attribute__((weak));                                    \
    extern int upper __attribute__((weak));                                        \
    inline bool is_##lower(const void* address) {                                  \
        return address != nullptr && (address == &lower || address == &lower##_ || \
                                      address == &lower##__ || address == &upper); \
    }

extern "C" {
TASUKI_FORTRAN_VARIABLE(mpi_fortran_in_place, MPI_FORTRAN_IN_PLACE)
TASUKI_FORTRAN_VARIABLE(mpi_fortran_bottom, MPI_FORTRAN_BOTTOM)
}
#undef TASUKI_FORTRAN_VARIABLE

namespace tasuki::interpose {

inline void* from_fortran(void* buffer) {
    if (is_mpi_fortran_in_place(buffer)) return MPI_IN_PLACE;
    if (is_mpi_fortran_bottom(buffer)) return MPI_BOTTOM;
    return buffer;
}

/// Where a call puts a request that Fortran gets when the call is over; nothing if it makes none.
class FortranRequest {
  public:
    explicit FortranRequest(MPI_Fint* handle) : handle_(handle) {}
    ~FortranRequest() {
        if (made_ != MPI_REQUEST_NULL) *handle_ = PMPI_Request_c2f(made_);
    }
    FortranRequest(const FortranRequest&) = delete;
    FortranRequest& operator=(const FortranRequest&) = delete;

    operator MPI_Request*() { return &made_; }

  private:
    MPI_Fint* handle_;
    MPI_Request made_ = MPI_REQUEST_NULL;
};

}  // namespace tasuki::interpose

#endif
