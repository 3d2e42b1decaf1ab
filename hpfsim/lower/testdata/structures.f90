module shapes
  implicit none
  type point
    real :: x, y
  end type
  type square
    type(point) :: corner
    real :: edge(2)
  end type
  type twice
    integer :: k, k            !~ TWICE has two components K
  end type
  type chain
    type(chain) :: next        !~ there is no derived type CHAIN
  end type
contains
  type(point) function middle(s)
    type(square), intent(in) :: s
    middle = point(s%corner%x + s%edge(1) / 2, s%corner%y)
  end function
end module
program errors
  use shapes
  implicit none
  type(point) :: p, ps(4)
  type(square) :: s
  type sack
    real, allocatable :: v(:)
  end type
  type(sack) :: sacks(3), bag
!HPF$ DISTRIBUTE sacks(BLOCK)  !~ a mapped array of the derived type SACK, whose component V is ALLOCATABLE or a POINTER
  type(pont) :: q              !~ there is no derived type PONT
  type(point) :: r = 3         !~ the value of R is not one of its derived type
  real :: a
  integer :: i
  a = p                        !~ a variable of an intrinsic type gets a value of the derived type POINT
  p = s                        !~ a variable of the derived type POINT gets a value of the derived type SQUARE
  a = p%z                      !~ the derived type POINT has no component Z
  a = a%x                      !~ this has no component X
  a = s%corner                 !~ a variable of an intrinsic type gets a value of the derived type POINT
  a = 1 + s%corner             !~ an operand has the derived type POINT, for which the operator is not defined
  a = ps(1, 2)%x               !~ PS has 1 dimensions, but 2 subscripts are given
  a = s%edge(1, 1)             !~ the component EDGE has 1 dimensions, but 2 subscripts are given
  a = sqrt(p)
  sacks = bag                  !~ each element of an array of the derived type SACK gets one value, whose component V is ALLOCATABLE
  print *, sacks%v             !~ the component V is ALLOCATABLE or a POINTER, and there is an array before it
  print *, sacks(1)            !~ the derived type SACK has a component, V, that is a pointer or ALLOCATABLE
  a = sacks(1)%v(1, 2)         !~ the component V has 1 dimensions, but 2 subscripts are given
  p = point(1)                 !~ the constructor of POINT has no value for Y
  p = point(1, 2, 3)           !~ the constructor of POINT has too many values
  p = point(1, z=2)            !~ the constructor of POINT has no component Z, or two values for it
  if (a > 1) then
    a = 2
  else if (dist(middle(s)) > 1) then !~ a value of a derived type is computed in ELSE IF
    a = 3
  end if
contains
  real function dist(p)
    type(point), intent(in) :: p
    dist = p%x
  end function
end program
