program types
  implicit none
  integer*1 i1; integer*2 i2; integer*4 i4; integer*8 i8
  integer, parameter :: dp = kind(1.0d0), sp = selected_real_kind(6), k9 = selected_int_kind(9)
  real(dp) :: x; real(kind=8) :: y; real*8 z; real(sp) :: w; integer(k9) :: q
  complex :: c; complex(dp) :: zc; complex*16 :: zz; double complex :: dc
  logical :: l; logical*1 :: l1
  character :: c1; character*10 :: c10; character(len=5), dimension(3) :: names
  integer, dimension(2,3) :: m = reshape((/1,2,3,4,5,6/), (/2,3/))
  integer, parameter :: tab(4) = (/ 2, 3, 5, 7 /), sq(4) = tab
  real, parameter :: zero(3) = 0.0
  integer :: k
  data names /'one', 'two', 'three'/
  i1 = 127; i2 = -32768; i4 = 2147483647; i8 = 9223372036854775807_8
  print *, i1, i2, i4, i8
  x = 1.0_dp / 3; y = x * 3; z = sqrt(2d0); w = 1.0 / 3; q = 5
  print *, x, y, z, w, q
  c = (1.0, 2.0); zc = c * (0.5_dp, 0.0_dp); zz = exp(zc); dc = dcmplx(1d0, -1d0)
  print *, c, zc
  print '(4f10.5)', zz, dc
  print *, real(c), aimag(c), conjg(c), abs(c)
  l = .true.; l1 = .false.
  print *, l .and. l1, l .or. l1, l .eqv. l1, l .neqv. l1, .not. l
  c1 = 'x'; c10 = 'hello'
  print *, c1, '|', c10, '|', trim(c10), '|', c10(2:3), len(c10), len_trim(c10)
  print *, names, names(2)(1:2), adjustl('  ab'), adjustr('ab  ')
  print *, m, m(2,:), tab, sq, zero
  do k = 1, 4
    print *, tab(k), tab(5-k) * k
  end do
  print *, ichar('A'), char(66), 'a' < 'b', llt('a', 'b'), 'abc' == 'abc  ', index('hello', 'l', .true.), scan('hello', 'lo'), verify('aab', 'a')
  print *, int(3.7), nint(-3.5), floor(-3.2), ceiling(3.2), aint(3.7), anint(3.5), real(7)/2, dble(1)/3, 7/2, -7/2, mod(-7,3), modulo(-7,3)
  print *, 2**10, 2.0**(-2), 2**(-1), (-2)**3, 4**0.5, iand(12,10), ior(12,10), ieor(12,10), not(0), ishft(1,4), ishft(16,-2), btest(5,2), ibset(0,3), ibclr(15,0)
  print *, max(1,2,3), min(1.5,0.5), sign(3,-2), dim(5,3), dim(3,5), abs(-4), mod(7.5,2.0), dprod(2.0,3.0)
  print *, huge(i1), huge(i2), huge(i4), huge(i8), kind(x), kind(w), digits(1.0), radix(1), range(1), precision(1d0), maxexponent(1.0)
  print '(5f9.5)', sin(1.0), cos(1.0), tan(1.0), asin(0.5), acos(0.5), atan(1.0), atan2(1.0,-1.0), sinh(1.0), cosh(1.0), tanh(1.0)
  print '(5f9.5)', exp(1.0), log(2.0), log10(2.0), sqrt(2.0), alog(2.0), dlog(2d0), dsqrt(2d0), dabs(-1d0), amax1(1.,2.), amin1(1.,2.)
  print *, max0(1,2), min0(1,2), iabs(-3), float(3), ifix(3.5), sngl(2d0), dfloat(3), dmax1(1d0,2d0), dmin1(1d0,2d0), isign(2,-1), idint(2.5d0), amod(5.,3.), dmod(5d0,3d0)
  print *, merge(1, 2, l), transfer_ok()
contains
  logical function transfer_ok()
    transfer_ok = .true.
  end function
end program
