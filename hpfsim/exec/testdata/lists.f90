module lists
  implicit none
  type node
    integer :: value = -1
    type(node), pointer :: next => null()
  end type node
  type list
    type(node), pointer :: head => null(), tail => null()
    integer :: n = 0
  end type list
contains
  subroutine push(l, v)
    type(list), intent(inout) :: l
    integer, intent(in) :: v
    type(node), pointer :: p
    allocate(p)
    p%value = v
    p%next => l%head
    l%head => p
    if (.not. associated(l%tail)) l%tail => p
    l%n = l%n + 1
  end subroutine
  subroutine append(l, v)
    type(list), intent(inout) :: l
    integer, intent(in) :: v
    if (.not. associated(l%head)) then
      allocate(l%head)
      l%tail => l%head
    else
      allocate(l%tail%next)
      l%tail => l%tail%next
    end if
    l%tail%value = v
    nullify(l%tail%next)
    l%n = l%n + 1
  end subroutine
  function find(l, v) result(p)
    type(list), intent(in) :: l
    integer, intent(in) :: v
    type(node), pointer :: p
    p => l%head
    do while (associated(p))
      if (p%value == v) return
      p => p%next
    end do
  end function
  recursive function total(p) result(t)
    type(node), pointer, intent(in) :: p
    integer :: t
    if (associated(p)) then
      t = p%value + total(p%next)
    else
      t = 0
    end if
  end function
  subroutine reverse(l)
    type(list), intent(inout) :: l
    type(node), pointer :: p, q, r
    p => l%head
    l%tail => p
    nullify(q)
    do while (associated(p))
      r => p%next
      p%next => q
      q => p
      p => r
    end do
    l%head => q
  end subroutine
  subroutine show(l)
    type(list), intent(in) :: l
    type(node), pointer :: p
    integer :: k
    p => l%head
    k = 0
    do
      if (.not. associated(p)) exit
      k = k + 1
      write (*, '(i5)', advance='no') p%value
      p => p%next
    end do
    print '(a, i3)', ' :', k
  end subroutine
  subroutine clear(l)
    type(list), intent(inout) :: l
    type(node), pointer :: p
    do while (associated(l%head))
      p => l%head
      l%head => p%next
      deallocate(p)
    end do
    nullify(l%tail)
    l%n = 0
  end subroutine
end module
program main
  use lists
  implicit none
  type(list) :: a, b
  type(node), pointer :: p, q
  integer :: i
  do i = 1, 40
    call push(a, i)
    call append(b, i*i)
  end do
  call show(a)
  call show(b)
  call reverse(a)
  call show(a)
  print *, total(a%head), total(b%head), a%n, b%n
  p => find(a, 7)
  print *, associated(p), p%value, p%next%value, p%next%next%next%value
  q => find(a, 700)
  print *, associated(q), associated(p, find(a, 7)), associated(p, a%head), associated(a%tail, p)
  p%next%next%value = 1000
  call show(a)
  q => p%next
  p%next => q%next
  deallocate(q)
  print *, associated(q)
  call show(a)
  allocate(q)
  print *, q%value, associated(q%next)
  q = node(5, null())
  print *, q%value, associated(q%next)
  q = node(6, a%head)
  print *, q%value, associated(q%next, a%head), q%next%value
  a%head = q
  print *, a%head%value, a%head%next%value
  call clear(b)
  print *, b%n, associated(b%head), associated(b%tail)
end program
