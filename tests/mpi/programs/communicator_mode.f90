! The mode of one communicator by the module and by a hint: the sum of 1, -1 and 2^-60s in each.
program communicator_mode
   use mpi
   use tasuki, only: set_reproducible
   implicit none
   integer :: error, failed, rank, ranks, own, copy, info
   double precision :: mine, sums(2)

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   mine = 2d0**(-60)
   if (rank == 0) mine = 1
   if (rank == ranks - 1) mine = -1
   call MPI_Comm_dup(MPI_COMM_WORLD, own, error)
   call set_reproducible('exact', own, failed)
   call MPI_Allreduce(mine, sums(1), 1, MPI_DOUBLE_PRECISION, MPI_SUM, own, error)
   call MPI_Info_create(info, error)
   call MPI_Info_set(info, 'tasuki_reproducible', 'exact', error)
   call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, copy, error)
   call MPI_Comm_set_info(copy, info, error)
   call MPI_Allreduce(mine, sums(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, copy, error)
   if (rank == 0) write (*, '(i3,2(1x,es23.16))') failed, sums*2d0**60
   call MPI_Finalize(error)
end program communicator_mode
