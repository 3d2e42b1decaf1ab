module trees
  implicit none
  type tree
    integer :: key
    character(len=8) :: name = 'none'
    real :: w(3) = [1.0, 2.0, 3.0]
    type(tree), pointer :: left => null(), right => null()
  end type
contains
  recursive subroutine insert(t, k)
    type(tree), pointer :: t
    integer, intent(in) :: k
    if (.not. associated(t)) then
      allocate(t)
      t%key = k
      write (t%name, '(a, i0)') 'k', k
      t%w(2) = k
    else if (k < t%key) then
      call insert(t%left, k)
    else if (k > t%key) then
      call insert(t%right, k)
    end if
  end subroutine
  recursive subroutine walk(t, depth)
    type(tree), pointer, intent(in) :: t
    integer, intent(in) :: depth
    if (.not. associated(t)) return
    call walk(t%left, depth + 1)
    print '(i3, i6, 1x, a, 3f8.1)', depth, t%key, t%name, t%w
    call walk(t%right, depth + 1)
  end subroutine
  recursive integer function height(t) result(h)
    type(tree), pointer :: t
    h = 0
    if (associated(t)) h = 1 + max(height(t%left), height(t%right))
  end function
  recursive function build(lo, hi) result(t)
    integer, intent(in) :: lo, hi
    type(tree), pointer :: t
    if (lo > hi) then
      t => null()
      return
    end if
    allocate(t)
    t%key = (lo + hi) / 2
    t%left => build(lo, t%key - 1)
    t%right => build(t%key + 1, hi)
  end function
  recursive subroutine free(t)
    type(tree), pointer :: t
    if (associated(t)) then
      call free(t%left)
      call free(t%right)
      deallocate(t)
    end if
  end subroutine
  subroutine scale(x)
    real, intent(inout) :: x(:)
    x = 2 * x
  end subroutine
  subroutine bump(i)
    integer :: i
    i = i + 1
  end subroutine
end module
program main
  use trees
  implicit none
  type(tree), pointer :: root => null(), b
  integer :: i, k
  k = 17
  do i = 1, 60
    k = mod(k * 37 + 11, 101)
    call insert(root, k)
  end do
  call walk(root, 0)
  print *, height(root)
  b => build(1, 1000)
  print *, height(b), b%key, b%left%key, b%right%right%key
  call scale(root%w)
  call bump(root%left%key)
  print *, root%w, root%left%key, sum(root%w), size(root%w)
  root%left%w = root%w + 1
  print *, root%left%w
  call free(root)
  call free(b)
  print *, associated(root), associated(b), height(b)
end program
