c     Every blocking collective through mpif.h, as programs in fixed
c     form call them: no interface checks the arguments, and
c     MPI_IN_PLACE is a variable in a common block. Each is called
c     twice, the second time in place where MPI allows that. Each answer
c     is checked, and that Tasuki gave it.
      program fortran_mpif_collectives
      implicit none
      include 'mpif.h'
      integer n, most
      parameter (n = 5, most = 8)
      integer rank, ierr, failures, checks
      common /told/ rank, ierr, failures, checks
      integer ranks, root, peer, total(2), mine, place
      integer sent(2*most*most), got(2*most*most)
c     Blocks of n, of as many as a rank's number plus 1, and of as many
c     as two ranks' numbers plus 1: counts, and where they begin.
      integer evens(most), even_places(most)
      integer counts(most), places(most), bytes(most)
      integer pairs(most), pair_places(most), pair_bytes(most)
      integer same(most), same_places(most), same_bytes(most)
      integer types(most)
      double precision number, sum_of_numbers
      logical holds, holds_sums, holds_each
      external holds, holds_sums, holds_each

      failures = 0
      checks = 0
      call MPI_Init(ierr)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
      call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
      if (ranks .gt. most) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
      root = ranks - 1
      pair_places(1) = 0
      do 10 peer = 1, ranks
         types(peer) = MPI_INTEGER
         evens(peer) = n
         even_places(peer) = n*(peer - 1)
         counts(peer) = peer
         places(peer) = (peer*(peer - 1))/2
         bytes(peer) = 4*places(peer)
         pairs(peer) = rank + peer
         if (peer .gt. 1) pair_places(peer) =
     &      pair_places(peer - 1) + pairs(peer - 1)
         pair_bytes(peer) = 4*pair_places(peer)
         same(peer) = rank + 1
         same_places(peer) = (rank + 1)*(peer - 1)
         same_bytes(peer) = 4*same_places(peer)
 10   continue
      mine = counts(rank + 1)
      place = places(rank + 1) + 1

c     --- without reductions: what a rank has for another is told by
c     the numbers of both

      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      call check(.true., 'barrier')

      call fill(got, n, rank, 0)
      call MPI_Bcast(got, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      call check(holds(got, n, root, 0), 'bcast')

      got = -1
      call fill(sent, n, rank, 0)
      call MPI_Gather(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, root,
     &                MPI_COMM_WORLD, ierr)
      call check(rank .ne. root .or.
     &           holds_each(got, ranks, evens, even_places, 0),
     &           'gather')
      got = -1
      call fill(got(n*rank + 1), n, rank, 0)
      if (rank .eq. root) then
         call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, n,
     &                   MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      else
         call MPI_Gather(sent, n, MPI_INTEGER, got, n, MPI_INTEGER,
     &                   root, MPI_COMM_WORLD, ierr)
      end if
      call check(rank .ne. root .or.
     &           holds_each(got, ranks, evens, even_places, 0),
     &           'gather')

      got = -1
      call fill(sent, mine, rank, 0)
      call MPI_Gatherv(sent, mine, MPI_INTEGER, got, counts, places,
     &                 MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      call check(rank .ne. root .or.
     &           holds_each(got, ranks, counts, places, 0), 'gather')
      got = -1
      call fill(got(place), mine, rank, 0)
      if (rank .eq. root) then
         call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got,
     &                    counts, places, MPI_INTEGER, root,
     &                    MPI_COMM_WORLD, ierr)
      else
         call MPI_Gatherv(sent, mine, MPI_INTEGER, got, counts, places,
     &                    MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      end if
      call check(rank .ne. root .or.
     &           holds_each(got, ranks, counts, places, 0), 'gather')

      got = -1
      call fill_each(sent, ranks, evens, even_places, root)
      call MPI_Scatter(sent, n, MPI_INTEGER, got, n, MPI_INTEGER, root,
     &                 MPI_COMM_WORLD, ierr)
      call check(holds(got, n, root, rank), 'scatter')
      got = -1
      if (rank .eq. root) then
         call MPI_Scatter(sent, n, MPI_INTEGER, MPI_IN_PLACE, 0,
     &                    MPI_DATATYPE_NULL, root, MPI_COMM_WORLD, ierr)
         call check(holds(sent(n*rank + 1), n, root, rank), 'scatter')
      else
         call MPI_Scatter(sent, n, MPI_INTEGER, got, n, MPI_INTEGER,
     &                    root, MPI_COMM_WORLD, ierr)
         call check(holds(got, n, root, rank), 'scatter')
      end if

      got = -1
      call fill_each(sent, ranks, counts, places, root)
      call MPI_Scatterv(sent, counts, places, MPI_INTEGER, got, mine,
     &                  MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
      call check(holds(got, mine, root, rank), 'scatter')
      got = -1
      if (rank .eq. root) then
         call MPI_Scatterv(sent, counts, places, MPI_INTEGER,
     &                     MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root,
     &                     MPI_COMM_WORLD, ierr)
         call check(holds(sent(place), mine, root, rank), 'scatter')
      else
         call MPI_Scatterv(sent, counts, places, MPI_INTEGER, got, mine,
     &                     MPI_INTEGER, root, MPI_COMM_WORLD, ierr)
         call check(holds(got, mine, root, rank), 'scatter')
      end if

      got = -1
      call fill(sent, n, rank, 0)
      call MPI_Allgather(sent, n, MPI_INTEGER, got, n, MPI_INTEGER,
     &                   MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, evens, even_places, 0),
     &           'allgather')
      got = -1
      call fill(got(n*rank + 1), n, rank, 0)
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, n,
     &                   MPI_INTEGER, MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, evens, even_places, 0),
     &           'allgather')

      got = -1
      call fill(sent, mine, rank, 0)
      call MPI_Allgatherv(sent, mine, MPI_INTEGER, got, counts, places,
     &                    MPI_INTEGER, MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, counts, places, 0),
     &           'allgather')
      got = -1
      call fill(got(place), mine, rank, 0)
      call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got,
     &                    counts, places, MPI_INTEGER, MPI_COMM_WORLD,
     &                    ierr)
      call check(holds_each(got, ranks, counts, places, 0),
     &           'allgather')

      got = -1
      call fill_each(sent, ranks, evens, even_places, rank)
      call MPI_Alltoall(sent, n, MPI_INTEGER, got, n, MPI_INTEGER,
     &                  MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, evens, even_places, rank),
     &           'alltoall')
      call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sent, n,
     &                  MPI_INTEGER, MPI_COMM_WORLD, ierr)
      call check(holds_each(sent, ranks, evens, even_places, rank),
     &           'alltoall')

