// Where the program called MPI.
#pragma once

#include "sites/module_address.hpp"

namespace tasuki::interpose {

/// The return address of the call of this thread's that is being handled, less one, so that it lies
/// in the call: the innermost that is neither in this library nor in an MPI library, whose Fortran
/// functions may call those of C. Stays as long as the process.
///
/// Takes microseconds; the first time at an address some ten.
const ModuleAddress& find_call_site();

}  // namespace tasuki::interpose
