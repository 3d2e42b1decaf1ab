module meshes
  implicit none
  type cell
    integer :: id = 0
    real :: x(2) = [0.5, 1.5]
    integer, allocatable :: near(:)
  end type
  type mesh
    integer :: n = 0
    type(cell), allocatable :: cells(:)
    type(cell), allocatable :: best
  end type
  type tree
    integer :: key = 0
    type(tree), allocatable :: left, right
  end type
  type family
    character(len=8) :: name = '?'
    type(family), pointer :: children(:) => null()
    type(family), pointer :: parent => null()
  end type
contains
  subroutine build(m, n)
    type(mesh), intent(inout) :: m
    integer, intent(in) :: n
    integer :: i, j
    if (allocated(m%cells)) deallocate(m%cells)
    allocate(m%cells(n))
    m%n = n
    do i = 1, n
      m%cells(i)%id = i
      m%cells(i)%x(1) = i
      m%cells(i)%near = [(j, j = max(i - 1, 1), min(i + 1, n))]
    end do
    allocate(m%best)
    m%best%id = n
  end subroutine
  function sum_of(cells) result(s)
    type(cell), intent(in) :: cells(:)
    integer :: s, i
    s = 0
    do i = 1, size(cells)
      s = s + cells(i)%id
      if (allocated(cells(i)%near)) s = s + sum(cells(i)%near)
    end do
  end function
  recursive subroutine insert(t, k)
    type(tree), allocatable, intent(inout) :: t
    integer, intent(in) :: k
    if (.not. allocated(t)) then
      allocate(t)
      t%key = k
    else if (k < t%key) then
      call insert(t%left, k)
    else
      call insert(t%right, k)
    end if
  end subroutine
  recursive integer function depth(t) result(d)
    type(tree), allocatable, intent(in) :: t
    d = 0
    if (allocated(t)) d = 1 + max(depth(t%left), depth(t%right))
  end function
  recursive subroutine show(f, level)
    type(family), intent(in) :: f
    integer, intent(in) :: level
    integer :: i
    print *, level, f%name, associated(f%children), associated(f%parent)
    if (associated(f%children)) then
      do i = 1, size(f%children)
        call show(f%children(i), level + 1)
      end do
    end if
  end subroutine
  subroutine scratch(n)
    integer, intent(in) :: n
    type(mesh) :: m
    call build(m, n)
    print *, sum_of(m%cells), m%best%id
  end subroutine
end module
program main
  use meshes
  implicit none
  type(mesh) :: a, b, many(3)
  type(tree), allocatable :: root
  type(family), target :: top
  type(family), pointer :: p
  type(cell), allocatable :: list(:), other(:)
  type(cell) :: c
  integer :: i
  call build(a, 4)
  print *, a%n, size(a%cells), a%cells%id, a%cells(2)%x, a%cells(3)%near, a%best%id
  b = a
  b%cells(2)%id = 20
  b%cells(2)%near(1) = 99
  b%best%id = 5
  print *, a%cells(2)%id, b%cells(2)%id, a%cells(2)%near, b%cells(2)%near, a%best%id, b%best%id
  print *, sum_of(a%cells), sum_of(b%cells(2:3)), size(b%cells), allocated(b%best), allocated(many(1)%cells)
  do i = 1, 3
    call build(many(i), i + 1)
  end do
  many(1) = many(3)
  many(3)%cells(1)%id = -7
  print *, size(many(1)%cells), many(1)%cells%id, many(3)%cells%id
  many(2) = many(2)
  print *, many(2)%cells(3)%near, many(2)%n
  b = mesh(3, null(), null())
  print *, b%n, allocated(b%cells), allocated(b%best)
  a = b
  print *, allocated(a%cells), a%n
  call scratch(3)
  call scratch(5)
  c%id = 8
  c%near = [1, 2]
  call build(a, 2)
  a%cells(1) = c
  c = a%cells(2)
  print *, a%cells(1)%id, a%cells(1)%near, c%id, c%near
  do i = 1, 20
    call insert(root, mod(i * 7, 23))
  end do
  print *, depth(root), root%key, root%left%key, allocated(root%left%left)
  deallocate(root%left)
  print *, depth(root), allocated(root%left)
  top%name = 'top'
  allocate(top%children(3))
  do i = 1, 3
    top%children(i)%name = 'child' // achar(48 + i)
    top%children(i)%parent => top
  end do
  allocate(top%children(2)%children(2))
  top%children(2)%children(1)%name = 'grand'
  p => top%children(2)
  p%children(2)%name = 'last'
  call show(top, 0)
  print *, p%parent%name, p%children%name, size(p%parent%children), associated(p%parent, top)
  top%children => top%children(3:2:-1)
  print *, top%children%name
  allocate(list(2))
  list%id = [4, 5]
  list(2)%near = [6]
  other = list
  other(1)%id = 9
  print *, list%id, other%id, other(2)%near, allocated(other(1)%near)
  call move_alloc(list, a%cells)
  print *, allocated(list), a%cells%id
  list = a%cells
  list(1)%id = 1
  print *, list%id, a%cells%id, size(list)
end program
