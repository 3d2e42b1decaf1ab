module pm
  implicit none
  type point
    real :: x = 0, y = 0
  end type
  real, target, save :: store(10)
  integer, pointer :: shared => null()
contains
  subroutine total(p, t)
    real, pointer :: p(:)
    real, intent(out) :: t
    t = sum(p)
    p => store(1:3)
  end subroutine
  subroutine plain(a)
    real, intent(inout) :: a(:)
    a = a + 100
  end subroutine
  subroutine scalar_target(k)
    integer, target :: k
    shared => k
    shared = shared + 1
  end subroutine
  subroutine swap(a, b)
    real, pointer :: a(:), b(:)
    real, pointer :: t(:)
    t => a
    a => b
    b => t
  end subroutine
end module
program p1
  use pm
  implicit none
  integer, target :: i, j
  integer, pointer :: p, q
  real, target :: a(10), m(3,4)
  real, allocatable, target :: al(:)
  real, pointer :: v(:), w(:), d(:,:), o(:), n(:)
  character(len=6), target :: s
  character(len=6), pointer :: ps
  type(point), target :: pt, pts(3)
  type(point), pointer :: pp, pa(:)
  real :: t
  integer :: k
  i = 1; j = 2
  p => i
  q => j
  print *, p, q, associated(p), associated(p, i), associated(p, q)
  p = q + 5
  print *, i, j
  p => q
  p = 9
  print *, j, associated(p, q)
  nullify(p)
  print *, associated(p)
  allocate(p)
  p = 77
  q => p
  q = q + 1
  print *, p
  deallocate(p)
  a = [(real(k), k = 1, 10)]
  v => a(1:10:2)
  print *, v, size(v), lbound(v), ubound(v)
  v = v * 10
  print *, a
  w => v(2:4)
  w(1) = -1
  print *, a(3), associated(w, a(3:7:2)), associated(w, v)
  w => a
  do k = 2, 10
    w(k) = a(k-1) + 1
  end do
  print *, a
  a(2:10) = w(1:9)
  print *, a
  v => a(10:1:-3)
  print *, v
  m = reshape([(real(k), k = 1, 12)], [3,4])
  d => m(2:3, 1:4:3)
  print *, d, shape(d)
  v => m(2, :)
  call plain(v)
  print *, m
  allocate(al(5))
  al = 3
  v => al
  v(2) = 8
  print *, al
  call total(v, t)
  store = [(real(k), k = 1, 10)]
  print *, t, v
  call scalar_target(i)
  print *, i
  s = 'abcdef'
  ps => s
  ps(2:3) = 'XY'
  print *, s, ps, len(ps)
  pp => pt
  pp%x = 4
  pp%y = pp%x * 2
  print *, pt
  pa => pts(1:3:2)
  pa(2)%x = 5
  pp => pts(3)
  print *, pts%x, pp%x, associated(pp, pts(3)), associated(pp)
  allocate(o(4), n(4))
  o = 1
  n = 2
  do k = 1, 3
    n = o * 2 + n
    call swap(o, n)
  end do
  print *, o, n
  deallocate(o, n)
end program
