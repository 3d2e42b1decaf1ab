! Parts of complex numbers by name, and KIND= of functions that count.
program complexparts
  implicit none
  type pair
    complex(8) :: c = (1d0, 2d0)
    integer :: re = 4
  end type
  type(pair) :: x
  complex :: z, w(3)
  integer :: a(4) = [4, 9, 2, 9]
  integer(8) :: k
  character(5) :: s = 'abc'
  z = (1., 2.)
  z%re = 5
  print *, z%im, z
  z%im = z%re + z%im
  w = z
  w(2)%im = 7
  w%re = [1., 2., 3.]
  print *, w, w(2:3)%im
  x%c%im = 9d0
  x%re = x%re + 3
  print *, x%c, x%c%re, x%re
  print *, size(a, kind=8), count(a > 3, kind=2), len(s, kind=8), index(s, 'c', kind=8), len_trim(s, kind=8)
  print *, ubound(a, 1, kind=8), lbound(a, kind=8), maxloc(a, dim=1, kind=8)
  print *, scan(s, 'cb', .true., 8), verify(s, 'a', kind=1), ichar('a', kind=8)
  k = size(a, kind=8) * 1000000000_8
  print *, k, maxloc(a), index(s, 'b', .true.)
end program
