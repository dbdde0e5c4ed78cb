! 1, -1 and 2^-60s by persistent reductions, beside a message that is persistent too; twice.
program persistent
   use mpi
   implicit none
   integer :: error, rank, ranks, round, requests(4)
   integer, asynchronous :: token, got
   double precision, asynchronous :: mine, sums(2)
   double precision :: scale

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   call MPI_Allreduce_init(mine, sums(1), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                           MPI_INFO_NULL, requests(1), error)
   call MPI_Send_init(token, 1, MPI_INTEGER, mod(rank + 1, ranks), 1, MPI_COMM_WORLD, &
                      requests(2), error)
   call MPI_Allreduce_init(MPI_IN_PLACE, sums(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
                           MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), error)
   call MPI_Recv_init(got, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, &
                      requests(4), error)
   do round = 1, 2
      scale = 2d0**(-60)
      mine = scale
      if (rank == 0) mine = 1
      if (rank == ranks - 1) mine = -1
      sums = [0d0, mine]
      token = round + rank
      if (round == 1) then
         call MPI_Startall(4, requests, error)
      else
         call MPI_Start(requests(3), error)
         call MPI_Startall(2, requests(1), error)
         call MPI_Start(requests(4), error)
      end if
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
      if (rank == 0) write (*, '(2(1x,es23.16),1x,i0)') sums/scale, got - round + 1
   end do
   call MPI_Request_free(requests(1), error)
   if (requests(1) /= MPI_REQUEST_NULL) error stop 'not freed'
   call MPI_Request_free(requests(2), error)
   call MPI_Request_free(requests(3), error)
   call MPI_Request_free(requests(4), error)
   call MPI_Finalize(error)
end program persistent
