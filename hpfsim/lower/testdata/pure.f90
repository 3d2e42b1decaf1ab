program main
  implicit none
  integer, parameter :: n = 8
  real :: a(n), total, x
  integer :: i, j
  common /shared/ total
  interface
    pure subroutine good(x, y)
      real, intent(in) :: x
      real, intent(out) :: y
    end subroutine
  end interface
  impure(x) = noisy(x) + 1
  forall (i = 1:n) a(i) = clean(a(i))
  forall (i = 1:n) a(i) = noisy(a(i))           !~ a FORALL calls NOISY, which is not PURE
  forall (i = 1:n, noisy(a(i)) > 0) a(i) = 1    !~ a FORALL calls NOISY, which is not PURE
  forall (i = 1:n) a(i) = impure(a(i))          !~ a FORALL calls NOISY, which is not PURE
  forall (i = 1:2)
    forall (j = 1:2) a(2*i+j) = noisy(a(j))     !~ a FORALL calls NOISY, which is not PURE
    where (a > noisy(1.0)) a = 2                !~ a FORALL calls NOISY, which is not PURE
  end forall
  call good(a(1), a(2))
contains
  real function noisy(v)
    real, intent(in) :: v
    print *, v
    noisy = v
  end function
  pure real function clean(v)
    real, intent(in) :: v
    character(10) :: text
    integer :: k
    real :: w(3)
    write (text, '(f8.3)') v
    read (text, *) clean
    do k = 1, 3
      w(k) = v + n
    end do
    call good(v, clean)
    clean = clean + sum(w) + a(1)
  end function
  pure subroutine worse(v, w, u)  !~ the argument U of WORSE, which is PURE, has no INTENT
    real, intent(inout) :: v(:)
    real, intent(in) :: w
    real :: u
    integer, save :: called       !~ CALLED keeps its value after a call of WORSE
    integer :: zero = 0           !~ ZERO keeps its value after a call of WORSE
    integer :: bits
    v(1) = w
    a(1) = w                      !~ WORSE is PURE, but assigns to A
    do i = 1, 2                   !~ WORSE is PURE, but assigns to I
      v(i) = 0
    end do
    print *, v                    !~ WORSE is PURE, but prints
    read *, v(1)                  !~ WORSE is PURE, but reads input
    call random_number(v)         !~ WORSE is PURE, but calls RANDOM_NUMBER
    call mvbits(1, 0, 1, bits, 0)
    call mvbits(1, 0, 1, i, 0)    !~ WORSE is PURE, but assigns to I
    call good(w, a(2))            !~ WORSE is PURE, but assigns to A
    call good(w, v(2))
    v(2) = noisy(w)               !~ WORSE is PURE, but calls NOISY, which is not
    v(2) = second()               !~ WORSE is PURE, but reads the clock by SECOND
    if (w > 1) stop               !~ WORSE is PURE, but stops the program
    total = 1                     !~ WORSE is PURE, but assigns to TOTAL
  end subroutine
  pure real function loose(v)     !~ the argument V of LOOSE, a PURE function, may be changed
    real :: v
    loose = v
  end function
  pure real function looser(w)    !~ the argument W of LOOSER, a PURE function, may be changed
    real, intent(inout) :: w
    looser = w
  end function
end program
pure subroutine good(x, y)
  real, intent(in) :: x
  real, intent(out) :: y
  real :: shared
  common /values/ shared
  y = x + shared
  shared = y                      !~ GOOD is PURE, but assigns to SHARED
contains
  subroutine within               !~ WITHIN is not PURE, but is within GOOD, which is
  end subroutine
end subroutine
