module rows
  implicit none
  type row
    integer :: id = 0
    real, allocatable :: data(:)
    character(len=:), allocatable :: name
  end type
  type grid
    type(row) :: rows(3)
    integer, allocatable :: total(:,:)
  end type
  type view
    real, pointer :: p(:) => null()
    integer, pointer :: k => null()
  end type
contains
  subroutine fill(r, n)
    type(row), intent(inout) :: r
    integer, intent(in) :: n
    integer :: i
    if (allocated(r%data)) deallocate(r%data)
    allocate(r%data(n))
    do i = 1, n
      r%data(i) = i * r%id
    end do
    r%name = repeat('x', n)
  end subroutine
  subroutine extend(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    real, allocatable :: t(:)
    allocate(t(n))
    t = -1
    if (allocated(a)) t(1:size(a)) = a
    call move_alloc(t, a)
  end subroutine
  real function sum_rows(a)
    type(row), intent(in) :: a(:)
    integer :: i
    sum_rows = 0
    do i = 1, size(a)
      if (allocated(a(i)%data)) sum_rows = sum_rows + sum(a(i)%data)
    end do
  end function
  subroutine local(n)
    integer, intent(in) :: n
    type(row) :: own(n)
    integer :: i
    do i = 1, n
      print *, allocated(own(i)%data), own(i)%id
      own(i)%id = i
      call fill(own(i), i)
    end do
    print *, sum_rows(own)
  end subroutine
  function made(n) result(r)
    integer, intent(in) :: n
    type(row) :: r
    r%id = n
    call fill(r, n)
  end function
end module
program main
  use rows
  implicit none
  type(row) :: a(4), b(4), one
  type(row), allocatable :: c(:)
  type(grid) :: g, h
  type(view) :: v(3), w
  real, target :: x(10)
  integer, target :: k(3)
  integer :: i, j
  real :: s
  do i = 1, 4
    a(i)%id = i
    call fill(a(i), 2 * i)
  end do
  do i = 1, 4
    print *, i, size(a(i)%data), a(i)%data(2), a(i)%data, len(a(i)%name), a(i)%name
  end do
  b(2) = a(3)
  b(2)%data(1) = 99
  print *, a(3)%data(1), b(2)%data(1), size(b(2)%data), allocated(b(1)%data), b(2)%name
  b = a
  b(4)%data = b(4)%data * 2
  print *, sum(a(4)%data), sum(b(4)%data), (size(b(i)%data), i = 1, 4)
  b(1) = b(3)
  print *, b(1)%data, b(1)%id
  deallocate(b(3)%data)
  b(2) = b(3)
  print *, allocated(b(2)%data), b(2)%id, b(2)%name
  call extend(a(1)%data, 5)
  print *, a(1)%data
  call extend(b(2)%data, 2)
  print *, b(2)%data
  a(2)%data = [1.0, 2.0, 3.0]
  print *, size(a(2)%data), a(2)%data(2:3), maxval(a(2)%data), ubound(a(2)%data)
  one = a(2)
  one%data(3) = 8
  a(3) = one
  print *, a(3)%data, a(2)%data
  a(4) = made(3)
  print *, a(4)%id, a(4)%data, a(4)%name
  print *, sum_rows(a), sum_rows(a(1:4:3))
  call local(3)
  call local(2)
  allocate(c(2))
  print *, allocated(c(1)%data)
  allocate(c(1)%data(3), source=4.0)
  allocate(c(2)%data(0:2))
  c(2)%data = [(real(i), i = 5, 7)]
  print *, c(1)%data, lbound(c(2)%data), c(2)%data(0)
  call move_alloc(c(1)%data, c(2)%data)
  print *, allocated(c(1)%data), c(2)%data
  deallocate(c)
  allocate(c(3))
  print *, (allocated(c(i)%data), i = 1, 3)
  c(2)%data = [1, 2, 3, 4]
  s = 0
  do j = 1, 4
    do i = 2, 3
      if (allocated(c(i)%data)) then
        if (j <= size(c(i)%data)) s = s + c(i)%data(j) * j
      end if
    end do
  end do
  print *, s
  do while (c(2)%data(1) < 5)
    c(2)%data(1) = c(2)%data(1) + 1
  end do
  print *, c(2)%data
  do i = 1, 3
    g%rows(i)%id = 10 * i
    allocate(g%rows(i)%data(i))
    g%rows(i)%data = g%rows(i)%id
  end do
  allocate(g%total(2, 3))
  g%total = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  h = g
  g%rows(2)%data(2) = 7
  g%total(1, :) = 0
  print *, h%rows(2)%data, g%rows(2)%data, h%total, g%total
  h%rows(1) = g%rows(3)
  print *, h%rows(1)%data
  x = [(real(i), i = 1, 10)]
  k = [7, 8, 9]
  v(1)%p => x(1:10:2)
  v(2)%p => x(3:4)
  v(3)%k => k(2)
  print *, v(1)%p, v(2)%p(1), v(3)%k, associated(v(3)%p), associated(v(1)%p, x(1:10:2)), associated(v(1)%k)
  v(1)%p(2) = 30
  v(3)%k = v(3)%k + 1
  print *, x, k
  w = v(1)
  w%p(1) = -1
  print *, x(1), associated(w%p, v(1)%p)
  v(2) = w
  v(2)%p = v(2)%p * 10
  print *, x
  nullify(v(2)%p)
  print *, associated(v(2)%p), associated(v(1)%p)
  allocate(v(2)%p(4))
  v(2)%p = 5
  w = view(v(2)%p, k(3))
  print *, sum(w%p), w%k
  deallocate(v(2)%p)
  do i = 1, 3
    allocate(v(i)%k)
    v(i)%k = i * i
  end do
  print *, (v(i)%k, i = 1, 3), sum([(v(i)%k, i = 1, 3)])
end program
