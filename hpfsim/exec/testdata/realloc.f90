! Arrays of a module that a loop uses are allocated anew by calls within the loop.
module store
  implicit none
  real(8), allocatable :: a(:), b(:, :)
  integer :: top = 0, size_of_a = 0
  real(8) :: last = 0
contains
  subroutine grow(n)
    integer, intent(in) :: n
    real(8) :: was(n)
    was = 0
    if (allocated(a)) then
      was(1:size_of_a) = a
      deallocate (a, b)
    end if
    allocate (a(n), b(0:n, 2))
    a = was
    b = n
    size_of_a = n
  end subroutine
  subroutine push(x)
    real(8), intent(in) :: x
    if (top == size_of_a) call grow(2 * size_of_a)
    top = top + 1
    a(top) = x
    last = x
  end subroutine
end module store
program realloc
  use store
  implicit none
  integer i, k
  real(8) :: s = 0
  call grow(4)
  do i = 1, 5000
    call push(i * 0.5d0)
    s = s + a(top) - last + b(mod(i, size_of_a), 2)
    if (mod(i, 3) == 0) a(i / 3 + 1) = a(i / 3 + 1) + top
    k = top
    do while (k > top - 3 .and. k > 0)
      s = s + a(k)
      k = k - 1
    end do
  end do
  print *, s, top, size_of_a, last, a(17), sum(a(1:top)), size(b)
end program realloc
