module sm
  implicit none
  type particle
    real :: x(2) = 0, v(2) = 1
    integer :: id = 0
  end type
  type cell
    type(particle) :: p
    integer :: n = 0
  end type
contains
  subroutine work(n, total)
    integer, intent(in) :: n
    real, intent(out) :: total
    integer :: i
    total = 0
    do i = 1, n
      block
        real :: tmp(i)
        real, allocatable :: g(:)
        integer :: k
        if (allocated(g)) print *, 'wrong'
        allocate(g(i))
        tmp = [(real(k), k = 1, i)]
        g = tmp * 2
        total = total + sum(g) + size(tmp)
      end block
    end do
  end subroutine
end module
program s1
  use sm
  implicit none
  real :: a(5,5), s, t, x
  integer :: i, j, k, n, idx
  type(particle) :: ps(4)
  type(cell) :: cs(3)
  real, dimension(10) :: u, w
  i = 100; j = 200
  a = 0
  do concurrent (i = 1:5, j = 1:5, i /= j)
    a(i, j) = 10 * i + j
  end do
  print *, i, j
  print *, a
  do concurrent (k = 1:10)
    u(k) = k * 2.0 + 1
  end do
  print *, u
  do concurrent (k = 1:9:2)
    w(k) = u(k) ** 2
    w(k+1) = -u(k)
  end do
  print *, w
  idx = 2
  associate (p => ps(idx), c => cs(idx + 1), n5 => 5, row => a(2, :), y => sqrt(real(idx) * 8), el => u(idx), whole => w)
    idx = 3
    p%x = [1.0, 2.0]
    p%id = n5
    c%p%v(2) = 7
    c%n = c%n + 4
    row(3) = -1
    row = row * 2
    print *, row, y, lbound(row), size(row)
    el = el + 100
    whole(1) = 0.5
  end associate
  print *, ps%id, ps(2)%x, cs%n, cs(3)%p%v
  print *, a(2,:), u(2), w(1)
  associate (all => ps)
    do k = 1, size(ps)
      all(k)%id = k * k
      associate (q => all(k))
        q%v = q%v + k
      end associate
    end do
  end associate
  print *, ps%id, ps%v(1)
  call work(4, t)
  print *, t
  outer: block
    integer :: i
    real :: s
    type(particle) :: me
    i = 7
    s = 1.5
    me%id = me%id + i
    print *, i, s, me%id, me%v
  end block outer
  print *, i
  n = 0
  do k = 1, 3
    block
      integer, save :: calls = 0
      integer, parameter :: two = 2
      calls = calls + 1
      n = n + calls * two
      if (k == 2) cycle
      print *, n
    end block
  end do
  print *, n
  associate (name => 'abc' // 'def', v => u(1:10:3) * 2)
    print *, name, len(name), v, size(v)
  end associate
end program
