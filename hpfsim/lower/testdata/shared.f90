program shared
  real a(10), b(10), c(4)
  integer k(6)
  double precision d
  character*4 s, t
  common /x/ a, b
  common /y/ k, d
  common /z/ c
  common /t/ s, t
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE c(BLOCK)
  a = 1
end program shared
subroutine one
  real a(20)                   !~ A of COMMON /X/ shares storage with A of SHARED, and one of them is mapped
  integer k(4)
  real r(2)                    !~ R of COMMON /Y/ shares storage with K of SHARED, which is another type: legal Fortran, but not in the subset
  real c(4)
  character*8 s                !~ S of COMMON /T/ shares storage with S of SHARED, which is another type
  common /x/ a
  common /y/ k, r
  common /z/ c
  common /t/ s
!HPF$ DISTRIBUTE c(BLOCK)
end subroutine one
subroutine two(n)
  real c(4)                    !~ C of COMMON /Z/ shares storage with C of SHARED, and one of them is mapped
  real e(n)                    !~ E is in COMMON, but its size is not constant
  common /z/ c
  common /e/ e
end subroutine two
extrinsic(hpf_local) subroutine three(x)
  real x(:), y(10)
  integer, save :: n
!HPF$ DISTRIBUTE y(BLOCK)      !~ Y is mapped, but is a local variable of THREE, which is HPF_LOCAL
end subroutine three
extrinsic(hpf_local) function four(x) !~ functions that are EXTRINSIC(HPF_LOCAL) are legal, but not in the subset
  four = x
end function four
subroutine five(n)
  character(n), parameter :: v = 'x' !~ the length of the named constant V is not a number, or too large
  character(2000000000), parameter :: w(2) = 'x' !~ the length of the named constant W is not a number, or too large
  integer, parameter :: k(3) = (/ 1, 2 /) !~ K has 3 elements, but 2 values are given
  integer, parameter :: m(n) = 1 !~ M has an initial value but no constant size
end subroutine five
