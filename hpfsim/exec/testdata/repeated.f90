program main
  implicit none
  type cell
    integer :: k, v(2)
  end type
  type(cell) :: a, b(3), c(2, 2)
  a%k = 7
  a%v = (/ 1, 2 /)
  b = a
  c = b(2)
  c(1, :) = cell(5, (/ 8, 9 /))
  b(2:3) = b(1:2)
  print *, b
  print *, c
  b = cell(1, 4)
  print *, b(3)
end program
