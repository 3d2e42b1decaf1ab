module shapes
  implicit none
  type vec
    real(8) :: x = 0, y = 0
  end type
  type body
    type(vec) :: pos, trail(2)
    complex :: z = (1.0, -1.0)
    logical :: on = .true.
    character(len=5) :: tag = 'abc'
    integer(8) :: big = 5000000000_8
    type(body), pointer :: next => null(), prev => null()
  end type
  type(body), target, save :: origin
  type(body), target :: pair(2)
  type(body), pointer :: first => null()
  interface operator(+)
    module procedure plus
  end interface
  interface report
    module procedure report_body, report_vec
  end interface
contains
  function plus(a, b) result(c)
    type(body), intent(in) :: a, b
    type(body) :: c
    c%pos%x = a%pos%x + b%pos%x
    c%pos%y = a%pos%y + b%pos%y
    c%big = a%big + b%big
  end function
  subroutine report_body(b)
    type(body), intent(in) :: b
    print '(a, 2f8.2, 1x, a, l2, i12, 2f6.1, 4f5.1)', 'body', b%pos%x, b%pos%y, b%tag, b%on, b%big, b%z, b%trail
  end subroutine
  subroutine report_vec(v)
    type(vec), intent(in) :: v
    print '(a, 2f8.2)', 'vec', v%x, v%y
  end subroutine
  subroutine reset(b)
    type(body), intent(out) :: b
    b%pos%x = -1
  end subroutine
  function counter() result(n)
    integer :: n
    type(body), save :: kept
    kept%big = kept%big + 1
    n = int(kept%big - 5000000000_8)
  end function
  recursive function depth(n) result(s)
    integer, intent(in) :: n
    integer :: s
    type(body) :: local
    type(body) :: many(n)
    local%pos%x = n
    many%pos%y = local%pos%x
    if (n == 0) then
      s = 0
      return
    end if
    s = depth(n - 1) + nint(local%pos%x) + nint(sum(many%pos%y))
  end function
  subroutine maybe(b, p)
    type(body), optional, intent(in) :: b
    type(body), optional, pointer :: p
    print *, present(b), present(p)
    if (present(b)) print *, b%pos%x
    if (present(p)) print *, associated(p)
  end subroutine
  subroutine all_of(a)
    type(body), intent(inout) :: a(:)
    integer :: i
    do i = 1, size(a)
      a(i)%pos%x = a(i)%pos%x + i
    end do
  end subroutine
  subroutine grow(a, n)
    type(body), allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    type(body), allocatable :: t(:)
    allocate(t(n))
    if (allocated(a)) t(1:size(a)) = a
    call move_alloc(t, a)
  end subroutine
  subroutine link(p, q)
    type(body), pointer :: p
    type(body), pointer, intent(in) :: q
    p%next => q
    q%prev => p
    p => q
  end subroutine
end module
program main
  use shapes
  implicit none
  type(body), target :: a, b, arr(3)
  type(body), allocatable :: list(:)
  type(body), pointer :: p, view(:)
  type(body), allocatable, target :: single
  integer :: i
  call report(a)
  call report(origin)
  origin%pos = vec(1.5d0, 2.5d0)
  call report(origin%pos)
  a%pos%x = 3
  b = origin + a
  call report(b)
  call reset(b)
  call report(b)
  print *, counter(), counter(), counter()
  print *, depth(5), depth(3)
  call maybe()
  call maybe(b)
  call maybe(p=first)
  first => origin
  call maybe(first, first)
  arr%pos%x = [1d0, 2d0, 3d0]
  call all_of(arr)
  print *, arr%pos%x
  call all_of(arr(1:3:2))
  print *, arr%pos%x
  view => arr(3:1:-1)
  print *, view%pos%x, size(view), associated(view)
  view(1)%tag = 'xyz'
  print *, arr%tag, arr(3)%tag(2:3)
  allocate(list(2))
  list(2)%pos%x = 9
  call grow(list, 4)
  print *, size(list), list%pos%x, list%on
  deallocate(list)
  print *, allocated(list)
  allocate(p)
  first => p
  do i = 1, 3
    arr(i)%pos%y = i
    call link(p, arr(i))
  end do
  p => first
  do while (associated(p%next))
    p => p%next
    print *, p%pos%y, associated(p%prev, first)
  end do
  do
    if (.not. associated(p%prev)) exit
    p => p%prev
  end do
  print *, associated(p, first)
  block
    type(body) :: inner
    inner%pos%x = inner%pos%x + 1
    print *, inner%pos%x
  end block
  do i = 1, 3
    block
      type(body) :: inner
      inner%pos%x = inner%pos%x + i
      print *, inner%pos%x
      if (i == 2) cycle
    end block
  end do
  associate (q => first%next)
    q%pos%x = 77
    print *, first%next%pos%x
    first => q
  end associate
  print *, first%pos%x
  pair(1)%next => pair(2)
  pair(2)%pos%y = 8
  print *, pair(1)%next%pos%y, pair%pos%y
  a%trail(2)%x = 4
  a%trail(1) = vec(7d0, 8d0)
  a%trail%y = 2
  print *, a%trail%x, a%trail%y
  print *, a%pos, a%trail
  a%z = conjg(a%z)
  print *, a%z, real(a%z)
  allocate(single)
  single%big = 1
  p => single
  print *, p%big
  deallocate(single)
  call nested
contains
  subroutine nested
    type(body), pointer :: q
    q => arr(1)
    print *, q%pos%x, associated(q%next)
    arr(2)%pos%x = 12
    q => q%next
    print *, q%pos%x
    a = arr(2)
    print *, a%pos%x
  end subroutine
end program
