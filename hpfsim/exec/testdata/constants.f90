program misc
  implicit none
  integer, parameter :: n = 6, w(3) = (/ 4, 5, 6 /), id(2,2) = reshape((/ 1, 0, 0, 1 /), (/ 2, 2 /))
  integer :: k0, i0
  integer, parameter :: squares(4) = (/ (k0*k0, k0 = 1, 4) /)
  real :: halves(5) = (/ (0.5*k0, k0 = 5, 1, -2), -1.0, (real(k0), k0 = 1, 0), 9.0 /)
  integer :: pairs(2, 3) = reshape((/ ((10*i0 + k0, k0 = 1, 2), i0 = 1, 3) /), (/ 2, 3 /))
  character(len=*), parameter :: greet = 'hello', days(2) = (/ 'mon', 'tue' /)
  character(5), parameter :: wide(2) = (/ 'ab', 'cd' /), same(3) = 'xy'
  integer :: a(n), i, j, k
  real :: x(n, n), y(n), z
  logical :: odd(n)
  integer :: idx(3)
!HPF$ DISTRIBUTE x(BLOCK, BLOCK)
!HPF$ DISTRIBUTE a(CYCLIC(2))
!HPF$ ALIGN y(i) WITH x(i, *)
  do i = 1, 3
    print *, wide(mod(i, 2) + 1), wide(2), same(i), '|'
    print *, w(i), greet(i:i+1), days(mod(i, 2) + 1)
  end do
  print *, squares, halves, pairs
  print *, sum(w), w(2:3), id(1, :), matmul(id, id)
  a = 0
  a(w) = w * 2
  a(1:3) = (/ (j, j = 3, 1, -1) /)
  print *, a, a(w(3):w(1):-1)
  forall (i = 1:n, j = 1:n) x(i, j) = real(i) / j
  y = sum(x, 2)
  forall (i = 1:n) y(i) = y(i) / maxval(x(i, :))
  print '(6f10.4)', y
  odd = mod(a, 2) == 1
  where (odd)
    a = a + 100
  elsewhere
    a = -a
  end where
  print *, a, count(odd)
  idx = maxval(maxloc(a)) + (/ 0, 1, 2 /)
  print *, idx
  z = 0
  do i = 1, n
    if (odd(i)) cycle
    z = z + dot_product(x(i, :), x(:, i))
  end do
  print *, z
  do j = 1, n
    do i = 1, n
      if (i == j) x(i, j) = 0
    end do
  end do
  print *, sum(x), minloc(x), any(x < 0)
  x(2:5, 2:5) = (x(1:4, 2:5) + x(3:6, 2:5) + x(2:5, 1:4) + x(2:5, 3:6)) / 4
  print '(6f9.5)', x
  x = transpose(x) + spread(y, 2, n)
  print '(6f9.5)', x
  k = 0
  do while (any(a > 0) .and. k < 10)
    a = a - 30
    k = k + 1
  end do
  print *, a, k
  call move(x(:, 2), x(3, :))
  print '(6f9.5)', x
  print *, trim(greet) // '!', repeat('ab', 3), len(greet)
contains
  subroutine move(p, q)
    real, intent(inout) :: p(:), q(:)
!HPF$ DISTRIBUTE p(CYCLIC)
    p = p + 1
    q = q * 2
  end subroutine
end program
