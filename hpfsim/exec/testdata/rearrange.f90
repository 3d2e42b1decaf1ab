program arrays
  implicit none
  integer, parameter :: n = 8
  integer :: a(n), b(n), m(4,6), q(6,4), i, j, k(2), l(3)
  real :: x(n), y(n), v(3,2), w(2,3)
  logical :: mask(n), lm(4,6)
  integer, allocatable :: h(:), h2(:,:)
!HPF$ DISTRIBUTE (BLOCK) :: a, b, x, y
!HPF$ DISTRIBUTE m(BLOCK, *)
!HPF$ DISTRIBUTE q(*, CYCLIC)
  a = (/ (i*i, i = 1, n) /)
  b = a(n:1:-1)
  a(2:n:2) = 0
  a(1:3) = b((/ 2, 4, 6 /))
  print *, a, b
  m = reshape((/ (i, i = 1, 24) /), (/ 4, 6 /))
  q = transpose(m)
  print *, q(:, 2), m(3, :), m(1:4:3, 2:5:3)
  forall (i = 1:4, j = 1:6, i /= j) m(i, j) = m(i, j) - 10
  forall (i = 1:n:2)
    a(i) = b(i) + i
    b(i) = a(i) * 2
  end forall
  print *, m
  print *, a, b
  where (mod(a, 2) == 0) a = a / 2
  where (a > 20)
    b = a
  elsewhere (a > 10)
    b = -a
  elsewhere
    b = 0
  end where
  print *, a, b
  print *, cshift(a, 1), cshift(a, -2), cshift(m, 1, 2), cshift(m, (/ 1, 2, 3, 4, 5, 6 /), 1)
  print *, eoshift(a, 2), eoshift(a, -2, 99), eoshift(m, 1, dim=2), eoshift(m, 1, boundary=-1, dim=1)
  print *, sum(m), sum(m, 1), sum(m, dim=2), sum(a, mask=a > 5), product((/ 1, 2, 3, 4 /)), product(m(1:2, 1:2), 1)
  print *, maxval(m), minval(m), maxval(m, 1), minval(m, 2), maxval(a, mask=a < 20), maxloc(a), minloc(a), maxloc(m), minloc(m, mask=m > 0)
  mask = a > 5
  lm = m > 0
  print *, count(mask), count(lm, 1), any(mask), all(mask), any(lm, 2), all(lm, 1)
  v = reshape((/ 1., 2., 3., 4., 5., 6. /), (/ 3, 2 /))
  w = reshape(v, (/ 2, 3 /), order=(/ 2, 1 /))
  print *, w
  print *, matmul(v, w), matmul(w, v), matmul(v, (/ 1., 2. /)), matmul((/ 1., 2., 3. /), v)
  print *, dot_product(a, b), dot_product(v(:, 1), v(:, 2)), dot_product(mask, mask)
  print *, spread((/ 1, 2, 3 /), 1, 2), spread((/ 1, 2, 3 /), dim=2, ncopies=2), spread(7, 1, 3)
  print *, reshape((/ 1, 2, 3 /), (/ 2, 3 /), pad=(/ 0 /))
  print *, pack(a, mask), pack(m, m > 5), unpack((/ 100, 200, 300, 400, 500, 600, 700, 800 /), mask, a)
  print *, merge(a, b, mask), shape(m), size(m), size(m, 2), lbound(m), ubound(m, 1)
  allocate (h(-2:2), h2(n, 2))
  h = 1; h2 = 3
  h2(:, 1) = a
  print *, allocated(h), lbound(h), ubound(h), sum(h2), size(h2, 1)
  deallocate (h)
  allocate (h(3))
  h = (/ 3, 1, 2 /)
  print *, allocated(h), h(h), a(h)
  a(h) = (/ 30, 10, 20 /)
  print *, a(1:3)
  x = sqrt(real(a) ** 2 + 1)
  y = x / sum(x)
  print '(8f9.4)', x, y
  l = shape(spread(m(1:2, 1:2), 2, 3))
  print *, l
  call sections(m(2:4:2, 1:6:2), a(n:1:-1))
  print *, m(2, :), m(4, :), a
  print *, norm((/ 3., 4. /)), twice(a(1:3))
contains
  subroutine sections(p, r)
    integer, intent(inout) :: p(:, :), r(:)
    p = p + 1000
    r(1) = -1
  end subroutine
  real function norm(z)
    real, intent(in) :: z(:)
    norm = sqrt(sum(z * z))
  end function
  function twice(z) result(res)
    integer, intent(in) :: z(:)
    integer :: res(size(z))
    res = 2 * z
  end function
end program
