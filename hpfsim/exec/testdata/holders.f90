! external procedures with interfaces, optional chains, functions as arguments, generics by derived type
module types
  implicit none
  type item
    integer :: n = 0
    type(item), pointer :: next
  end type
  type other
    integer :: n = 0
    type(other), pointer :: next
  end type
  type holder
    type(item), pointer :: top
    type(other), pointer :: side
    integer :: size(3)
  end type
  interface show
    module procedure show_item, show_other, show_holder
  end interface
  interface
    function longest(p) result(q)
      import item
      type(item), pointer :: p, q
    end function
    subroutine drop(p)
      import item
      type(item), pointer :: p
    end subroutine
  end interface
contains
  subroutine show_item(p)
    type(item), intent(in) :: p
    print *, 'item', p%n
  end subroutine
  subroutine show_other(p)
    type(other), intent(in) :: p
    print *, 'other', p%n
  end subroutine
  subroutine show_holder(p)
    type(holder), intent(in) :: p
    print *, 'holder', p%size, associated(p%top), associated(p%side)
    if (associated(p%top)) call show(p%top)
    if (associated(p%side)) call show(p%side)
  end subroutine
  subroutine init(h)
    type(holder), intent(out) :: h
    nullify(h%top, h%side)
    h%size = 7
  end subroutine
  function length(p) result(k)
    type(item), pointer, intent(in) :: p
    integer :: k
    type(item), pointer :: q
    q => p
    k = 0
    do while (associated(q))
      k = k + 1
      q => q%next
    end do
  end function
  pure subroutine double(p)
    type(item), intent(inout) :: p
    p%n = p%n * 2
  end subroutine
  subroutine apply(p, f)
    type(item), pointer :: p
    interface
      integer function f(k)
        integer, intent(in) :: k
      end function
    end interface
    type(item), pointer :: q
    q => p
    do while (associated(q))
      q%n = f(q%n)
      q => q%next
    end do
  end subroutine
  integer function square(k)
    integer, intent(in) :: k
    square = k * k
  end function
end module
program main
  use types
  implicit none
  type(holder) :: h, hs(2), copy
  type(item), pointer :: p, q
  type(item), target :: fixed = item(41, null())
  integer :: i, k
  call init(h)
  call show(h)
  do i = 1, 5
    allocate(p)
    p%n = i
    p%next => h%top
    h%top => p
  end do
  allocate(h%side)
  nullify(h%side%next)
  h%side%n = 99
  call show(h)
  hs(1) = h
  hs(2) = hs(1)
  copy = hs(2)
  hs(1)%top%n = 1000
  call show(copy)
  print *, associated(copy%top, h%top), length(h%top), hs(2)%size
  q => longest(h%top)
  print *, q%n
  call drop(h%top)
  print *, h%top%n, length(h%top)
  call double(h%top)
  call show(h%top)
  call apply(h%top, square)
  p => h%top
  do while (associated(p))
    select case (p%n)
    case (:10)
      print *, 'small', p%n
    case default
      print *, 'large', p%n
    end select
    p => p%next
  end do
  call show(fixed)
  fixed%n = fixed%n + 1
  p => fixed
  call show(p)
  where (hs%size(1) == 7) hs%size(2) = 8
  print *, hs%size(2)
  k = 0
  p => h%top
  outer: do
    do i = 1, 2
      if (.not. associated(p)) exit outer
      k = k + p%n * i
      p => p%next
    end do
  end do outer
  print *, k
  hs(1)%top => h%top
  hs(2)%top => h%top%next
  write (*, *) (hs(i)%top%n, hs(i)%size(1), i = 1, 2)
  nullify(hs(1)%top, hs(2)%side)
  print *, (associated(hs(i)%top), associated(hs(i)%side), i = 1, 2)
end program
function longest(p) result(q)
  use types, only: item
  type(item), pointer :: p, q
  q => p
  do while (associated(q%next))
    q => q%next
  end do
end function
subroutine drop(p)
  use types, only: item
  type(item), pointer :: p
  type(item), pointer :: old
  old => p
  p => p%next
  deallocate(old)
end subroutine
