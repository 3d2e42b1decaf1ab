program main
  implicit none
  type point
    real :: x, y
  end type
  type(point) :: ps(3) = (/ point(1, 2), point(3, 4), point(5, 6) /)
  type(point) :: qs(4), t
  type(point), parameter :: corner = point(-1, -2)
  integer :: i
!HPF$ DISTRIBUTE qs(BLOCK)
  print *, ps
  qs = (/ (point(i, i * i), i = 1, 2), corner, point(7, 8) /)
  print *, qs, corner%y
  ps(1) = point(ps(1)%y, ps(1)%x)
  print *, ps(1)
!HPF$ INDEPENDENT, NEW(t)
  do i = 1, 4
    t = point(qs(i)%y, qs(i)%x)
    qs(i) = t
  end do
  print *, qs
  qs(2:3) = ps(1:2)
  print *, qs%x
  qs = point(0, 1)
  print *, qs
end program