c     To every rank as many as this one's number says.
      got = -1
      call fill_each(sent, ranks, same, same_places, rank)
      call MPI_Alltoallv(sent, same, same_places, MPI_INTEGER, got,
     &                   counts, places, MPI_INTEGER, MPI_COMM_WORLD,
     &                   ierr)
      call check(holds_each(got, ranks, counts, places, rank),
     &           'alltoallv')
      got = -1
      call MPI_Alltoallw(sent, same, same_bytes, types, got, counts,
     &                   bytes, types, MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, counts, places, rank),
     &           'alltoallv')
c     In place both ways have the same sizes.
      call fill_each(got, ranks, pairs, pair_places, rank)
      call MPI_Alltoallv(MPI_IN_PLACE, same, same_places,
     &                   MPI_DATATYPE_NULL, got, pairs, pair_places,
     &                   MPI_INTEGER, MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, pairs, pair_places, rank),
     &           'alltoallv')
      call fill_each(got, ranks, pairs, pair_places, rank)
      call MPI_Alltoallw(MPI_IN_PLACE, same, same_bytes, types, got,
     &                   pairs, pair_bytes, types, MPI_COMM_WORLD, ierr)
      call check(holds_each(got, ranks, pairs, pair_places, rank),
     &           'alltoallv')

c     --- reductions: what ranks give is told by their numbers

      call fill_numbers(sent, n*ranks, rank)
      got = -1
      call MPI_Allreduce(sent, got, n, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, n, ranks, 0), 'allreduce')
      call fill_numbers(got, n, rank)
      call MPI_Allreduce(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, n, ranks, 0), 'allreduce')
      number = rank + 0.5d0
      call MPI_Allreduce(number, sum_of_numbers, 1,
     &                   MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD,
     &                   ierr)
      call check(sum_of_numbers .eq. 0.5d0*ranks*ranks, 'allreduce')

      got = -1
      call MPI_Reduce(sent, got, n, MPI_INTEGER, MPI_SUM, root,
     &                MPI_COMM_WORLD, ierr)
      call check(rank .ne. root .or. holds_sums(got, n, ranks, 0),
     &           'reduce')
      call fill_numbers(got, n, rank)
      if (rank .eq. root) then
         call MPI_Reduce(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM,
     &                   root, MPI_COMM_WORLD, ierr)
      else
         call MPI_Reduce(sent, got, n, MPI_INTEGER, MPI_SUM, root,
     &                   MPI_COMM_WORLD, ierr)
      end if
      call check(rank .ne. root .or. holds_sums(got, n, ranks, 0),
     &           'reduce')

      got = -1
      call MPI_Scan(sent, got, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD,
     &              ierr)
      call check(holds_sums(got, n, rank + 1, 0), 'scan')
      call fill_numbers(got, n, rank)
      call MPI_Scan(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM,
     &              MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, n, rank + 1, 0), 'scan')

