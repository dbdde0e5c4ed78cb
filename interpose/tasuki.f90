! Sums of arrays that ranks share, whatever the number of ranks, and how reproducible the reductions of
! a communicator are: see tasuki_exact_sum and tasuki_reproducible_on in tasuki.h.
! Compile it with the program. Where there is no Tasuki, `error` is -1 and nothing is done.
module tasuki
   use, intrinsic :: iso_c_binding
   implicit none
   private
   public :: exact_sum, exact_dot, set_reproducible

   interface
      function look_up(handle, name) bind(c, name='dlsym')
         import :: c_ptr, c_funptr, c_char
         type(c_ptr), value :: handle
         character(kind=c_char), intent(in) :: name(*)
         type(c_funptr) :: look_up
      end function look_up
   end interface

   abstract interface
      function sum_function(values, number, communicator, total) bind(c)
         import :: c_double, c_size_t, c_int
         real(c_double), intent(in) :: values(*)
         integer(c_size_t), value :: number
         integer(c_int), value :: communicator
         real(c_double), intent(out) :: total
         integer(c_int) :: sum_function
      end function sum_function

      function dot_function(left, right, number, communicator, total) bind(c)
         import :: c_double, c_size_t, c_int
         real(c_double), intent(in) :: left(*), right(*)
         integer(c_size_t), value :: number
         integer(c_int), value :: communicator
         real(c_double), intent(out) :: total
         integer(c_int) :: dot_function
      end function dot_function

      function mode_function(mode, communicator) bind(c)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: mode(*)
         integer(c_int), value :: communicator
         integer(c_int) :: mode_function
      end function mode_function
   end interface

contains

   ! The exact sum of the `values` of all ranks of `communicator`, rounded once. mpi_f08: pass
   ! communicator%MPI_VAL. `error` is 0, or -1 and `total` is not set.
   subroutine exact_sum(values, communicator, total, error)
      real(c_double), intent(in) :: values(:)
      integer(c_int), intent(in) :: communicator
      real(c_double), intent(out) :: total
      integer, intent(out) :: error
      procedure(sum_function), pointer :: function
      type(c_funptr) :: found

      error = -1
      found = look_up(c_null_ptr, c_char_'tasuki_exact_sum'//c_null_char)
      if (.not. c_associated(found)) return
      call c_f_procpointer(found, function)
      error = function(values, size(values, kind=c_size_t), communicator, total)
   end subroutine exact_sum

   ! The exact sum of left(i)*right(i) over all ranks, rounded once; both have as many values.
   subroutine exact_dot(left, right, communicator, total, error)
      real(c_double), intent(in) :: left(:), right(:)
      integer(c_int), intent(in) :: communicator
      real(c_double), intent(out) :: total
      integer, intent(out) :: error
      procedure(dot_function), pointer :: function
      type(c_funptr) :: found

      error = -1
      found = look_up(c_null_ptr, c_char_'tasuki_exact_dot'//c_null_char)
      if (.not. c_associated(found)) return
      call c_f_procpointer(found, function)
      error = function(left, right, size(left, kind=c_size_t), communicator, total)
   end subroutine exact_dot

   ! Reductions on `communicator` are 'off', 'placement' or 'exact' from the next one on. `error` is 0, or
   ! -1 and nothing has changed.
   subroutine set_reproducible(mode, communicator, error)
      character(len=*), intent(in) :: mode
      integer(c_int), intent(in) :: communicator
      integer, intent(out) :: error
      procedure(mode_function), pointer :: function
      type(c_funptr) :: found

      error = -1
      found = look_up(c_null_ptr, c_char_'tasuki_reproducible_on'//c_null_char)
      if (.not. c_associated(found)) return
      call c_f_procpointer(found, function)
      error = function(trim(mode)//c_null_char, communicator)
   end subroutine set_reproducible

end module tasuki
