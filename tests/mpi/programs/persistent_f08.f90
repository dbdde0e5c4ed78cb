! The same as persistent.f90 by mpi_f08.
program persistent_f08
   use mpi_f08
   implicit none
   type(MPI_Request) :: requests(4)
   integer :: rank, ranks, round
   integer, asynchronous :: token, got
   double precision, asynchronous :: mine, sums(2)
   double precision :: scale

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   call MPI_Allreduce_init(mine, sums(1), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                           MPI_INFO_NULL, requests(1))
   call MPI_Send_init(token, 1, MPI_INTEGER, mod(rank + 1, ranks), 1, MPI_COMM_WORLD, requests(2))
   call MPI_Allreduce_init(MPI_IN_PLACE, sums(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, &
                           MPI_COMM_WORLD, MPI_INFO_NULL, requests(3))
   call MPI_Recv_init(got, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, &
                      requests(4))
   do round = 1, 2
      scale = 2d0**(-60)
      mine = scale
      if (rank == 0) mine = 1
      if (rank == ranks - 1) mine = -1
      sums(1) = 0
      sums(2) = mine
      token = round + rank
      if (round == 1) then
         call MPI_Startall(4, requests)
      else
         call MPI_Start(requests(3))
         call MPI_Startall(2, requests(1:2))
         call MPI_Start(requests(4))
      end if
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
      if (rank == 0) write (*, '(2(1x,es23.16),1x,i0)') sums/scale, got - round + 1
   end do
   call MPI_Request_free(requests(1))
   if (requests(1) /= MPI_REQUEST_NULL) error stop 'not freed'
   call MPI_Request_free(requests(2))
   call MPI_Request_free(requests(3))
   call MPI_Request_free(requests(4))
   call MPI_Finalize()
end program persistent_f08
