! 1, -1 and 2^-60s by calls that do not block, in place and not, by each interface in turn.
program nonblocking
   use mpi
   implicit none
   integer :: error, rank, ranks, request, operation, level
   integer, allocatable :: counts(:)
   double precision :: mine, sums(4)
   double precision, allocatable :: all(:)
   external :: add

   call MPI_Init(error)
   call MPI_Query_thread(level, error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   mine = 2d0**(-60)
   if (rank == 0) mine = 1
   if (rank == ranks - 1) mine = -1
   sums = 0
   allocate (counts(ranks), all(ranks))
   counts = 1
   all = mine
   call MPI_Iallreduce(mine, sums(1), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request, &
                       error)
   call MPI_Wait(request, MPI_STATUS_IGNORE, error)
   sums(2) = mine
   call MPI_Iallreduce(MPI_IN_PLACE, sums(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                       request, error)
   call MPI_Wait(request, MPI_STATUS_IGNORE, error)
   call MPI_Ireduce_scatter(all, sums(3), counts, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                            request, error)
   call MPI_Wait(request, MPI_STATUS_IGNORE, error)
   call MPI_Op_create(add, .true., operation, error)
   call MPI_Iallreduce(mine, sums(4), 1, MPI_DOUBLE_PRECISION, operation, MPI_COMM_WORLD, &
                       request, error)
   call MPI_Op_free(operation, error)
   if (operation /= MPI_OP_NULL) error stop 'not freed'
   call MPI_Wait(request, MPI_STATUS_IGNORE, error)
   if (rank == 0) write (*, '(i3,4(1x,es23.16))') level, sums*2d0**60
   call MPI_Finalize(error)
end program nonblocking

subroutine add(from, to, length, datatype)
   implicit none
   integer :: length, datatype
   double precision :: from(length), to(length)
   to = from + to
end subroutine add
