! Collectives through `use mpi` or `use mpi_f08`: that arguments arrive, with arrays of counts and of
! types, MPI_IN_PLACE and roots. Each call's answer is checked, and that Tasuki gave it.
#ifdef USE_MPI_F08
#define HANDLE(KIND) type(KIND)
#define IERROR
#define IERROR0
#else
#define HANDLE(KIND) integer
#define IERROR , ierr
#define IERROR0 ierr
#endif
program fortran_collectives
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
#ifdef USE_MPI_F08
    use mpi_f08
#else
    use mpi
#endif
    implicit none
    interface
        integer(c_int) function is_ours(collective) bind(c)
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: collective(*)
        end function
    end interface
    integer, parameter :: n = 30
    integer :: rank, ranks, root, peer, i, ierr, failures, checks, total(2)
    integer, allocatable :: sent(:), got(:), counts(:), places(:), bytes(:)
    HANDLE(MPI_Datatype), allocatable :: types(:)
    double precision :: value, total_value

    ierr = 0
    failures = 0
    checks = 0
    call MPI_Init(IERROR0)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank IERROR)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks IERROR)
    allocate (sent(n*ranks), got(n*ranks), counts(ranks), places(ranks), bytes(ranks), types(ranks))
    root = ranks - 1
    ! Rank r has r + 1 elements, one behind the other.
    counts = [(peer, peer=1, ranks)]
    places = [((peer*(peer - 1))/2, peer=1, ranks)]
    bytes = 4*places
    types = MPI_INTEGER

    call MPI_Barrier(MPI_COMM_WORLD IERROR)
    call check(.true., 'barrier')

    got = rank
    call MPI_Bcast(got, n, MPI_INTEGER, root, MPI_COMM_WORLD IERROR)
    call check(all(got(1:n) == root), 'bcast')

    value = rank + 1
    call MPI_Allreduce(value, total_value, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD IERROR)
    call check(total_value == ranks*(ranks + 1)/2, 'allreduce')
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE_PRECISION, MPI_MAX, &
                       MPI_COMM_WORLD IERROR)
    call check(value == ranks, 'allreduce')

    ! Rank r gives (r + 1)(i + r): the sums of r + 1 and of r(r + 1) up to a rank tell all.
    sent = [((rank + 1)*(i + rank), i=1, n*ranks)]
    got = -1
    call MPI_Reduce(sent, got, n, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD IERROR)
    if (rank == root) call check(all(got(1:n) == sums(ranks, 0, n)), 'reduce')
    call MPI_Scan(sent, got, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERROR)
    call check(all(got(1:n) == sums(rank + 1, 0, n)), 'scan')
    call MPI_Exscan(sent, got, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERROR)
    call check(rank == 0 .or. all(got(1:n) == sums(rank, 0, n)), 'exscan')
    call MPI_Reduce_scatter_block(sent, got, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERROR)
    call check(all(got(1:n) == sums(ranks, n*rank, n)), 'reduce-scatter')
    got = sent
    call MPI_Reduce_scatter(MPI_IN_PLACE, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERROR)
    call check(all(got(1:rank + 1) == sums(ranks, places(rank + 1), rank + 1)), 'reduce-scatter')

    sent = rank
    call MPI_Allgather(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, MPI_COMM_WORLD IERROR)
    call check(all(got == [((peer, i=1, n), peer=0, ranks - 1)]), 'allgather')
    got = -1
    got(places(rank + 1) + 1:places(rank + 1) + rank + 1) = rank
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, MPI_INTEGER, &
                        MPI_COMM_WORLD IERROR)
    call check(is_uneven(got), 'allgather')

    got = -1
    call MPI_Gather(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, root, MPI_COMM_WORLD IERROR)
    if (rank == root) call check(all(got == [((peer, i=1, n), peer=0, ranks - 1)]), 'gather')
    got = -1
    call MPI_Gatherv(sent, rank + 1, MPI_INTEGER, got, counts, places, MPI_INTEGER, root, &
                     MPI_COMM_WORLD IERROR)
    if (rank == root) call check(is_uneven(got), 'gather')

    sent = [((peer, i=1, n), peer=0, ranks - 1)]
    call MPI_Scatter(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, root, MPI_COMM_WORLD IERROR)
    call check(all(got(1:n) == rank), 'scatter')
    do peer = 0, ranks - 1
        sent(places(peer + 1) + 1:places(peer + 1) + peer + 1) = peer
    end do
    call MPI_Scatterv(sent, counts, places, MPI_INTEGER, got, rank + 1, MPI_INTEGER, root, &
                      MPI_COMM_WORLD IERROR)
    call check(all(got(1:rank + 1) == rank), 'scatter')

    ! To every rank as many as this one's number says.
    sent = rank
    call MPI_Alltoallv(sent, [(rank + 1, i=1, ranks)], [(0, i=1, ranks)], MPI_INTEGER, got, &
                       counts, places, MPI_INTEGER, MPI_COMM_WORLD IERROR)
    call check(is_uneven(got), 'alltoallv')
    got = -1
    call MPI_Alltoallw(sent, [(rank + 1, i=1, ranks)], [(0, i=1, ranks)], types, got, counts, &
                       bytes, types, MPI_COMM_WORLD IERROR)
    call check(is_uneven(got), 'alltoallv')

    call MPI_Reduce([failures, checks], total, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD IERROR)
    if (rank == 0 .and. total(1) == 0) print '(a,i0,a)', 'ok ', total(2), ' checks'
    call MPI_Finalize(IERROR0)
    if (failures /= 0) stop 1

contains

    logical function is_uneven(values)
        integer, intent(in) :: values(:)
        integer :: from
        is_uneven = .true.
        do from = 0, ranks - 1
            is_uneven = is_uneven .and. &
                        all(values(places(from + 1) + 1:places(from + 1) + from + 1) == from)
        end do
    end function

    ! What the first `some` ranks come to, `length` elements behind the first `before`.
    function sums(some, before, length)
        integer, intent(in) :: some, before, length
        integer :: sums(length), element, from
        sums = [(sum([((from + 1)*(element + from), from=0, some - 1)]), &
                 element=before + 1, before + length)]
    end function

    subroutine check(holds, collective)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: collective
        checks = checks + 1
        if (holds .and. ierr == 0 .and. is_ours(collective//c_null_char) == 1) return
        failures = failures + 1
        print '(a,i0,3a,i0)', 'FAILED rank ', rank, ': ', collective, ', check ', checks
    end subroutine
end program
