program errors
  integer :: i
  type point
    sequence
    real :: x, y
    x = 1                    !~ X is not part of a derived type
    integer i /3/            !~ values between slashes are for variables, and this is a component
    real, pointer :: next
  end type pint              !~ END TYPE names PINT, but this is POINT
  type(point :: where        !~ unexpected ':' after the name of a derived type
  i = 1 +                    !~ unexpected end of the statement instead of an expression
  i = (1 + 2                 !~ unexpected end of the statement in parentheses
  i = 1 2                    !~ unexpected '2' after a complete statement
  prnt *, i                  !~ PRNT does not begin a statement
  do i = 1 10                !~ unexpected '1' in the bounds of a loop
  end do                     !~ END DO does not end a block
  if (i == 1) the n          !~ THE
  call                       !~ unexpected end of the statement instead of the name of a subroutine
  goto                       !~ unexpected end of the statement instead of a label
  i = 99999999999999999999   !~ is too large
  x = 1e999                  !~ is too large
  y = 'abc                   !~ a character constant is not terminated
  i % 3 = 3                  !~ instead of the name of a component
  p => i
  i = z'fg'                  !~ "fg" is not a constant of bits
  open (unit=3, fil='x')     !~ FIL= does not belong to OPEN
  write (6, unit=6) i        !~ UNIT= is given twice
  write (6, '(i3, q4)') i    !~ no edit descriptor begins with Q
100 format (f8)              !~ F without a number of digits
  real late                  !~ a declaration follows an executable statement
  forall (1:3) i = 1         !~ instead of the indices
  select case (i)
    i = 2                    !~ a statement precedes the first CASE
  case (1)
  end select
  where (i > 1)
    print *, i               !~ only assignments are allowed in WHERE
  end where
!HPF$ DISTRIBUT a(BLOCK)     !~ DISTRIBUT is not a directive
!HPF$ DISTRIBUTE a(BLOK)     !~ BLOK is not a distribution
!HPF$ REDISTRIBUTE a(GEN_BLOCK)    !~ before the array of GEN_BLOCK or INDIRECT
!HPF$ INDEPENDENT            !~ INDEPENDENT is not followed by a loop
  i = 3
  do 10 i = 1, 3             !~ the label 10, which ends this loop, is missing
  i = 4
end program wrong            !~ names WRONG, but this is ERRORS
module m
  integer k, a(3)
  use n                      !~ USE follows a declaration
  a(k) = 1                   !~ the module M has an executable statement
contains
  k = 1                      !~ a procedure of a module begins with neither
  end
end module n                 !~ END MODULE names N, but this is M
block data
  integer k
  common k
  print *, k                 !~ the block data BLOCK DATA has an executable statement
end block data
subroutine q
  interface
    module procedure m       !~ MODULE PROCEDURE in an interface without a name
  end interface
  interface f
  end interface g            !~ END INTERFACE names G, but this is the interface F
  interface operator(=)      !~ this is not an operator
  end interface              !~ END INTERFACE does not end a block
end subroutine q
subroutine r
  use m, k                   !~ a name without => follows the module M
  use m, only k              !~ a name without => follows the module M
  private                    !~ R is not a module, and all of its names are its own
  real, public :: x          !~ R is not a module, and all of its names are its own
end subroutine r
function g(a, *)             !~ the function G has an alternate return
  if (a > 1) then
    entry h(a)               !~ ENTRY within a block
  end if
  g = g(*10)                 !~ a label is an argument of CALL only
  call s(a, *)
contains
  subroutine inner
    entry outer              !~ ENTRY in INNER
  end subroutine
end function
subroutine s(a, *)
  if (a) then
    a = 1
end                          !~ END cannot end the construct that begins in line 87
