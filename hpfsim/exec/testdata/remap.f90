! Arrays that are mapped anew, by themselves, with what they are aligned with, with a template; before that some are everywhere.
program remap
  integer, parameter :: n = 12
  integer :: a(n), b(n), c(n, n), d(n), i, j
  integer, allocatable :: e(:)
!HPF$ DYNAMIC a, t, d
!HPF$ TEMPLATE t(n, n)
!HPF$ ALIGN c WITH t
!HPF$ ALIGN a(i) WITH c(i, *)
!HPF$ ALIGN b(i) WITH a(n + 1 - i)
!HPF$ ALIGN e(i) WITH d(i)
!HPF$ PROCESSORS p(number_of_processors())
!HPF$ DISTRIBUTE t(BLOCK, *) ONTO p
  forall (i = 1:n) a(i) = i
  forall (i = 1:n, j = 1:n) c(i, j) = 10 * i + j
  b = a
  d = 2 * a
!HPF$ REDISTRIBUTE t(*, CYCLIC)
  a(2:n) = a(1:n-1) + c(1:n-1, 3)
  c(:, 2:n) = c(:, 1:n-1)
!HPF$ REDISTRIBUTE d(CYCLIC(2))
  d(1:n-1) = d(2:n) + b(2:n)
  allocate (e(n))
  e = d
!HPF$ INDEPENDENT
  do i = 1, n
    e(i) = e(i) + a(i)
  end do
!HPF$ REALIGN a(i) WITH d(i)
  a = a + d
  call again(d)
  call again(d)
  print *, a, b, d, e, sum(c), c(3, :)
contains
  subroutine again(x)
    integer :: x(n), y(n), i
!HPF$ DYNAMIC y
!HPF$ DISTRIBUTE (BLOCK) :: x, y
    y = x
!HPF$ REDISTRIBUTE y(CYCLIC)
    do i = 2, n
      y(i) = y(i) + y(i - 1)
    end do
    x = mod(y, 1000)
  end subroutine
end program remap
