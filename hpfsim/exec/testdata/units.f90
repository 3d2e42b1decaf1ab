program units
  implicit none
  integer, parameter :: n = 12
  real :: a(n), b(n, n), total
  integer :: i, k, calls
  real, external :: area
  double precision :: dsum
  external dsum
  common /counts/ calls, total
  interface
    subroutine scale(x, f)
      real, intent(inout) :: x(:)
      real, intent(in), optional :: f
!HPF$ DISTRIBUTE x(CYCLIC)
    end subroutine scale
    pure real function half(x)
      real, intent(in) :: x
    end function half
    function ramp(m) result(r)
      integer, intent(in) :: m
      real :: r(m)
    end function ramp
    subroutine fill(x, n)
      integer :: n
      real :: x(n, *)
    end subroutine
  end interface
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE b(BLOCK, *)
  real :: sq, x
  sq(x) = x * x + 1
  calls = 0
  total = 0
  a = ramp(n)
  call scale(a)
  call scale(a, 3.0)
  call scale(f=0.5, x=a(2:n:2))
  print *, a
  call fill(b, n)
  print *, sum(b), b(3, 4), b(12, 12)
  call column(b(1, 3), n)
  call column(b(5, 4), 4)
  print *, b(:, 3:4)
  forall (i = 1:n) a(i) = half(a(i)) + sq(real(i))
  print *, a, sq(2.0)
  print *, area(2.0, 3.0), dsum(a, n), calls, total
  print *, apply(half, 3.0), apply(area1, 2.0)
  call counter(k); call counter(k); call counter(k)
  print *, k, gcd(84, 36), ackermann(2, 3)
  call inner(k)
  print *, k
contains
  subroutine inner(k)
    integer, intent(out) :: k
    integer :: a ! hides the array
    a = 5
    k = a + n
  end subroutine inner
  recursive integer function gcd(p, q) result(g)
    integer, intent(in) :: p, q
    if (q == 0) then
      g = p
    else
      g = gcd(q, mod(p, q))
    end if
  end function gcd
  recursive function ackermann(m, n) result(r)
    integer, intent(in) :: m, n
    integer :: r
    if (m == 0) then
      r = n + 1
    else if (n == 0) then
      r = ackermann(m - 1, 1)
    else
      r = ackermann(m - 1, ackermann(m, n - 1))
    end if
  end function ackermann
  real function apply(f, x)
    real, external :: f
    real, intent(in) :: x
    apply = f(x) + 1
  end function apply
  real function area1(r)
    real, intent(in) :: r
    area1 = 3 * r * r
  end function area1
end program units

subroutine scale(x, f)
  implicit none
  real, intent(inout) :: x(:)
  real, intent(in), optional :: f
!HPF$ DISTRIBUTE x(CYCLIC)
  integer :: calls
  real :: total
  common /counts/ calls, total
  calls = calls + 1
  if (present(f)) then
    x = x * f
  else
    x = x * 2
  end if
  total = total + sum(x)
end subroutine scale

pure real function half(x)
  real, intent(in) :: x
  half = x / 2
end function half

function ramp(m) result(r)
  implicit none
  integer, intent(in) :: m
  real :: r(m)
  integer :: i
  r = (/ (real(i), i = 1, m) /)
end function ramp

subroutine fill(x, n)
  implicit none
  integer :: n, i, j
  real :: x(n, *)
!HPF$ INHERIT x
  do j = 1, n
    do i = 1, n
      x(i, j) = i + 100 * j
    end do
  end do
end subroutine fill

subroutine column(x, n)
  integer n
  real x(n)
  do i = 1, n
    x(i) = -i
  end do
end

real function area(w, h)
  area = w * h
end

double precision function dsum(x, n)
  real x(n)
  dsum = 0
  do 10 i = 1, n
10 dsum = dsum + x(i)
end

subroutine counter(k)
  integer, save :: count = 0
  integer :: last
  save last
  data last /10/
  count = count + 1
  last = last + count
  k = 100 * count + last
end subroutine
