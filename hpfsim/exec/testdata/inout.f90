program inout
  implicit none
  integer :: i, j, k(3), ios
  real :: x, y(2)
  double precision :: d
  logical :: l
  character(10) :: s, t
  character(20) :: buffer
  complex :: z
  read *, i, x, l, s
  print *, i, x, l, s
  read (*, *) k, y
  print *, k, y
  read (5, '(i3, f5.2, a4)') i, x, t
  write (6, '(i5, f8.3, 1x, a, "|")') i, x, t
  read (*, *, end=10, err=20) d, z
  print *, d, z
  read (*, *) (k(i), i = 1, 3), j
  print *, k, j
  write (buffer, '(i4.4, f6.2)') 42, 3.14159
  print *, buffer
  read (buffer, '(i4, f6.2)') i, x
  print *, i, x
  read (*, *, end=10) i
  print *, 'not here'
10 print *, 'end'
  read (buffer(1:1), *, iostat=ios) i, j
  print *, ios < 0
  write (*, 100) 1, 2.5, 'abc', .true.
100 format (i3, 2x, f6.2, tr2, a5, l4)
  write (*, '(3(i3, ","), i3)') 1, 2, 3, 4
  write (*, '(2i4)') 1, 2, 3, 4, 5
  write (*, '(e12.4, 1pe12.4, g12.4, es11.3, en12.3)') 12345.678, 12345.678, 0.5, 12345.678, 12345.678
  write (*, '(d12.4, f0.3, i0, 1x, z4, o4, b8)') 1.5d0, 0.25, 42, 255, 8, 5
  write (*, '(t5, a, t1, a)') 'right', 'left'
  write (*, '(sp, i5, ss, i5)') 5, 5
  write (*, '(a, :, a)') 'only'
  write (*, '(''it''''s'', 1x, "ok")')
  write (*, '(5x, a, /, a)') 'x', 'y'
  write (*, '(f5.1, f4.1)') 99999.0, -0.04
  write (*, *) 'list', 1, 2.0, 3d0, .false., (1.0, 2.0)
  print '(a10, a3)', 'abc', 'abcdef'
  print *, 1e20, 1e-20, 1d100, 0.1, 123456789.0, 1.0e6, 1.0e7, 0.01
  stop
20 print *, 'error'
end program
