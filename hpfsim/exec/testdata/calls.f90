program calls
  implicit none
  integer :: i, k(5) = (/ 3, 1, 4, 1, 5 /), n, depth
  real :: x(4), y, two(2, 2)
  double precision :: d
  character(6) :: word
  integer, external :: outside
  common /state/ depth
!HPF$ DISTRIBUTE x(CYCLIC)
  depth = 0
  print *, tower(3, 2), tower(k(1), k(3)), (/ twice(1), twice(2), twice(k(5)) /)
  print *, twice(1) * (/ 1, 2, 3 /) + twice(k(2)), twice(twice(twice(1))), max(twice(4), twice(3))
  print *, hanoi(8, 1, 3), depth, even(10), even(7), outside(6), outside(outside(3))
  n = 3
  call swap(n, k(2))
  print *, n, k, counted(), counted(), counted()
  do i = 1, 4
    x(i) = half(real(i)) + half(x(max(i - 1, 1)) * 0)
  end do
  print *, x, sum(half2(x)), half(sum(half2(x)))
  call fill(two, 2)
  call fill(two(2, 1), 1)
  print *, two, area(two(1, 2), two), newton(half, 9.0)
  d = series(12)
  word = doubled('abc')
  print *, d, word, doubled('xy'), ' ', trim(doubled(word(2:3))), len(doubled('q'))
  call walk(4)
  y = 1
  call change(y, (y), y + 1)
  print *, y
contains
  recursive function tower(a, b) result(r)
    integer, intent(in) :: a, b
    integer :: r, left, right
    if (b == 0) then
      r = 1
      return
    end if
    left = tower(a, b / 2)
    right = left * left
    if (mod(b, 2) == 1) right = right * tower(a, 1 - 1) * a
    r = right
  end function
  integer function twice(i)
    integer, intent(in) :: i
    integer :: before
    before = i
    twice = before + i
  end function
  recursive integer function hanoi(n, from, to) result(moves)
    integer, intent(in) :: n, from, to
    integer :: other, first
    depth = max(depth, n)
    if (n == 0) then
      moves = 0
    else
      other = 6 - from - to
      first = hanoi(n - 1, from, other)
      moves = first + 1 + hanoi(n - 1, other, to)
    end if
  end function
  recursive logical function even(n) result(yes)
    integer, intent(in) :: n
    logical :: odd
    if (n == 0) then
      yes = .true.
    else
      odd = even(n - 1)
      yes = .not. odd
    end if
  end function
  subroutine swap(a, b)
    integer, intent(inout) :: a, b
    integer :: c
    c = a
    a = b
    b = c
  end subroutine
  integer function counted()
    integer, save :: count = 10
    count = count + 1
    counted = count
  end function
  real function half(v)
    real, intent(in) :: v
    half = v / 2
  end function
  function half2(v) result(r)
    real, intent(in) :: v(:)
    real :: r(size(v)), twin(size(v) + 1)
    twin(1) = 7
    twin(2:) = v
    r = twin(2:) / 2
  end function
  subroutine fill(a, n)
    integer, intent(in) :: n
    real :: a(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i, j) = 10 * i + j + half(real(n))
      end do
    end do
  end subroutine
  real function area(s, a)
    real, intent(in) :: s
    real :: a(2, 2)
    a(1, 2) = 0
    area = sum(a)
  end function
  real function newton(f, v)
    interface
      real function f(v)
        real, intent(in) :: v
      end function
    end interface
    real, intent(in) :: v
    integer :: k
    newton = v
    do k = 1, 8
      newton = f(newton + v / newton)
    end do
  end function
  recursive double precision function series(n) result(s)
    integer, intent(in) :: n
    double precision :: term
    term = 1d0 / n
    s = term
    if (n > 1) s = s + series(n - 1)
  end function
  character(6) function doubled(s)
    character(*), intent(in) :: s
    doubled = s // s
  end function
  recursive subroutine walk(n)
    integer, intent(in) :: n
    integer :: local(n), i
    local = (/ (n * 10 + i, i = 1, n) /)
    if (n > 1) call walk(n - 1)
    print *, n, local
  end subroutine
  subroutine change(a, b, c)
    real :: a, b, c
    a = 5
    print *, a, b, c
  end subroutine
end program
integer function outside(n)
  integer, intent(in) :: n
  integer :: depth, k
  common /state/ depth
  outside = 0
  do k = 1, n
    outside = outside + k
  end do
  outside = outside + depth
end function
