module kinds
  implicit none
  integer, parameter :: wp = 8
end module
module bank
  use kinds
  implicit none
  private
  public :: account, t, list, mk
  type account
    real(wp) :: balance = 0
    integer :: n = 3
  end type
  type t
    real, allocatable :: v(:)
  end type
  type list
    integer :: s(2)
    real :: w
  end type
  interface mk
    module procedure m1, m2
  end interface
contains
  type(account) function m1(d)
    real(wp), intent(in) :: d
    m1%balance = d
    m1%n = 1
  end function
  type(account) function m2(v)
    real(wp), intent(in) :: v(:)
    m2%balance = sum(v)
    m2%n = size(v)
  end function
end module
program p
  use bank, only: account, t, list, mk
  implicit none
  character(3) :: z = 'CCC', s(2) = 'abc'
  character(6) :: w(3) = 'abcdef'
  character(2) :: v2(3)
  type(account) :: a, b
  type(t) :: x
  type(list) :: v(4)
  real, allocatable :: plain(:)
  integer :: i
  call h(z(1:1))
  call h(s(2)(2:2))
  print *, z, s
  print *, w(:3)(1:2), any(w(1:2)(1:1) == 'a')
  v2 = w(:)(2:3)
  print *, v2
  allocate(x%v(5))
  x%v = 25
  call fill(x, 3)
  print *, size(x%v), x%v
  call grow(plain, 4)
  print *, size(plain), plain
  call drop(x)
  print *, allocated(x%v)
  a%n = 4
  call auto(a)
  a = mk(2.5d0)
  b = mk((/ 1d0, 2d0, 4d0 /))
  print *, a, b
  do i = 1, 4
    v(i)%s = (/ 10 * i, 10 * i + 1 /)
    v(i)%w = i
  end do
  call part(v(3), 2)
  print *, v
  if (a%n == 1 .and. b%n == 3) print *, 'both'
contains
  subroutine h(c)
    character(1), intent(inout) :: c
    c = 'Q'
  end subroutine
  subroutine fill(x, n)
    type(t), intent(inout) :: x
    integer, intent(in) :: n
    if (allocated(x%v)) deallocate(x%v)
    allocate(x%v(n))
    x%v = n
  end subroutine
  subroutine grow(x, n)
    real, allocatable, intent(inout) :: x(:)
    integer, intent(in) :: n
    allocate(x(n))
    x = 1.5
  end subroutine
  subroutine drop(x)
    type(t), intent(inout) :: x
    deallocate(x%v)
  end subroutine
  subroutine auto(q)
    type(account), intent(in) :: q
    character(q%n) :: c
    character(len=q%n + 1) :: d
    c = 'abcdef'
    d = 'abcdef'
    print *, c, len(c), d
  end subroutine
  subroutine part(x, n)
    integer, intent(in) :: n
    type(list), intent(inout) :: x(n)
    x(1)%s(2) = -1
    x(n)%s(1) = -2
    x(n)%w = 99
  end subroutine
end program
