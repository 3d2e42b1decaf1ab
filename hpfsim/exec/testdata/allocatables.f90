module m
  implicit none
  type person
    character(len=:), allocatable :: name
    integer :: age = 0
    real, allocatable :: w(:)
  end type
contains
  subroutine make(n, x, s)
    integer, intent(in) :: n
    real, allocatable, intent(out) :: x(:)
    character(len=:), allocatable, intent(out) :: s
    integer :: i
    if (allocated(x)) print *, 'wrong'
    allocate(x(n))
    x = [(real(i)**2, i = 1, n)]
    s = repeat('ab', n)
  end subroutine
  function squares(n) result(r)
    integer, intent(in) :: n
    integer, allocatable :: r(:)
    integer :: i
    allocate(r(n))
    do i = 1, n
      r(i) = i*i
    end do
  end function
  function join(a, b) result(c)
    character(len=*), intent(in) :: a, b
    character(len=:), allocatable :: c
    c = trim(a) // '-' // trim(b)
  end function
  subroutine up(s)
    character(len=*), intent(inout) :: s
    integer :: i
    do i = 1, len(s)
      if (s(i:i) >= 'a' .and. s(i:i) <= 'z') s(i:i) = achar(iachar(s(i:i)) - 32)
    end do
  end subroutine
end module
program a1
  use m
  implicit none
  real, allocatable :: x(:), y(:), z(:,:), w
  integer, allocatable :: v(:), k
  character(len=:), allocatable :: s, t
  character(len=20) :: msg
  type(person) :: p
  integer :: i, st
  call make(4, x, s)
  print *, x, s, len(s)
  y = x
  y = [y, 7.0, 8.0]
  print *, size(y), y
  y = y(2:4)
  print *, size(y), y
  v = squares(5)
  print *, v, lbound(v), ubound(v)
  v = v(size(v):1:-1)
  print *, v
  z = reshape([1.,2.,3.,4.,5.,6.], [2,3])
  print *, shape(z), z
  z = transpose(z)
  print *, shape(z), z
  z = matmul(z, transpose(z))
  print *, shape(z), z
  w = 2.5
  w = w * 2
  print *, w, allocated(w), allocated(k)
  allocate(k, source=42)
  print *, k
  deallocate(k)
  allocate(k)
  k = 3
  do i = 1, 4
    k = k + i
  end do
  print *, k
  s = 'hello'
  t = s // ', world'
  print *, t, len(t)
  t = t(1:3)
  print *, '[', t, ']', len(t)
  s = join('abc  ', 'de ')
  print *, s, len(s)
  call up(s)
  print *, s
  allocate(character(len=7) :: t, stat=st, errmsg=msg)
  print *, st, msg
  deallocate(t)
  allocate(character(len=7) :: t)
  t = 'xy'
  print *, len(t), t
  deallocate(y)
  allocate(y(0:3), source=1.5)
  print *, y, lbound(y)
  deallocate(y)
  allocate(y, source=x(2:3))
  print *, y
  deallocate(y)
  allocate(y, mold=x)
  print *, size(y)
  call move_alloc(x, y)
  print *, allocated(x), y
  p%name = 'Bob'
  p%name = p%name // 'by'
  p%w = [1., 2.]
  p%w = [p%w, 3.]
  print *, p%name, p%age, p%w, len(p%name)
  allocate(y(3), stat=st)
  print *, st
  if (allocated(x)) deallocate(x)
  deallocate(x, stat=st)
  print *, st
  s = ''
  do i = 1, 3
    s = s // achar(iachar('a') + i - 1) // ','
  end do
  print *, s
end program
