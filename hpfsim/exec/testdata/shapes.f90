! Arrays under every kind of mapping: the answers must not depend on it.
program shapes
  integer, parameter :: n = 24
  real(kind=8) a(n, n), b(n, n), c(n), d(0:n-1), e(n)
  integer p(n), i, j, k
  real s
!HPF$ DISTRIBUTE (BLOCK, *) :: a
!HPF$ DISTRIBUTE b(CYCLIC(3), *)
!HPF$ ALIGN c(i) WITH a(i, 1)
!HPF$ DISTRIBUTE d(CYCLIC)
!HPF$ ALIGN e(i) WITH d(n - i)
  do j = 1, n
    do i = 1, n
      a(i, j) = sin(0.1d0 * i) * j
      b(i, j) = mod(i * j, 7)
    end do
  end do
  do i = 1, n
    p(i) = mod(i * 5, n) + 1
    d(i - 1) = i * i
  end do
  c = a(:, 3) + b(3, :)
  e = d
  print '(4f12.6)', c
  print *, sum(e), e(1), e(n)
  a(2:n, :) = a(1:n-1, :)
  b(:, n:1:-1) = b(:, :)
  print '(6f10.4)', sum(a, 1)
  print '(6f10.4)', sum(b, dim=2)
  c(p) = c
  d = d(n-1:0:-1) + e
  print '(4f12.6)', c, d
  forall (i = 1:n, j = 1:n, i > j) a(i, j) = a(j, i)
  print *, maxval(a), maxloc(b(:, 1)), minloc(b, 1)
  do k = 1, 3
    do i = 2, n - 1
      c(i) = 0.5d0 * (c(i - 1) + c(i + 1))
    end do
  end do
  print '(4f12.6)', c
  s = 0
!HPF$ INDEPENDENT, REDUCTION(s)
  do i = 1, n
    s = s + real(c(i))
  end do
  print '(f10.4)', s
  call scale(a, n, 2.5d0)
  call part(a(3:9:2, 4), b(1, 5))
  print '(6f10.4)', a(:, 4), b(:, 5)
  a = matmul(a, transpose(b))
  print '(6f12.3)', a(5, :)
contains
  subroutine part(x, y)
    real(kind=8) x(:), y(*)
    x = x + size(x)
    y(2) = -1
  end subroutine part
end program shapes
subroutine scale(x, m, f)
  integer m
  real*8 x(m, m), f
!HPF$ DISTRIBUTE x(*, BLOCK)
  x = x * f
end subroutine scale
