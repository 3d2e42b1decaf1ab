! Arguments of which a procedure does not say how they lie, and what is aligned with them.
program arguments
  implicit none
  integer, parameter :: n = 13
  integer :: x(n), y(0:n-1), z(n), i
!HPF$ PROCESSORS p(NUMBER_OF_PROCESSORS())
!HPF$ DISTRIBUTE (BLOCK) ONTO p :: x
!HPF$ DISTRIBUTE (CYCLIC(2)) ONTO p :: y
!HPF$ DISTRIBUTE z(*)
  x = (/ (i*i, i = 1, n) /)
  y = (/ (100 + i, i = 1, n) /)
  z = x + y
  call swap(x, y)
  print *, x
  print *, y
  call swap(x(2:12:5), z(1:3))
  print *, x, z
  call reversed(y, n)
  print *, y, total(y(3:7))
contains
  subroutine swap(a, b)
    integer, intent(inout) :: a(:), b(:)
    integer :: t(size(a)), u(size(a))
!HPF$ ALIGN b(:) WITH a(:)
!HPF$ ALIGN t(:) WITH a(:)
!HPF$ ALIGN u(:) WITH t(:)
    t = a
    u = t + 1
    a = b
    b = u - 1
  end subroutine
  subroutine reversed(a, m)
    integer, intent(in) :: m
    integer, intent(inout) :: a(m)
!HPF$ INHERIT a
    integer :: t(m), k
!HPF$ ALIGN t(k) WITH a(k)
!HPF$ INDEPENDENT
    do k = 1, m
      t(k) = a(m + 1 - k)
    end do
!HPF$ INDEPENDENT
    do k = 1, m
      a(k) = t(k)
    end do
  end subroutine
  integer function total(a)
    integer, intent(in) :: a(:)
    integer :: t(size(a))
!HPF$ DISTRIBUTE a(*)
!HPF$ ALIGN t(:) WITH a(:)
    t = 2*a
    total = sum(t)
  end function
end program
