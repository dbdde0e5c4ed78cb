! The Fortran module: the sum of 0.1, 100 times on each rank, and of its products with 10.
program shared_sums
   use mpi
   use tasuki, only: exact_sum, exact_dot
   implicit none
   double precision :: values(100), total, product
   integer :: error, failed(2), rank

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   values = 0.1d0
   call exact_sum(values, MPI_COMM_WORLD, total, failed(1))
   call exact_dot(values, 10*values, MPI_COMM_WORLD, product, failed(2))
   if (rank == 0) write (*, '(2i3,2(1x,es23.16))') failed, total, product
   call MPI_Finalize(error)
end program shared_sums
