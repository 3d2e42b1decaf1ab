! The largest and the smallest of NaN, of infinities and of nothing.
program extremes
  real :: a(3), z(0), b(2,2)
  real*8 :: d(3)
  real :: zero
  zero = 0
  a = zero/zero
  print *, maxval(a), minval(a), maxval(z), minval(z), maxloc(a), minloc(a)
  d = -1/zero
  print *, maxval(d), minval(d), maxval(-d), minval(-d), maxloc(d)
  a(2) = 1
  print *, maxval(a), minval(a), maxloc(a), minloc(a), maxval(a, a < 0), minval(a, a<0)
  b = zero/zero; b(1,1) = 3
  print *, maxval(b, dim=1), minval(b, dim=2), maxval(b, 1, b > 5)
  print *, maxval(a, [.true.,.false.,.true.])
end
