! All-to-all through `use mpi_f08`, with handles of their own types and without ierror.
#define HANDLE(KIND) type(KIND)
#define IERROR0
#define IERROR
program fortran_mpi_f08
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
    use mpi_f08
    implicit none
#include "fortran_alltoall.inc"
