! How programs use modules: kinds, constants, work arrays, functions with arrays and characters, interfaces.
module kinds
  implicit none
  public
  integer, parameter :: dp = selected_real_kind(12), i8 = selected_int_kind(15)
  real(dp), parameter :: pi = 3.141592653589793_dp
  real(dp), parameter, private :: weights(3) = (/ 0.25_dp, 0.5_dp, 0.25_dp /)
  character(len=*), parameter :: greeting = 'hello'
  save
  integer :: calls
  data calls / 0 /
  dimension :: table(4)
  real table
  data table / 2*1.0, 2*2.0 /
  integer, dimension(:), allocatable :: work
contains
  pure real(dp) function smooth(x, k)
    real(dp), intent(in) :: x(:)
    integer, intent(in) :: k
    smooth = sum(weights * x(k-1:k+1))
  end function
end module kinds

module tools
  use kinds, only: dp, pi, calls, table, work
  implicit none
  private
  public :: range_of, reversed, fact, operator(+), external_scale, circle, reset
  interface operator(+)
    module procedure add_text
  end interface
  interface
    subroutine external_scale(x, f)
      use kinds, only: dp
      real(dp), intent(inout) :: x(:)
      real(dp), intent(in) :: f
    end subroutine
  end interface
  interface circle
    module procedure circle_r, circle_d
  end interface
contains
  function range_of(lo, hi) result(r)
    integer, intent(in) :: lo, hi
    integer r(hi - lo + 1)
    integer i
    r = (/ (i, i = lo, hi) /)
    calls = calls + 1
  end function
  function reversed(text)
    character(len=*), intent(in) :: text
    character(len=len(text)) :: reversed
    integer i
    do i = 1, len(text)
      reversed(i:i) = text(len(text)+1-i:len(text)+1-i)
    end do
  end function
  recursive function fact(n) result(f)
    integer, intent(in) :: n
    integer f
    f = 1
    if (n > 1) f = n * fact(n - 1)
    calls = calls + 1
  end function
  function add_text(a, n) result(c)
    character(len=*), intent(in) :: a
    integer, intent(in) :: n
    character(len=len(a)) c
    c = a(n:)
  end function
  real function circle_r(r)
    real, intent(in) :: r
    circle_r = pi * r**2
  end function
  real(dp) function circle_d(r)
    real(dp), intent(in) :: r
    circle_d = pi * r**2
  end function
  subroutine reset(n)
    integer, intent(in), optional :: n
    if (allocated(work)) deallocate (work)
    if (present(n)) then
      allocate (work(0:n))
      work = range_of(0, n)
    end if
  end subroutine
end module tools

module all_of_it
  use kinds, number => dp
  use tools
end module all_of_it

program idioms
  use all_of_it
  use tools, only: factorial => fact
  implicit none
  real(number) :: x(5) = (/ 1, 4, 9, 16, 25 /)
  integer k
  print *, range_of(3, 6), reversed('abc'), fact(4), factorial(3), calls
  print *, (smooth(x, k), k = 2, 4), greeting // '!', len(greeting)
  call external_scale(x, 0.5_number)
  print *, x, 'shift' + 3
  print *, circle(1.0), circle(1.0_number), table
  call reset(4)
  print *, work, lbound(work), sum(work(1:2))
  work(0) = 100
  call reset
  print *, allocated(work), calls
  call local
contains
  subroutine local
    use kinds, only: calls_here => calls
    integer calls
    calls = 5
    calls_here = calls_here + calls
    print *, calls_here, kind(1_i8)
  end subroutine
end program idioms

subroutine external_scale(x, f)
  use kinds
  real(dp), intent(inout) :: x(:)
  real(dp), intent(in) :: f
  x = x * f
end subroutine
