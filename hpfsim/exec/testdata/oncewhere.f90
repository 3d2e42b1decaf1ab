program once4
  implicit none
  real :: a(10), c(10)
  integer :: n, i
!HPF$ DISTRIBUTE a(BLOCK)
  n = 0
  a = [(real(i), i = 1, 10)]; c = 2 * a
  where (a > 3)
    c = a(f(1):10)
    a = a(f(10):1:-1) + sum(c(1:f(4)))
  elsewhere
    a = c(f(10):1:-1)
    c = a(f(1):f(10))
  end where
  call rep('four')
  print *, a, c
  where (a > f(3)) a = a(f(1):10)
  call rep('mask')
  where (a(f(1):10) > 3) a = a(f(1):10) * 2
  call rep('mask of section')
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
end program
