program test
  implicit none
  integer, parameter :: n = 64
  real, dimension(n) :: a, b = 0.0, c
  real, allocatable :: d(:,:)
  !HPF$ PROCESSORS p(4)
  !HPF$ DISTRIBUTE (BLOCK) ONTO p :: a, b
  !hpf$ align with a :: c
  !hpf$ distribute (block, &
  !hpf$ cyclic(2)), dynamic :: d
  integer i, j
  forall (i = 1:n, mod(i,2) == 0) a(i) = i * 2.0_8
  outer: do i = 1, n
    if (i == 3) cycle outer
    select case (i)
    case (:1); a(i) = 1
    case (2, 5:7)
      a(i) = 2.e-3
    case default
      exit
    end select
  end do outer
  where (a > 0.0)
    b = a
  elsewhere
    b = -a
  end where
  allocate (d(n, n))
  print *, 'hello &
       &world', (a(i), i = 1, 3), a(1:5:2), [1], "x"
  call sub(a, n, key=3)
contains
  subroutine sub(x, m, key)
    integer, intent(in) :: m, key
    real, intent(inout) :: x(m)
    x(1) = x(1) + key
  end subroutine sub
end program test
