program errors
  implicit none
  integer, parameter :: n = 8
  integer :: i, k(3) = (/ 1, 2, 3 /)
  real :: a(n), b(n, n), c(n), e(n, n)
  real, allocatable :: d(:)
  real :: f
  logical :: flag
  real :: shared(n)
  common /block/ shared
  character(len=4) :: name
  integer :: never(1) = (/ (i, i = 1, 2, 0) /) !~ a loop with a step of 0 does not end
  integer :: many(1) = (/ (i, i = 1, 100000000) /) !~ too many values of a constant array
  integer :: bound(1) = (/ (i, i = 1, k(1)) /) !~ a bound of the loop is not constant
  integer :: round(1) = (/ (f, f = 1, 2) /) !~ F cannot be the variable of a loop
  dimension a(3)               !~ A has dimensions already
!HPF$ PROCESSORS p(2, 2)
!HPF$ PROCESSORS q(5)          !~ Q has 5 processors, and there are 4
!HPF$ DISTRIBUTE a(BLOCK, BLOCK) !~ A has 1 dimensions, but 2 distributions
!HPF$ DISTRIBUTE b(BLOCK, BLOCK(3)) ONTO p !~ BLOCK(3) on 2 processors holds 6 elements, but there are 8
!HPF$ DISTRIBUTE e(BLOCK, *)
!HPF$ ALIGN c(i) WITH e(i + 1, 1) !~ index 8 of dimension 1 of C is aligned with index 9
!HPF$ DYNAMIC shared           !~ SHARED is in COMMON, whose arrays cannot be DYNAMIC
!HPF$ ALIGN z(i) WITH e(i, 1)  !~ the directive names Z, which is not declared
  x = 1                        !~ X is not declared
  flg = 1.0                    !~ FLG is not declared
  a = b                        !~ gets a value that is
  i = 3000000000               !~ 3000000000 is too large for INTEGER(4)
  i = int(300_1)               !~ 300 is too large for INTEGER(1)
  i = int(mod(3000000000_8, 7_8))
  i = 'abc'                    !~ a variable that is integer gets a value that is character
  flag = 1 + .true.            !~ the operands of + are integer and logical
  i = a(1, 2)                  !~ A has 1 dimensions, but 2 subscripts are given
  i = k(1.5)                   !~ a subscript of K is real
  if (i) i = 1                 !~ the condition is integer
  n = 3                        !~ this is not a variable
  i = 1 / 0                    !~ a constant is divided by zero
  i = summ(a)                  !~ SUMM is neither an array nor a function
  i = sqrt(2)                  !~ the argument of SQRT is integer
  f = atan2(1.0)               !~ ATAN2 lacks its argument X
  f = sum(1.0)                 !~ SUM of a scalar
  call subb(1)                 !~ there is no subroutine SUBB
  call sub(a(1:2), 2)          !~ SUB takes 1 arguments, but 2 are given
  call sub(flag)               !~ argument X of SUB is an array, but a scalar is given
  goto 77                      !~ there is no label 77
  exit                         !~ EXIT is not within a loop
  do i = 1, 10, 0              !~ a loop with a step of 0
  end do
  write (*, 900) i             !~ there is no FORMAT 900
  allocate (a(3))              !~ A is not allocatable
  allocate (d(3, 3))           !~ D has 1 dimensions, but 2 are given
  select case (f)              !~ the value of SELECT CASE is real
  case (1)
  end select
!HPF$ REDISTRIBUTE b(CYCLIC, BLOCK) !~ B is remapped, but is not DYNAMIC
  where (a(1) > 0) a = 1       !~ the mask of a WHERE is logical
  name = name // 3             !~ the operands of // are character and integer
!HPF$ INDEPENDENT, NEW(i)
  forall (i = 1:n) a(i) = 1    !~ NEW and REDUCTION are for loops, but a FORALL follows
  call system_clock(3)         !~ SYSTEM_CLOCK changes its argument COUNT, which is not a variable here
  call date_and_time(name, values=i) !~ argument VALUES of DATE_AND_TIME is integer
  call date_and_time(f)        !~ argument DATE of DATE_AND_TIME is real
  call exit('now')             !~ argument STATUS of EXIT is character
  call get_command_argument(value=name) !~ GET_COMMAND_ARGUMENT lacks its argument NUMBER
  f = etime(f)                 !~ the argument of ETIME is real
  if (flag) then
88  i = 1
  end if
  goto 88                      !~ the label 88 is within a block, which cannot be entered by a jump
!HPF$ INDEPENDENT
  do i = 1, n                  !~ declared INDEPENDENT, but line 75 leaves it
    do while (flag)
      exit
    end do
    if (flag) exit
  end do
end program errors
subroutine sub(x)
  real, intent(in) :: x(:)
  x(1) = 2                     !~ INTENT(IN) and cannot be assigned to
  data i, j /1, 2, 3/          !~ DATA has 3 values for 2 variables
end subroutine sub
subroutine sub(x)              !~ SUB is defined already
end subroutine
subroutine again
  twice(x) = 2 * twice(x - 1)  !~ the statement function TWICE calls itself
end subroutine
