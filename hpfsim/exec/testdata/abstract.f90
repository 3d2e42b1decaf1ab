module rk
  implicit none
  integer, parameter :: wp = selected_real_kind(15, 307)
  abstract interface
    function rhs(t, y) result(d)
      import wp
      real(wp), intent(in) :: t, y(:)
      real(wp) :: d(size(y))
    end function
  end interface
contains
  subroutine step(f, t, y, h)
    procedure(rhs) :: f
    real(wp), intent(inout) :: t, y(:)
    real(wp), intent(in) :: h
    real(wp), dimension(size(y)) :: k1, k2, k3, k4
    k1 = f(t, y)
    k2 = f(t + h/2, y + h/2*k1)
    k3 = f(t + h/2, y + h/2*k2)
    k4 = f(t + h, y + h*k3)
    y = y + h/6*(k1 + 2*k2 + 2*k3 + k4)
    t = t + h
  end subroutine
end module
program ode
  use rk
  implicit none
  real(wp) :: y(2), t
  integer :: i
  y = [1.0_wp, 0.0_wp]
  t = 0
  do i = 1, 100
    call step(osc, t, y, 0.01_wp)
  end do
  print '(3f12.8)', t, y
contains
  function osc(t, y) result(d)
    real(wp), intent(in) :: t, y(:)
    real(wp) :: d(size(y))
    d = [y(2), -y(1)]
  end function
end program
