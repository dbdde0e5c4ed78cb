! The same as nonblocking.f90 by mpi_f08.
program nonblocking_f08
   use mpi_f08
   implicit none
   integer :: rank, ranks, level
   type(MPI_Request) :: request
   type(MPI_Datatype) :: pair
   integer, allocatable :: counts(:)
   double precision, asynchronous :: mine, sums(3)
   double precision, allocatable, asynchronous :: all(:)

   call MPI_Init()
   call MPI_Query_thread(level)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   mine = 2d0**(-60)
   if (rank == 0) mine = 1
   if (rank == ranks - 1) mine = -1
   sums = 0
   allocate (counts(ranks), all(ranks))
   counts = 1
   all = mine
   call MPI_Iallreduce(mine, sums(1), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request)
   call MPI_Wait(request, MPI_STATUS_IGNORE)
   sums(2) = mine
   call MPI_Iallreduce(MPI_IN_PLACE, sums(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                       request)
   call MPI_Wait(request, MPI_STATUS_IGNORE)
   call MPI_Ireduce_scatter(all, sums(3), counts, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                            request)
   call MPI_Wait(request, MPI_STATUS_IGNORE)
   call MPI_Type_contiguous(2, MPI_DOUBLE_PRECISION, pair)
   call MPI_Type_free(pair)
   if (rank == 0) write (*, '(i3,3(1x,es23.16))') level, sums*2d0**60
   call MPI_Finalize()
end program nonblocking_f08
