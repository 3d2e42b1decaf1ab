! What procedures and statement functions are given, and what they see.
program values
  implicit none
  integer :: i, k
  real :: a(12), b(12), f, g, x, y
  double precision :: h, d
  complex :: z(3), w
  logical :: even
  character(3) :: first, s
  real, allocatable :: v(:)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN b(i) WITH a(i)
  f(k) = a(k - 1) + 1
  g(x) = x * 2 + y
  h(x, k) = g(x) ** k
  even(k) = mod(k, 2) == 0
  first(s) = s(1:1) // '--'
  y = 1
  a = 1
  do i = 2, 12
    a(i) = f(i)
  end do
  print *, a
  do i = 1, 11
    b(i) = g(a(i + 1))
    if (even(i)) b(i) = h(b(i), 2)
  end do
  print *, b(:11), h(1.5, 3), first('abc')
  print *, g(g(g(g(g(g(g(g(twice(1.0)))))))))
  i = 5
  call change((i))
  print *, i
  call change(i)
  print *, i
  call changes((a))
  print *, sum(a)
  call changes(a)
  print *, sum(a)
  s = 'xyz'
  call text(s)
  print *, s
  call inside
  z = (/ (1., 2.), (3., -4.), (0., 1.) /)
  w = dot_product(z, z)
  print *, w, dot_product(z, (/ 1., 2., 3. /)), dot_product((/ 1., 2., 3. /), z)
  allocate (v(3), stat=k)
  print *, k
  allocate (v(3), stat=k)
  print *, k /= 0
  deallocate (v)
  deallocate (v, stat=k)
  print *, k /= 0
contains
  subroutine change(k)
    integer :: k
    k = k + 1
  end subroutine
  subroutine changes(c)
    real :: c(:)
    c = -c
  end subroutine
  subroutine text(t)
    character(*) :: t
    t = 'new'
  end subroutine
  subroutine inside
    real :: p, q, r
    p = 1; q = 2; r = 3
    print *, g(5.0), even(3), first('uvw'), p, q, r
  end subroutine
  real function twice(x)
    real :: x
    y = y + 1
    twice = 2 * x
  end function
end program values
