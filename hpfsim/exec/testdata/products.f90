module m
  type vec
    real :: x, y
  end type
  interface operator(*)
    module procedure dot, times
  end interface
  interface operator(+)
    module procedure add
  end interface
contains
  real function dot(a, b)
    type(vec), intent(in) :: a, b
    dot = a%x * b%x + a%y * b%y
  end function
  type(vec) function times(s, a)
    real, intent(in) :: s
    type(vec), intent(in) :: a
    times = vec(s * a%x, s * a%y)
  end function
  type(vec) function add(a, b)
    type(vec), intent(in) :: a, b
    add = vec(a%x + b%x, a%y + b%y)
  end function
end module
program p
  use m
  type(vec) :: a, b
  a = vec(1, 2)
  b = vec(3, 4)
  print *, a * b + 3, 1 + a * b * 2 + 4, (a + b) * (2.0 * a + b)
  if (a * b + 1 > 11.5) print *, 'yes'
end program
