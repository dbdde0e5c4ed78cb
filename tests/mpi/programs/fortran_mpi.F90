! All-to-all through `use mpi`.
#define HANDLE(KIND) integer
#define IERROR0 ierr
#define IERROR , ierr
program fortran_mpi
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
    use mpi
    implicit none
#include "fortran_alltoall.inc"
