program reductions
  implicit none
  integer, parameter :: n = 6, m = 5
  real :: a(n, m), v(n), w(m)
  double precision :: d(n, m, 2)
  integer :: k(n, m), i, j, none(0), many(70000)
  integer(8) :: wide(4) = (/ 1_8, 5_8, -7_8, 2_8 /)
  logical :: p(n, m)
  complex :: z(3) = (/ (1.0, 2.0), (0.0, -1.0), (3.0, 0.5) /), y(3) = (/ (2.0, 0.0), (1.0, 1.0), (0.0, 4.0) /)
  real :: nothing(3, 0)
!HPF$ DISTRIBUTE (BLOCK, CYCLIC) :: a, k, p
!HPF$ DISTRIBUTE (CYCLIC) :: many
  forall (i = 1:n, j = 1:m)
    a(i, j) = mod(7 * i + 3 * j, 11) - 4.5
    k(i, j) = mod(5 * i + 7 * j, 13) - 6
  end forall
  p = k > 0
  w = 0
  do j = 1, 2
    d(:, :, j) = a * j
  end do
  print *, sum(a), product(a(:, 1)), maxval(a), minval(a), maxloc(a), minloc(a)
  print *, sum(k), product(k(1, :)), maxval(k), minval(k), maxloc(k), minloc(k, mask = p)
  print *, sum(a, 1), sum(a, 2), maxval(k, 1), minval(k, 2), product(a, 2)
  print *, sum(d, 3), sum(d, 2, mask = d > 0), sum(d, mask = d < -3), maxval(d, dim = 1, mask = d < 0)
  print *, count(p), count(p, 1), count(p, 2), any(p, 1), all(p, 2), any(p), all(p(1:1, 1:1))
  print *, maxloc(a, 1), minloc(k, 2), maxloc(k, dim = 1, mask = .not. p), sum(a, mask = .true.), sum(a, mask = .false.)
  print *, sum(a(n:1:-2, 2:m:3)), maxloc(a(n:1:-1, :)), sum(k(:, 2:4), 1), minval(a(2:3, m:1:-1), 2)
  print *, sum(none), product(none), maxval(none) == -huge(1) - 1, minval(none) == huge(1), count(none > 0), any(none > 0), all(none > 0)
  print *, sum(nothing, 2), maxval(nothing, 2) == -huge(1.0), sum(nothing, 1), size(sum(nothing, 1))
  print *, dot_product(z, y), dot_product(a(:, 1), a(:, 2)), dot_product(k(1, :), a(1, :)), dot_product(p(:, 1), p(:, 2)), sum(z), product(z)
  print *, sum(wide), maxval(wide), minloc(wide), product(wide)
  v = matmul(a, w + reshape((/ 1.0, 2.0, 3.0, 4.0, 5.0 /), (/ m /)) - w)
  w = matmul(v, a)
  print *, v, w, matmul(k(1:2, :), transpose(k(3:4, :))), matmul(p(1:2, 1:2), p(1:2, 3:4))
  many = (/ (mod(i * 37, 1009), i = 1, size(many)) /)
  print *, sum(many), maxval(many), maxloc(many), minloc(many), count(many == 5), sum(many, mask = mod(many, 2) == 0), any(many == 1008), all(many > 0)
  print *, cshift(v, -2), eoshift(w, 3, -1.0), eoshift(a, (/ 1, 0, -1, 2, -6 /), dim = 1), cshift(k, 2, 2), eoshift(p, 1)
  a = cshift(a, 1, 2) + spread(v, 2, m) * transpose(cshift(transpose(a), 1))
  print *, a
  a = a(n:1:-1, :) - spread(a(:, 1), 2, m)
  print *, a
end program
