! All-to-all through mpif.h.
#define HANDLE(KIND) integer
#define IERROR0 ierr
#define IERROR , ierr
program fortran_mpif
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
    implicit none
    include 'mpif.h'
#include "fortran_alltoall.inc"
