! by-value nesting, function results of linked types, arguments by keyword, internal writes, DATA-less saved pointers
module m
  implicit none
  type node
    integer :: k = 0
    type(node), pointer :: next => null()
  end type
contains
  function cons(k, rest) result(p)
    integer, intent(in) :: k
    type(node), pointer, intent(in) :: rest
    type(node), pointer :: p
    allocate(p)
    p = node(k, rest)
  end function
  function copy_of(n) result(c)
    type(node), intent(in) :: n
    type(node) :: c
    c%k = n%k + 100
    c%next => n%next
  end function
  recursive function append(a, b) result(c)
    type(node), pointer, intent(in) :: a, b
    type(node), pointer :: c
    if (associated(a)) then
      c => cons(a%k, append(a%next, b))
    else
      c => b
    end if
  end function
  function last() result(p)
    type(node), pointer :: p
    type(node), pointer, save :: cache => null()
    if (.not. associated(cache)) cache => cons(7, null())
    cache%k = cache%k + 1
    p => cache
  end function
  integer function length(l)
    type(node), pointer, intent(in) :: l
    type(node), pointer :: p
    length = 0
    p => l
    do while (associated(p))
      length = length + 1
      p => p%next
    end do
  end function
end module
program main
  use m
  implicit none
  type(node), pointer :: a, b, c, p
  type(node) :: x
  character(len=20) :: s
  integer :: i
  a => null(); b => null()
  do i = 3, 1, -1
    a => cons(i, a)
    b => cons(rest=b, k=10 * i)
  end do
  c => append(a, b)
  print *, length(a), length(b), length(c), length(append(c, c))
  x = copy_of(c)
  print *, x%k, x%next%k, associated(x%next, c%next)
  x = copy_of(n=c%next%next)
  print *, x%k
  write (s, '(3i4)') c%k, c%next%k, c%next%next%next%k
  print *, s
  p => last()
  p => last()
  print *, p%k, length(last())
end program
