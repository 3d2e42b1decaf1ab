! a hash table with chains, a queue, a merge sort of a list
module tables
  implicit none
  integer, parameter :: buckets = 13, width = 10
  type entry
    character(len=width) :: key
    integer :: count = 0
    type(entry), pointer :: next => null()
  end type
  type bucket
    type(entry), pointer :: chain => null()
  end type
  type(bucket), save :: table(0:buckets-1)
  type cell
    integer :: v
    type(cell), pointer :: next
  end type
contains
  integer function hash(k) result(h)
    character(len=*), intent(in) :: k
    integer :: i
    h = 0
    do i = 1, len_trim(k)
      h = mod(31 * h + ichar(k(i:i)), buckets)
    end do
  end function
  subroutine count_word(k)
    character(len=*), intent(in) :: k
    type(entry), pointer :: e
    integer :: h
    h = hash(k)
    e => table(h)%chain
    do while (associated(e))
      if (e%key == k) then
        e%count = e%count + 1
        return
      end if
      e => e%next
    end do
    allocate(e)
    e%key = k
    e%count = 1
    e%next => table(h)%chain
    table(h)%chain => e
  end subroutine
  recursive subroutine sort(head)
    type(cell), pointer :: head
    type(cell), pointer :: slow, fast, a, b, tail
    if (.not. associated(head)) return
    if (.not. associated(head%next)) return
    slow => head
    fast => head%next
    do while (associated(fast))
      fast => fast%next
      if (associated(fast)) then
        slow => slow%next
        fast => fast%next
      end if
    end do
    a => head
    b => slow%next
    slow%next => null()
    call sort(a)
    call sort(b)
    nullify(head, tail)
    do while (associated(a) .and. associated(b))
      if (a%v <= b%v) then
        call move(a)
      else
        call move(b)
      end if
    end do
    if (associated(a)) then
      if (associated(tail)) then
        tail%next => a
      else
        head => a
      end if
    else if (associated(b)) then
      tail%next => b
    end if
  contains
    subroutine move(from)
      type(cell), pointer :: from
      type(cell), pointer :: c
      c => from
      from => from%next
      nullify(c%next)
      if (associated(tail)) then
        tail%next => c
      else
        head => c
      end if
      tail => c
    end subroutine
  end subroutine
end module
program main
  use tables, only: count_word, table, entry, buckets, cell, sort, start => hash
  implicit none
  type(entry), pointer :: e
  type(cell), pointer :: head, c
  real :: x(20)
!HPF$ DISTRIBUTE x(BLOCK)
  integer :: i, k, n
  character(len=3) :: words(6) = ['the', 'cat', 'sat', 'on ', 'the', 'mat']
  do i = 1, 4
    do k = 1, 6, i
      call count_word(words(k))
    end do
  end do
  do i = 0, buckets - 1
    e => table(i)%chain
    do while (associated(e))
      print '(i3, 1x, a, i4)', i, e%key, e%count
      e => e%next
    end do
  end do
  print *, start('the')
  nullify(head)
  k = 5
  do i = 1, 200
    k = mod(k * 71 + 13, 997)
    allocate(c)
    c%v = k
    c%next => head
    head => c
  end do
  call sort(head)
  c => head
  n = 0
  do while (associated(c))
    if (associated(c%next)) then
      if (c%v > c%next%v) print *, 'out of order'
    end if
    n = n + c%v
    c => c%next
  end do
  print *, n, head%v, head%next%next%v
  x = [(real(i), i = 1, 20)]
  c => head
  do i = 1, 20
    c%v = int(x(i)) * 3
    x(i) = c%v + 0.5
    c => c%next
  end do
  c => head
  do i = 1, 20
    if (associated(c)) x(21 - i) = x(21 - i) + c%v
    c => c%next
  end do
  print '(5f9.2)', x
  print *, sum(x)
end program
