module nodes
  implicit none
  type node
    integer, allocatable :: items(:)
    character(len=:), allocatable :: label
    real, pointer :: shared(:) => null()
    type(node), pointer :: next => null()
  end type
  type stack
    integer, allocatable :: v(:)
    integer :: n = 0
  end type
contains
  subroutine add(head, n)
    type(node), pointer :: head
    integer, intent(in) :: n
    type(node), pointer :: p
    integer :: i
    allocate(p)
    allocate(p%items(n))
    p%items = [(i * i, i = 1, n)]
    p%label = 'node' // achar(ichar('0') + n)
    p%next => head
    head => p
  end subroutine
  subroutine push(s, k)
    type(stack), pointer :: s
    integer, intent(in) :: k
    integer, allocatable :: t(:)
    if (.not. allocated(s%v)) allocate(s%v(2))
    if (s%n == size(s%v)) then
      allocate(t(2 * s%n))
      t(1:s%n) = s%v
      call move_alloc(t, s%v)
    end if
    s%n = s%n + 1
    s%v(s%n) = k
  end subroutine
end module
program main
  use nodes
  implicit none
  type(node), pointer :: list => null(), p
  type(stack), pointer :: s
  type(stack), target :: t
  real, target :: common(4) = [1, 2, 3, 4]
  integer :: i
  do i = 1, 9
    call add(list, i)
  end do
  p => list
  do while (associated(p))
    print *, p%label, size(p%items), sum(p%items), p%items(1)
    p%shared => common(1:size(common):max(1, mod(size(p%items), 3)))
    p => p%next
  end do
  print *, list%shared, list%next%shared, associated(list%next%next%shared, common)
  list%items(2) = 100
  list%next%items = list%items
  print *, list%next%items, allocated(list%next%next%label)
  allocate(p)
  print *, allocated(p%items), associated(p%shared)
  p = list
  p%items(1) = -5
  print *, list%items(1), p%items(1), associated(p%next, list%next)
  deallocate(p)
  allocate(s)
  do i = 1, 20
    call push(s, i)
  end do
  print *, s%n, size(s%v), s%v(1:s%n)
  t = s
  deallocate(s)
  s => t
  call push(s, 21)
  print *, t%n, t%v(21), sum(t%v(1:t%n))
end program
