module shapes
  implicit none
  integer, parameter :: dp = kind(1d0), nd = 2
  type point
    real(dp) :: x = 0, y = 0
  end type point
  type particle
    integer :: id
    type(point) :: at
    real(dp) :: v(nd)
    character(len=8) :: name
  end type particle
  type(point), save :: origin = point(1d0, 2d0)
contains
  subroutine move(p, dt)
    type(particle), intent(inout) :: p
    real(dp), intent(in) :: dt
    p%at%x = p%at%x + dt * p%v(1)
    p%at%y = p%at%y + dt * p%v(2)
  end subroutine
  real(dp) function energy(ps)
    type(particle), intent(in) :: ps(:)
    integer :: i
    energy = 0
    do i = 1, size(ps)
      energy = energy + 0.5d0 * sum(ps(i)%v**2)
    end do
  end function
end module
program main
  use shapes
  implicit none
  type(particle) :: ps(4), q
  type(point) :: a, b
  type(point), allocatable :: path(:)
  integer :: i
  do i = 1, 4
    ps(i)%id = i
    ps(i)%at = point(i * 1d0, y = i * 2d0)
    ps(i)%v = (/ 0.5d0, -0.25d0 /)
    ps(i)%name = 'p' // char(48 + i)
  end do
  q = ps(3)
  q%at = point(q%at%y, q%at%x)
  call move(q, 2d0)
  call move(ps(1), 1d0)
  print *, q
  print *, ps(2:3)%at%x, ps%id
  print *, ps(1:2)
  print *, energy(ps), origin%x, origin%y
  a = b
  print *, a
  allocate(path(3))
  path(2) = point(7d0, 8d0)
  path(1) = path(2)
  path(3) = origin
  print *, path, size(path), allocated(path)
  ps(2:3) = ps(1:2)
  print *, ps%at%x, ps(2)%name(1:2), q%name
  deallocate(path)
  if (q%id == 3 .and. ps(4)%v(1) > 0) print *, 'ok'
end program
