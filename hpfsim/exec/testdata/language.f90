program c
  implicit none
  integer, parameter :: n = 20
  integer :: i, j, k, a(n), m(3,4)
  real :: x(n), y(n), s
  double precision :: d(n), pi
  complex :: z
  character(len=8) :: name
  logical :: flag
  real, allocatable :: w(:,:)
!HPF$ DISTRIBUTE (BLOCK) :: x, y, d, a
  do i = 1, n
    a(i) = mod(i * 7, 11)
    x(i) = 1.0 / i
  end do
  y = x * 2.0 + sqrt(x)
  d = y
  pi = 4 * atan(1.0d0)
  print *, 'sum', sum(x), maxval(y), maxloc(a), minval(a), count(a > 5)
  print *, pi, 1.0/3.0, 1.0d0/3.0d0, 1e10, 1e-5, 123456.789d0, 0.0, -1.5
  write (*, '(a, i5, f8.3, es12.4, e12.4, l3)') 'row', a(3), x(3), y(3), d(3), .true.
  write (*, '(10i4)') a
  m = reshape((/ (i, i = 1, 12) /), (/ 3, 4 /))
  print *, m, transpose(m)
  print *, matmul(transpose(m), m(:, 1:2))
  print *, cshift(a(1:5), 2), eoshift(a(1:5), -1), spread(a(1:2), 1, 2)
  z = (1.0, 2.0)
  z = z * z + 1
  print *, z, abs(z), real(z)
  name = 'whorl'
  print *, name // '!', len(name), len_trim(name), index(name, 'r')
  where (a > 5)
    a = -a
  elsewhere
    a = a * 10
  end where
  print *, a
  forall (i = 2:n-1) x(i) = x(i-1) + x(i+1)
  print '(5f10.5)', x
  allocate (w(3, 0:2))
  w = 1.5
  w(:, 1) = (/ 1.0, 2.0, 3.0 /)
  print *, w, size(w), shape(w), lbound(w), ubound(w, 2)
  deallocate (w)
  k = 0
  outer: do i = 1, 10
    do j = 1, 10
      if (j == i) cycle outer
      if (i * j > 30) exit outer
      k = k + i * j
    end do
  end do outer
  print *, i, j, k, fact(10), fib(15)
  call swap(a(1:3), a(4:6))
  print *, a(1:6)
  flag = all(a < 1000) .and. .not. any(a == 0)
  print *, flag, huge(1), tiny(1.0), epsilon(1d0), nint(2.5), int(-2.7), floor(-2.7), modulo(-7, 3), mod(-7, 3)
  s = dot_product(x, y)
  write (*, 100) s, (a(i), i = 1, 4)
100 format (1x, 'dot = ', f10.4, 4(1x, i4.3))
  i = 5
  goto (10, 20, 30), i - 3
10 print *, 'ten'
20 print *, 'twenty'
30 continue
  select case (i)
  case (:0)
    print *, 'neg'
  case (1:4, 6)
    print *, 'other'
  case default
    print *, 'default'
  end select
  stop
contains
  recursive function fact(q) result(r)
    integer, intent(in) :: q
    integer :: r
    r = 1
    if (q > 1) r = q * fact(q - 1)
  end function fact
  subroutine swap(u, v)
    integer, intent(inout) :: u(:), v(:)
    integer :: t(size(u))
    t = u
    u = v
    v = t
  end subroutine swap
  integer function fib(q)
    integer, intent(in) :: q
    integer :: p1, p2, t, l
    p1 = 0
    p2 = 1
    do l = 1, q
      t = p1 + p2
      p1 = p2
      p2 = t
    end do
    fib = p1
  end function fib
end program c
