module bst_mod
  implicit none
  private
  public :: bst, bst_insert, bst_delete, bst_print, bst_min, operator(.in.), swap
  type bst_node
    integer :: key
    type(bst_node), pointer :: l => null(), r => null(), up => null()
  end type
  type bst
    private
    type(bst_node), pointer :: root => null()
    integer, public :: size = 0
  end type
  interface operator(.in.)
    module procedure contains_key
  end interface
  interface swap
    module procedure swap_int, swap_bst
  end interface
contains
  subroutine bst_insert(t, k)
    type(bst), intent(inout), target :: t
    integer, intent(in) :: k
    type(bst_node), pointer :: p, q
    q => null()
    p => t%root
    do while (associated(p))
      q => p
      if (k == p%key) return
      if (k < p%key) then
        p => p%l
      else
        p => p%r
      end if
    end do
    allocate(p)
    p%key = k
    p%up => q
    if (.not. associated(q)) then
      t%root => p
    else if (k < q%key) then
      q%l => p
    else
      q%r => p
    end if
    t%size = t%size + 1
  end subroutine
  logical function contains_key(k, t)
    integer, intent(in) :: k
    type(bst), intent(in) :: t
    contains_key = associated(locate(t%root, k))
  end function
  recursive function locate(p, k) result(q)
    type(bst_node), pointer, intent(in) :: p
    integer, intent(in) :: k
    type(bst_node), pointer :: q
    q => p
    if (.not. associated(p)) return
    if (p%key == k) return
    if (k < p%key) then
      q => locate(p%l, k)
    else
      q => locate(p%r, k)
    end if
  end function
  function lowest(p) result(q)
    type(bst_node), pointer, intent(in) :: p
    type(bst_node), pointer :: q
    q => p
    do while (associated(q%l))
      q => q%l
    end do
  end function
  integer function bst_min(t)
    type(bst), intent(in) :: t
    type(bst_node), pointer :: p
    p => lowest(t%root)
    bst_min = p%key
  end function
  subroutine transplant(t, u, v)
    type(bst), intent(inout) :: t
    type(bst_node), pointer :: u, v
    if (.not. associated(u%up)) then
      t%root => v
    else if (associated(u, u%up%l)) then
      u%up%l => v
    else
      u%up%r => v
    end if
    if (associated(v)) v%up => u%up
  end subroutine
  subroutine bst_delete(t, k)
    type(bst), intent(inout) :: t
    integer, intent(in) :: k
    type(bst_node), pointer :: z, y
    z => locate(t%root, k)
    if (.not. associated(z)) return
    if (.not. associated(z%l)) then
      call transplant(t, z, z%r)
    else if (.not. associated(z%r)) then
      call transplant(t, z, z%l)
    else
      y => lowest(z%r)
      if (.not. associated(y%up, z)) then
        call transplant(t, y, y%r)
        y%r => z%r
        y%r%up => y
      end if
      call transplant(t, z, y)
      y%l => z%l
      y%l%up => y
    end if
    deallocate(z)
    t%size = t%size - 1
  end subroutine
  subroutine bst_print(t)
    type(bst), intent(in) :: t
    integer :: keys(t%size), n
    n = 0
    call collect(t%root)
    print '(20i4)', keys
  contains
    recursive subroutine collect(p)
      type(bst_node), pointer, intent(in) :: p
      if (.not. associated(p)) return
      call collect(p%l)
      n = n + 1
      keys(n) = p%key
      call collect(p%r)
    end subroutine
  end subroutine
  subroutine swap_int(a, b)
    integer, intent(inout) :: a, b
    integer :: t
    t = a; a = b; b = t
  end subroutine
  subroutine swap_bst(a, b)
    type(bst), intent(inout) :: a, b
    type(bst) :: t
    t = a; a = b; b = t
  end subroutine
end module
program main
  use bst_mod, only: tree => bst, insert => bst_insert, bst_delete, bst_print, bst_min, operator(.in.), swap
  implicit none
  type(tree) :: t, u
  type(tree), allocatable :: forest(:)
  integer :: i, k
  k = 3
  do i = 1, 25
    k = mod(k * 29 + 7, 64)
    call insert(t, k)
  end do
  call bst_print(t)
  print *, t%size, bst_min(t), 7 .in. t, 100 .in. t
  do i = 1, 40, 3
    call bst_delete(t, i)
  end do
  call bst_print(t)
  call insert(u, 500)
  call swap(t, u)
  call bst_print(t)
  print *, u%size, (i .in. u, i = 10, 14)
  allocate(forest(3))
  do i = 1, 3
    do k = 1, 4
      call insert(forest(i), mod(i * k * 5, 17))
    end do
    call bst_print(forest(i))
  end do
  call swap(forest(1), forest(3))
  call bst_delete(forest(1), 15)
  call bst_print(forest(1))
  print *, forest%size
end program
