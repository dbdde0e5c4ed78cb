! A sum whose bits hang on its order, and one of powers of two whose do not, each at a line that the
! test knows by its mark.
program order
   use mpi
   implicit none
   double precision :: values(1000), sums(1000), powers(1)
   integer :: error, rank, ranks

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   values = 2d0**(-60)
   if (rank == 0) values = 1
   if (rank == ranks - 1) values = -1
   call sum_up(values, sums)
   powers = 2d0**rank
   call MPI_Allreduce(powers, sums, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error) ! MARK powers
   call MPI_Finalize(error)

contains

   subroutine sum_up(values, sums)
      double precision, intent(in) :: values(:)
      double precision, intent(inout) :: sums(:)

      call MPI_Allreduce(values, sums, 1000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error) ! MARK sum
   end subroutine sum_up

end program order
