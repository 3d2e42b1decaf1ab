module generics
  implicit none
  interface show
    module procedure show_one, show_all, show_sum !~ SHOW_SUM is not a procedure here
  end interface
  interface twice
    module procedure twice_real
  end interface
  interface operator(.near.)
    module procedure near
  end interface
  integer taken
  integer twice                     !~ TWICE is a generic name, in line 6
  interface taken                   !~ TAKEN is declared already, in line 12
    module procedure show_one
  end interface
contains
  subroutine show_one(k)
    integer k
  end subroutine
  subroutine show_all(x, n)
    real x(:)
    integer, optional :: n
  end subroutine
  elemental real function twice_real(x)
    real, intent(in) :: x
    twice_real = 2 * x
  end function
  logical function near(a, b)
    real, intent(in) :: a, b
    near = abs(a - b) < 1e-3
  end function
  elemental real function wrong(x)  !~ X is an array, but WRONG is ELEMENTAL
    real, intent(in) :: x(:)
    wrong = sum(x)
  end function
  elemental subroutine prints(x)
    real, intent(in) :: x
    print *, x                      !~ PRINTS is PURE, but prints
  end subroutine
end module generics
program generic
  use generics
  implicit none
  integer :: k = 1
  real x(3), m(2, 2), y
  call show(k)
  call show(x, n=k)
  call show(m)                      !~ the generic subroutine SHOW has no procedure for (an array of type real and rank 2)
  call show(x, m=k)                 !~ the generic subroutine SHOW has no procedure for (an array of type real and rank 1; integer)
  y = twice(k)                      !~ the generic function TWICE has no procedure for (integer)
  x = twice(x)
  y = twice(x)                      !~ real gets a value that is an array of type real and rank 1
  print *, twice                    !~ the procedure TWICE is not a value
  print *, y .near. 2.0, k .near. y !~ the operator .near. has no procedure for (integer; real)
  print *, y .far. 2.0              !~ there is no operator .far.
  print *, y .and. 2.0              !~ the operands of .and. are real and real
  y = 'text'                        !~ a variable that is real gets a value that is character
end program generic
