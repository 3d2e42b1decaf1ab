module consts
  use, intrinsic :: iso_fortran_env, only: real64, int32, output_unit, wp => real64
  use, intrinsic :: iso_c_binding
  implicit none (type, external)
  integer, protected :: counter = 0
  enum, bind(c)
    enumerator :: red = 1, green, blue = 7
    enumerator black
  end enum
contains
  impure elemental subroutine bump(x)
    real(wp), intent(inout) :: x
    counter = counter + 1
    x = x + counter
  end subroutine
  subroutine byval(n)
    integer, value :: n
    n = n + 100
    print *, n
  end subroutine
end module
program f1
  use consts
  implicit none
  real(wp) :: a(3) = [1.0_wp, 2.0_wp, 3.0_wp]
  integer :: n = 5
  integer(c_int) :: k = huge(1_c_int)
  character(len=5), allocatable :: names(:)
  interface
    subroutine ext(x)
      import :: wp
      real(wp), intent(in) :: x
    end subroutine
  end interface
  call bump(a)
  print *, a, counter
  call byval(n)
  print *, n, k
  print *, red, green, blue, black
  print *, [real(wp) :: 1, 2, 3]
  print *, [character(len=4) :: 'a', 'bcdef', 'xy'], '|'
  print *, size([integer :: ])
  print *, [integer :: (n*2, n=1,3), 7]
  write (output_unit, '(*(i0, :, ", "))') [1, 2, 3]
  write (*, '(g0, 1x, g0)') 1.5, 'x'
  print *, selected_real_kind(6), selected_real_kind(15, 307), &
   selected_real_kind(15,300), selected_int_kind(9), selected_int_kind(18)
  call ext(1.0_wp)
end program
subroutine ext(x)
  use iso_fortran_env, only: real64
  real(real64), intent(in) :: x
  print *, x
end subroutine
