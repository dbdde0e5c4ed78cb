! The same calls again from Fortran, with other counts and displacements in the same arrays.
program known_arrays
    use mpi
    implicit none
    integer, parameter :: most_ranks = 16, room = 2
    integer :: counts(most_ranks), places(most_ranks), from_counts(most_ranks)
    integer :: outgoing(most_ranks*room), incoming(most_ranks*room), wanted(most_ranks*room)
    integer :: ranks, rank, error, call, other, own, all, failures, all_failures

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    failures = 0
    do call = 1, 200
        all = 0
        do other = 1, ranks
            counts(other) = 1 + mod(other + call, 2)
            places(other) = mod(other + call, ranks)*room
            all = all + counts(other)
        end do
        own = counts(rank + 1)

        outgoing = 100*rank + call
        wanted = -1
        incoming = -1
        if (rank == 0) then
            do other = 1, ranks
                wanted(places(other) + 1:places(other) + counts(other)) = 100*(other - 1) + call
            end do
        end if
        call MPI_Gatherv(outgoing, own, MPI_INTEGER, incoming, counts, places, MPI_INTEGER, 0, &
                         MPI_COMM_WORLD, error)
        call compare

        wanted = -1
        incoming = -1
        do other = 1, ranks
            outgoing(places(other) + 1:places(other) + counts(other)) = 100*other + call
        end do
        wanted(1:own) = 100*(rank + 1) + call
        call MPI_Scatterv(outgoing, counts, places, MPI_INTEGER, incoming, own, MPI_INTEGER, 0, &
                          MPI_COMM_WORLD, error)
        call compare

        ! Rank r sends as many to each as it gets in the scatter, from where these lie.
        wanted = -1
        incoming = -1
        from_counts = own
        outgoing = 100*rank + call
        do other = 1, ranks
            wanted(places(other) + 1:places(other) + counts(other)) = 100*(other - 1) + call
        end do
        call MPI_Alltoallv(outgoing, from_counts, places, MPI_INTEGER, incoming, counts, places, &
                           MPI_INTEGER, MPI_COMM_WORLD, error)
        call compare

        places(1) = 0
        do other = 2, ranks
            places(other) = places(other - 1) + counts(other - 1)
        end do
        wanted = -1
        incoming = -1
        do other = 1, ranks
            wanted(places(other) + 1:places(other) + counts(other)) = 100*(other - 1) + call
        end do
        call MPI_Allgatherv(outgoing, own, MPI_INTEGER, incoming, counts, places, MPI_INTEGER, &
                            MPI_COMM_WORLD, error)
        call compare

        wanted = -1
        incoming = -1
        do other = 1, all
            outgoing(other) = rank + call*other
        end do
        do other = 1, own
            wanted(other) = ranks*(ranks - 1)/2 + ranks*call*(places(rank + 1) + other)
        end do
        call MPI_Reduce_scatter(outgoing, incoming, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                                error)
        call compare
    end do
    call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank == 0 .and. all_failures == 0) print '(a)', 'ok'
    if (all_failures /= 0) print '(a,i0,a)', 'FAILED ', failures, ' calls'
    call MPI_Finalize(error)
    if (all_failures /= 0) stop 1

contains

    subroutine compare
        if (any(incoming /= wanted)) failures = failures + 1
    end subroutine compare
end program known_arrays
