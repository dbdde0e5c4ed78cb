! The sum whose bits depend on its order: every rank gives 2^-60, but one gives 1 and the next -1.
! Added in one order the small numbers are lost beside 1, in another they are not.
program conditional
   use mpi
   use, intrinsic :: iso_fortran_env, only: int64, real64
   implicit none
   integer, parameter :: lengths(3) = [1, 1000, 100000]
   real(real64), parameter :: small = 2.0_real64**(-60)
   real(real64) :: number
   integer :: rank, ranks, error, i

   call MPI_Init(error)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   if (ranks < 4) then
      if (rank == 0) write (*, '(a)') 'conditional needs 4 ranks or more; the paper has 64'
      call MPI_Abort(MPI_COMM_WORLD, 2, error)
   end if

   number = small
   if (rank == ranks/4 - 1) number = 1.0_real64
   if (rank == ranks/4) number = -1.0_real64
   if (rank == 0) write (*, '(a,i0,a,es23.16)') 'exact sum of ', ranks, ' ranks', (ranks - 2)*small
   do i = 1, size(lengths)
      call sum_vectors(lengths(i))
   end do
   call MPI_Finalize(error)

contains

   ! All elements of a vector are the same sum. The bits of the first, of the middle one and of the
   ! last are told, and whether all ranks have them.
   subroutine sum_vectors(length)
      integer, intent(in) :: length
      real(real64), allocatable, dimension(:) :: vector, all_reduced, reduced, smallest, largest

      allocate (vector(length), all_reduced(length), reduced(length))
      allocate (smallest(length), largest(length))
      vector = number
      call MPI_Allreduce(vector, all_reduced, length, MPI_DOUBLE_PRECISION, MPI_SUM, &
                         MPI_COMM_WORLD, error)
      call MPI_Reduce(vector, reduced, length, MPI_DOUBLE_PRECISION, MPI_SUM, 0, &
                      MPI_COMM_WORLD, error)
      call MPI_Allreduce(all_reduced, smallest, length, MPI_DOUBLE_PRECISION, MPI_MIN, &
                         MPI_COMM_WORLD, error)
      call MPI_Allreduce(all_reduced, largest, length, MPI_DOUBLE_PRECISION, MPI_MAX, &
                         MPI_COMM_WORLD, error)
      if (rank /= 0) return
      call tell('allreduce', length, all_reduced)
      if (any(smallest /= largest)) write (*, '(a)') 'ranks have different bits'
      call tell('reduce', length, reduced)
   end subroutine sum_vectors

   subroutine tell(call_name, length, sums)
      character(*), intent(in) :: call_name
      integer, intent(in) :: length
      real(real64), intent(in) :: sums(length)
      integer :: at(3), j

      at = [1, (length + 1)/2, length]
      write (*, '(a,1x,i0,3(1x,es23.16,1x,z16.16))') call_name, length, &
         (sums(at(j)), transfer(sums(at(j)), 0_int64), j=1, 3)
   end subroutine tell

end program conditional