c     What the first rank gets is undefined.
      got = -1
      call MPI_Exscan(sent, got, n, MPI_INTEGER, MPI_SUM,
     &                MPI_COMM_WORLD, ierr)
      call check(rank .eq. 0 .or. holds_sums(got, n, rank, 0),
     &           'exscan')
      call fill_numbers(got, n, rank)
      call MPI_Exscan(MPI_IN_PLACE, got, n, MPI_INTEGER, MPI_SUM,
     &                MPI_COMM_WORLD, ierr)
      call check(rank .eq. 0 .or. holds_sums(got, n, rank, 0),
     &           'exscan')

      got = -1
      call MPI_Reduce_scatter_block(sent, got, n, MPI_INTEGER, MPI_SUM,
     &                              MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, n, ranks, n*rank), 'reduce-scatter')
      call fill_numbers(got, n*ranks, rank)
      call MPI_Reduce_scatter_block(MPI_IN_PLACE, got, n, MPI_INTEGER,
     &                              MPI_SUM, MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, n, ranks, n*rank), 'reduce-scatter')

      got = -1
      call MPI_Reduce_scatter(sent, got, counts, MPI_INTEGER, MPI_SUM,
     &                        MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, mine, ranks, places(rank + 1)),
     &           'reduce-scatter')
      call fill_numbers(got, n*ranks, rank)
      call MPI_Reduce_scatter(MPI_IN_PLACE, got, counts, MPI_INTEGER,
     &                        MPI_SUM, MPI_COMM_WORLD, ierr)
      call check(holds_sums(got, mine, ranks, places(rank + 1)),
     &           'reduce-scatter')

      sent(1) = failures
      sent(2) = checks
      call MPI_Allreduce(sent, total, 2, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      if (rank .eq. 0 .and. total(1) .eq. 0)
     &   print '(a,i0,a)', 'ok ', total(2), ' checks'
      call MPI_Finalize(ierr)
      if (total(1) .ne. 0) stop 1
      end

c     What `from` has for `to`.
      subroutine fill(block, length, from, to)
      implicit none
      integer length, block(length), from, to, i
      do 10 i = 1, length
         block(i) = 10000*from + 100*to + i
 10   continue
      end

      subroutine fill_each(blocks, ranks, counts, places, from)
      implicit none
      integer blocks(*), ranks, counts(ranks), places(ranks), from, to
      do 10 to = 0, ranks - 1
         call fill(blocks(places(to + 1) + 1), counts(to + 1), from, to)
 10   continue
      end

      logical function holds(block, length, from, to)
      implicit none
      integer length, block(length), from, to, i
      holds = .true.
      do 10 i = 1, length
         holds = holds .and. block(i) .eq. 10000*from + 100*to + i
 10   continue
      end

c     Whether each rank's block is what it had for `to`.
      logical function holds_each(blocks, ranks, counts, places, to)
      implicit none
      integer blocks(*), ranks, counts(ranks), places(ranks), to, from
      logical holds
      external holds
      holds_each = .true.
      do 10 from = 0, ranks - 1
         holds_each = holds_each .and.
     &      holds(blocks(places(from + 1) + 1), counts(from + 1), from,
     &            to)
 10   continue
      end

      subroutine fill_numbers(vector, length, from)
      implicit none
      integer length, vector(length), from, i
      do 10 i = 1, length
         vector(i) = (from + 1)*(i + from)
 10   continue
      end

c     Whether `vector` is the sum of what the first `some` ranks have,
c     behind the first `before` elements.
      logical function holds_sums(vector, length, some, before)
      implicit none
      integer length, vector(length), some, before, from, i, expected
      holds_sums = .true.
      do 20 i = 1, length
         expected = 0
         do 10 from = 0, some - 1
            expected = expected + (from + 1)*(before + i + from)
 10      continue
         holds_sums = holds_sums .and. vector(i) .eq. expected
 20   continue
      end

      subroutine check(answer_holds, collective)
      use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
      implicit none
      logical answer_holds
      character*(*) collective
      integer rank, ierr, failures, checks
      common /told/ rank, ierr, failures, checks
      interface
         integer(c_int) function is_ours(collective) bind(c)
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: collective(*)
         end function
      end interface
      checks = checks + 1
      if (answer_holds .and. ierr .eq. 0) then
         if (is_ours(collective//c_null_char) .eq. 1) return
      end if
      failures = failures + 1
      print '(a,i0,3a,i0)', 'FAILED rank ', rank, ': ', collective,
     &   ', check ', checks
      end
