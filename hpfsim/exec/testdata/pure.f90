program pures
  implicit none
  integer, parameter :: n = 20
  real :: a(n), b(n), c(n, n), t, u
  integer :: k(n), i, j
!HPF$ DISTRIBUTE (BLOCK) :: a, b
!HPF$ DISTRIBUTE (CYCLIC) :: k
!HPF$ DISTRIBUTE (BLOCK, CYCLIC) :: c
  do i = 1, n
    k(i) = mod(7 * i, n) + 1
    b(i) = weigh(real(i), k(i))
    a(i) = weigh(b(max(i - 1, 1)), i) + weigh(b(i), 3)
  end do
  print *, a, b
  do j = 1, n
    do i = 1, n
      c(i, j) = weigh(a(i) * j, i)
    end do
  end do
  print *, c(:, 3), c(7, :)
  do i = 1, n
    call turn(c(i, :), b(i), a(i), t)
  end do
  print *, a, t, c(2, :)
  do j = 1, n
    call turn(c(:, j), b(j), a(j), u)
    if (u > 1e4) cycle
    b(j) = fold(j)
  end do
  print *, a, b, u, sum(c)
  forall (i = 1:n, mod(i, 3) > 0) a(i) = weigh(a(i), fold(i)) + a(n + 1 - i)
  print *, a, i, j
contains
  pure real function weigh(x, k)
    real, intent(in) :: x
    integer, intent(in) :: k
    real, parameter :: w(0:2) = (/ 0.5, 0.25, 2.0 /)
    weigh = x * w(mod(k, 3)) + fold(k)
  end function
  recursive pure integer function fold(k) result(r)
    integer, intent(in) :: k
    r = k
    if (k > 9) r = fold(k / 10) + mod(k, 10)
  end function
  pure subroutine turn(x, y, z, last)
    real, intent(inout) :: x(:)
    real, intent(in) :: y
    real, intent(out) :: z, last
    real :: w(size(x))
    w = x + y
    z = maxval(w)
    last = w(size(w)) / z
    x = w(size(x):1:-1)
  end subroutine
end program
