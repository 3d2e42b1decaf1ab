! Constants of bits, TRANSFER, and substrings of constants and in DATA.
program bits
  implicit none
  integer :: i, j, k(3)
  integer(8) :: long
  real :: x, y, v(4), w(4)
  double precision :: d
  complex :: z
  character(4) :: c, word(2)
  character(1) :: one(4)
  logical :: l
  data i, j, long / Z'FF', B'101', Z'FFFFFFFFFFFFFFFF' /
  data x, d / 1.5, 2.5d0 /
  data k / 2*O'17', Z"A" /
  data (word(i)(i:i+1), word(i)(i+2:i+2), i = 1, 2) / 'ab', 'c', 'de', 'f' /
  print *, i, j, long, x, d, k
  print *, int(z'7f'), real(z'40490FDB'), dble(z'3FF8000000000000'), int(z'FFFFFFFFFF', 8), int(z'FFFFFFFF')
  print *, word(1)(1:3), '|', word(2)(2:4)
  print *, 'abcdef'(2:4), 'abc'(2:2) // 'x', 'hello'(:2), 'hello'(4:)
  i = 3
  c = 'abcdef'(i:i+1) // 'it''s'(3:4)
  print *, c, len('abcdef'(2:i))
  ! TRANSFER
  print *, transfer(1.0, 1), transfer(1065353216, 1.0), transfer('abcd', 1)
  y = 2.5
  j = transfer(y, j)
  print '(z8)', j
  print *, transfer((/ 1, 2, 3 /), (/ 1_8 /), 1), size(transfer((/ 1.0, 2.0, 3.0 /), (/ 1d0 /)))
  print *, transfer((/ 1.5, -2.0 /), (1.0, 1.0)), transfer((3.0, 4.0), (/ 0.0 /))
  print *, transfer(1684234849, c), transfer('wxyz', one)
  l = transfer(1, l)
  print *, l, transfer(.true., 1)
  v = (/ (real(i), i = 1, 4) /)
  forall (i = 1:4) w(i) = transfer(transfer(v(i), 1) + 8388608, 1.0)
  print *, w
  do i = 1, 4
    w(i) = transfer(ieor(transfer(v(i), 1), ishft(1, 31)), w(1))
  end do
  print *, w
  z = transfer(v, z)
  print *, z, transfer(transfer(d, 1_8), d) == d
end program
