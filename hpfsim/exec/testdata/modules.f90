! Modules: shared variables, renaming, re-export, host association, re-exported names.
module state
  implicit none
  private
  integer, parameter, public :: n = 40
  integer, parameter :: hidden = 3
  real, public, save :: a(n, n) = 1.0, b(n, n)
  real, allocatable, public :: w(:, :)
  integer, public :: steps = 0, small(3) = (/ 1, 2, 3 /)
  public :: step, summed, fill, twice
!HPF$ TEMPLATE t(n, n)
!HPF$ DISTRIBUTE t(BLOCK, *)
!HPF$ DISTRIBUTE (*, BLOCK) :: a
!HPF$ ALIGN (:, :) WITH a :: b
!HPF$ DISTRIBUTE w(BLOCK, *)
contains
  subroutine step(f)
    real, intent(in) :: f
    integer i, j
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = f * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1)) + hidden
      end do
    end do
    a(2:n-1, 2:n-1) = b(2:n-1, 2:n-1)
    call count
  end subroutine step
  subroutine count
    steps = steps + 1
  end subroutine
  real function summed()
    summed = sum(a)
  end function
  subroutine fill(k)
    integer k(:), i
    i = 1
    k(i) = -7
    small(i) = small(i) - 1
    call deeper
  contains
    subroutine deeper
      small(i) = small(i) - 10
      k(i + 2) = steps
    end subroutine
  end subroutine
  integer function twice(k)
    integer, intent(in) :: k
    twice = 2 * k
  end function
end module state

module kinds
  integer, parameter :: sp = kind(1.0), dp = kind(1d0)
  integer :: lower = 3
end module kinds

module more
  use kinds, only: sp
  real(sp) :: scale = 0.5
  character(3), save :: names(2) = (/ 'abc', 'def' /)
  character limit*4
  data limit / 'word' /
  integer lower
  common /shared/ lower
  private lower
contains
  function norm(x) result(r)
    real, intent(in) :: x(:, :)
    real r
    r = maxval(abs(x))
  end function
end module more

module wrap
  use more, only: scale, names, norm, limit
  use state, only: hidden_twice => twice
  public
  private hidden_twice
  integer, private :: own = 4
  integer, dimension(2, 2), parameter :: table = reshape((/ 1, 2, 3, 4 /), (/ 2, 2 /))
contains
  integer function twice(k)
    twice = hidden_twice(k) + own
    own = own + 1
  end function
end module wrap

subroutine other
  use state
  w(1, 1) = w(1, 2) * steps
  steps = 0
  do k = 1, 5000
    steps = steps + mod(k, 7)
    a(mod(k, n) + 1, 3) = steps
  end do
  print *, steps, a(4, 3), sum(a(:, 3))
end subroutine

program modules
  use state, only: n, steps, step, field => a, w, total => summed, fill, small
  use wrap
  use kinds, wide => dp
  implicit none
  integer k
  real(wide) :: x = 1.0_wide / 3
  real :: count = 2
  field = 17
  do k = 1, 30
    call step(0.25)
  end do
  print *, total(), field(3, 4), steps, count, x
  allocate (w(n, 2))
  w = 3
  call other
  print *, w(1, 1), size(w), allocated(w)
  call inner
  print *, steps, norm(field), scale, names(2), small
  call fill(small)
  print *, small, table(2, 1), twice(4), limit, lower
contains
  subroutine inner
    use state, only: s => steps
    integer i
    field(4, 4) = 5
    small(2) = 9
    do i = 1, 3000
      s = s + mod(i, 7)
      field(mod(i, n) + 1, 3) = s
    end do
    k = s
    scale = scale + k
  end subroutine
end program modules
