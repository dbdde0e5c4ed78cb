! A sum whose bits hang on its order, at a line that the test knows by its mark.
program order_f08
   use mpi_f08
   implicit none
   double precision :: values(10), sums(10)
   integer :: rank, ranks

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   values = 2d0**(-60)
   if (rank == 0) values = 1
   if (rank == ranks - 1) values = -1
   call MPI_Allreduce(values, sums, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD) ! MARK sum
   call MPI_Finalize()
end program order_f08
