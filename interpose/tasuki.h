/* What a program may ask of Tasuki, if it is there: look the functions up with
 * dlsym(RTLD_DEFAULT, ...) and do without where they are missing. No MPI types, so that one
 * declaration serves every MPI. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `collective` ("alltoall") by `choice` (NAME[:parameter=value,...] or "native", the host
 * MPI's own) from the next call on. All ranks must call it alike, between two collectives.
 * Returns 0, or -1 for an unknown name or a bad parameter, and before MPI_Init; then nothing has
 * changed and tasuki_error() says what was expected. */
int tasuki_choose(const char* collective, const char* choice);

/* How reproducible reductions are from the next call on: "off", "placement" (the same number of
 * ranks gives the same bits, wherever they are) or "exact" (also, sums of float, double and their
 * complex types are exact and rounded once). All ranks must call it alike, between two collectives.
 * Returns as tasuki_choose. */
int tasuki_reproducible(const char* mode);

/* The same of one communicator, which goes before that of all; MPI_Comm_dup copies it, other calls
 * that make communicators do not. `communicator` is what MPI_Comm_c2f() gives, or MPI_Comm_toint()
 * of the standard ABI. All its ranks call it, and get -1 alike where they ask for different modes,
 * or one of them for none that there is. The info key "tasuki_reproducible" of MPI_Comm_set_info,
 * MPI_Comm_dup_with_info and MPI_Comm_split_type does the same. */
int tasuki_reproducible_on(const char* mode, int communicator);

/* The exact sum of an array of which each rank of `communicator` has `count` values (any number,
 * also 0), rounded once; and the exact sum of the products left[i] * right[i]. All ranks get the
 * same bits, on any number of ranks and however the array is shared among them, as long as it is
 * made of the same numbers. `communicator` is what MPI_Comm_c2f() gives, or MPI_Comm_toint() of the
 * standard ABI. All its ranks call it, whatever the mode of reductions. Returns as tasuki_choose,
 * and -1 for an inter-communicator. */
int tasuki_exact_sum(const double* values, size_t count, int communicator, double* sum);
int tasuki_exact_dot(const double* left, const double* right, size_t count, int communicator,
                     double* product);

/* What was wrong with this thread's last call of this interface; "" if nothing. */
const char* tasuki_error(void);

/* What ran in this thread's last `collective`: "bruck:radix=2", or "native" followed by why
 * (": it needs several nodes and there is one"). Sums of the mode "exact" run by "exact-straight",
 * "exact-doubling" or "exact-blocks", of two ranks by a row like any other. "" before the first
 * call; while the host's own is chosen always "native". Holds until this thread's next call of this
 * interface. */
const char* tasuki_last_algorithm(const char* collective);

/* "0.1.0 (openmpi)": the version, and the ABI that the library was built for. */
const char* tasuki_version(void);

#ifdef __cplusplus
}
#endif
