! Substrings in DATA, and blanks in numbers that are read.
program texts
  character(len=6) a, b(2)
  character(len=4) c
  integer i, j, k, m
  real x, y
  data a(1:2), a(4:6) / 'ab', 'xyz' /
  data (b(i)(2:3), i = 1, 2) / 'pq', 'r' /
  data c / 'wxyz' /
  print *, a, '|', b, '|', c
  read (*, '(bz, i4, i4, bn, i4, i4)') i, j, k, m
  print *, i, j, k, m
  read (*, '(f6.2, bz, f6.2)') x, y
  print *, x, y
end program
