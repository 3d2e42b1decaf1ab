module graph
  implicit none
  type vertex
    integer :: id
    type(edge), pointer :: first => null()
    type(vertex), pointer :: next => null()
    logical :: seen = .false.
  end type
  type edge
    real :: weight
    type(vertex), pointer :: to => null()
    type(edge), pointer :: next => null()
  end type
  type ref
    type(vertex), pointer :: p => null()
  end type
contains
  subroutine connect(a, b, w)
    type(vertex), target :: a, b
    real, intent(in) :: w
    type(edge), pointer :: e
    allocate(e)
    e%weight = w
    e%to => b
    e%next => a%first
    a%first => e
  end subroutine
  recursive subroutine visit(v, depth)
    type(vertex), intent(inout) :: v
    integer, intent(in) :: depth
    type(edge), pointer :: e
    if (v%seen) return
    v%seen = .true.
    print *, depth, v%id
    e => v%first
    do while (associated(e))
      call visit(e%to, depth + 1)
      e => e%next
    end do
  end subroutine
end module
program main
  use graph
  implicit none
  type(ref) :: table(10)
  type(vertex), target :: v(5), w
  type(vertex), pointer :: q, s(:)
  type(edge), pointer :: e
  integer :: i, j
  real :: t
  do i = 1, 10
    allocate(table(i)%p)
    table(i)%p%id = i
  end do
  do i = 1, 10
    call connect(table(i)%p, table(mod(3 * i, 10) + 1)%p, real(i))
    call connect(table(i)%p, table(mod(i * i, 10) + 1)%p, real(10 * i))
  end do
  call visit(table(3)%p, 0)
  t = 0
  do i = 1, 10
    e => table(i)%p%first
    do while (associated(e))
      t = t + e%weight * e%to%id
      e => e%next
    end do
  end do
  print *, t
  do i = 1, 5
    v(i)%id = 100 * i
    if (i > 1) v(i-1)%next => v(i)
  end do
  print *, v%id, v(2:4)%id, v%seen
  q => v(1)
  do while (associated(q))
    print *, q%id, associated(q, v(3))
    q => q%next
  end do
  s => v(5:1:-2)
  print *, size(s), s%id, s(2)%id
  s(2)%id = 7
  print *, v%id
  w%id = 3
  v(1) = w
  w%id = 4
  print *, v(1)%id, w%id
  v(2:3) = w
  print *, v%id
  q => w
  print *, associated(q, w)
  v%id = [1, 2, 3, 4, 5]
  print *, v%id, sum(v%id)
  do i = 1, 3
    do j = 1, 2
      q => table(i)%p
      q%id = q%id * 10 + j
    end do
  end do
  print *, (table(i)%p%id, i = 1, 10)
end program
