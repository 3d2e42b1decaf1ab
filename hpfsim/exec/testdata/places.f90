! Functions of Fortran 2008: places of values, norms, masks and patterns of bits.
program places
  integer :: a(5) = [3, 1, 3, 2, 9], m(2,3) = reshape([1,2,3,2,2,3],[2,3])
  real :: x(3) = [3., 4., 12.], y(2,2) = reshape([1.,2.,3.,4.],[2,2])
  character(4) :: c(2) = ['ab  ', 'cd  ']
  integer(1) :: i1
  print *, findloc(a, 3), findloc(a, 3, back=.true.), findloc(a, 7), findloc(a, 3, dim=1), findloc(a, 3, a /= a(1))
  print *, findloc(m, 2), findloc(m, 2, dim=1), findloc(m, 2, dim=2, back=.true.)
  print *, findloc(c, 'cd'), findloc([.true.,.false.,.true.], .false.)
  print *, norm2(x), norm2(y, dim=1), norm2(y, 2)
  print *, maskl(3), maskr(5), maskl(32), maskr(32), maskl(0), maskr(0_8, kind=8), maskl(8, 1)
  print *, merge_bits(12, 10, 6), bge(-1, 1), bgt(1, -1), ble(1, -1), blt(5, 5), bge(-1_1, 127_1)
  print *, dshiftl(1, -2147483647, 3), dshiftr(5, -8, 2), dshiftl(5, 6, 0), dshiftr(5, 6, 0), dshiftl(5, 6, 32), dshiftr(5, 6, 32)
  print *, storage_size(1), storage_size(1d0), storage_size(c), storage_size((1.,2.)), storage_size(i1), storage_size(.true.)
  print '(4f12.6)', bessel_jn(2, 1.5), bessel_yn(3, 2.5), erfc_scaled(0.5), erfc_scaled(30.0)
  print '(3f20.15)', bessel_jn(2, 1.5d0), bessel_yn(3, 2.5d0), erfc_scaled(2.5d0)
end
