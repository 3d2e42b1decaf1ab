program once2
  implicit none
  real :: a(10), c(10), d(10), t
  integer :: n, i
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE d(CYCLIC)
  n = 0
  a = [(real(i), i = 1, 10)]; c = 2 * a; d = 3 * a
  a(v(3)) = -1
  call rep('vector left')
  print *, a
  c(1:3) = a(v(3))
  call rep('vector right')
  d(v(2)) = a(v(2)) + c(v(2))
  call rep('several')
  print *, c, d
  t = sum(a(v(4)))
  call rep('sum')
  t = maxval(w(5))
  call rep('maxval of a function')
  print *, t
  t = dot_product(w(3), w(3))
  call rep('dot')
  where (a > 0) a = d(f(1):10)
  call rep('where')
  print *, a
  where (a > 3) c(1:f(10)) = sum(w(3))
  call rep('where sum')
  print *, c
  where (a > 3)
    a = a(f(10):1:-1)
  elsewhere
    a = 0
  end where
  call rep('elsewhere')
  print *, a
  do i = 1, 3
    a(v(2)) = i
  end do
  call rep('loop')
  print *, a
contains
  subroutine rep(s)
    character(len=*), intent(in) :: s
    print '(a, i4)', s, n
    n = 0
  end subroutine
  integer function f(k)
    integer, intent(in) :: k
    n = n + 1
    f = k
  end function
  function v(k)
    integer, intent(in) :: k
    integer :: v(k), j
    n = n + 1
    v = [(2 * j, j = 1, k)]
  end function
  function w(k)
    integer, intent(in) :: k
    real :: w(k)
    integer :: j
    n = n + 1
    w = [(j * 1.5, j = 1, k)]
  end function
end program
