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
    integer, save :: called       !~ CALLED outlives a call of WORSE
    integer :: zero = 0           !~ ZERO outlives a call of WORSE
    integer :: bits
    v(1) = w
    a(1) = w                      !~ WORSE is PURE, and gives A a value
    do i = 1, 2                   !~ WORSE is PURE, and gives I a value
      v(i) = 0
    end do
    print *, v                    !~ WORSE is PURE, and prints
    read *, v(1)                  !~ WORSE is PURE, and reads what it is given
    call random_number(v)         !~ WORSE is PURE, and calls RANDOM_NUMBER
    call mvbits(1, 0, 1, bits, 0)
    call mvbits(1, 0, 1, i, 0)    !~ WORSE is PURE, and gives I a value
    call good(w, a(2))            !~ WORSE is PURE, and gives A a value
    call good(w, v(2))
    v(2) = noisy(w)               !~ WORSE is PURE, and calls NOISY, which is not
    v(2) = second()               !~ WORSE is PURE, and asks for the time by SECOND
    if (w > 1) stop               !~ WORSE is PURE, and stops the program
    total = 1                     !~ WORSE is PURE, and gives TOTAL a value
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
  shared = y                      !~ GOOD is PURE, and gives SHARED a value
contains
  subroutine within               !~ WITHIN is within GOOD, which is PURE, and is not
  end subroutine
end subroutine
