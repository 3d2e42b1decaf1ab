module lists
  implicit none
  integer, parameter :: most = 3
  type item
    integer :: key = -1
    real, allocatable :: values(:)
  end type
  type(item) :: shared
  type pair
    integer :: a, b
  end type
  type(pair), dimension(most) :: pairs = pair(1, 2)
end module
program main
  use lists, renamed => shared
  implicit none
  type(item) :: own
  print *, renamed%key, own%key
  call grow2(3)
  print *, renamed%values, size(renamed%values)
  print *, pairs
  pairs(2)%b = 9
  print *, pairs%b, pairs(2)
contains
  subroutine grow2(n)
    integer, intent(in) :: n
    integer :: i
    allocate(renamed%values(n))
    do i = 1, n
      renamed%values(i) = i * 1.5
    end do
  end subroutine
end program
