! Files of all kinds of access. The status of each statement that fails is that of gfortran.
program files
  implicit none
  integer :: i, n, s, u, v
  integer(8) :: p
  real :: x(5), y(5)
  double precision :: d
  complex :: z
  logical :: l, m
  character(20) :: c, e
  character(8) :: line(3)

  ! OPEN and its errors
  open(20, file='nofile', status='old', iostat=s); print *, 'old', s
  open(20, file='one', status='replace', iostat=s); print *, 'replace', s
  write(20, *) 'a'
  close(20)
  open(20, file='one', status='new', iostat=s); print *, 'new', s
  open(20, file='one', access='direct', iostat=s); print *, 'no length', s
  open(20, file='one', status='scratch', iostat=s); print *, 'scratch', s
  open(20, file='one', status='bogus', iostat=s); print *, 'bogus', s
  n = -5
  open(n, file='one', iostat=s); print *, 'negative', s
  read(n, *, iostat=s) i; print *, 'negative', s
  close(20, iostat=s); print *, 'close', s
  close(20, status='bad', iostat=s); print *, 'close', s

  ! The end of a file
  open(20, file='one', status='old')
  read(20, *, iostat=s) c; print *, c, s
  read(20, *, iostat=s) c; print *, s
  backspace(20)
  read(20, *, iostat=s) c; print *, s
  backspace(20); backspace(20)
  read(20, *, iostat=s) c; print *, c, s
  read(20, *, end=10) c
  print *, 'not here'
10 rewind 20
  read(20, *, err=20, iostat=s) i
  print *, 'not here'
20 print *, 'error', s
  close(20)

  ! What may be read and written
  open(20, file='one', action='read')
  write(20, *, iostat=s) 1; print *, 'read only', s
  close(20)
  open(20, file='one', action='write')
  read(20, *, iostat=s) i; print *, 'write only', s
  read(20, iostat=s) i; print *, 'write only', s
  close(20, status='delete')
  inquire(file='one', exist=l); print *, l

  ! A sequential WRITE ends the file
  open(20, file='two', status='replace')
  write(20, '(a)') 'abcdef', 'ghi', 'jkl'
  rewind 20
  read(20, *) c
  write(20, '(a)') 'new'
  close(20)
  open(20, file='two', position='append')
  write(20, '(a)') 'more'
  rewind(unit=20)
  do
    read(20, '(a)', iostat=s) c
    if (s /= 0) exit
    print *, '|', c, '|'
  end do
  rewind 20
  endfile 20
  backspace 20
  write(20, *, iostat=s) 'y'; print *, s
  inquire(20, size=i, position=c, access=e); print *, i, c, e
  close(20)

  ! Direct access
  open(20, file='three', access='direct', recl=8, status='replace')
  write(20, rec=3) 1, 2
  read(20, rec=1) i, n; print *, i, n
  read(20, rec=4, iostat=s) i; print *, 'no record', s
  read(20, rec=0, iostat=s) i; print *, 'no record', s
  write(20, rec=1, iostat=s) 1, 2, 3; print *, 'long', s
  read(20, '(i5)', rec=1, iostat=s) i; print *, 'format', s
  inquire(20, size=p, nextrec=n, recl=i, access=c); print *, p, i, c
  close(20, status='delete')
  open(20, access='direct', form='formatted', recl=10, status='scratch')
  write(20, '(a)', rec=2) 'two'
  write(20, '(a/a)', rec=3) 'three', 'four'
  read(20, '(a)', rec=4) c; print *, c
  read(20, '(a/a)', rec=2) c, e; print *, c, e
  inquire(20, nextrec=i); print *, i
  read(20, '(a)', rec=9, iostat=s) c; print *, s
  close(20)

  ! Unformatted records
  x = (/ 1.5, -2.0, 3e10, 0.0, 1e-10 /)
  open(20, file='four', form='unformatted', status='replace')
  write(20) 1, 2
  write(20) x, 7.25d0, (1.0, -1.0), .true., 'text'
  write(20)
  write(20) 3_8, 4_2, 5_1
  rewind 20
  read(20) i; print *, i
  read(20) y, d, z, l, c(1:4); print *, y, d, z, l, c(1:4)
  read(20)
  read(20) p; print *, p
  backspace 20
  read(20, iostat=s) p, i; print *, s
  backspace 20; backspace 20; backspace 20
  read(20) y; print *, y
  read(20); read(20)
  read(20, iostat=s) i; print *, s
  inquire(20, size=i); print *, i
  close(20)
  open(20, file='four', form='unformatted', access='stream')
  read(20) i, n, v; print *, i, n, v
  read(20, pos=17) i; print *, i
  inquire(20, pos=i); print *, i
  close(20, status='delete')

  ! Streams
  open(20, file='five', access='stream', status='replace')
  write(20) 'abcdef'
  write(20, pos=2) 'X'
  inquire(20, pos=i); print *, i
  read(20, pos=1) c(1:6); print *, c(1:6)
  read(20, iostat=s) c(1:5); print *, s
  close(20, status='delete')
  open(20, file='six', access='stream', form='formatted', status='replace')
  write(20, '(a)') 'abcdef', 'ghi'
  write(20, '(a)', pos=2) 'X'
  rewind 20
  read(20, '(a)') c; print *, c
  read(20, '(a)', iostat=s) c; print *, s
  close(20, status='delete')

  ! Without advance
  open(newunit=u, file='seven', status='replace', delim='quote')
  print *, u < 0
  write(u, '(a)', advance='no') 'abc'
  write(u, '(t2,a)', advance='no') 'X'
  write(u, *) 5
  write(u, *) 'it''s', 1, 'a"b', 'c'
  write(u, '(a)') '12345'
  rewind u
  read(u, '(a2)', advance='no') c
  read(u, '(a3)', advance='no', size=n) e
  print *, c, e, n
  read(u, *) i; print *, i
  read(u, '(a)') line(1); print *, line(1)
  read(u, '(a3)', advance='no') c
  read(u, '(a4)', advance='no', eor=30, size=n) e
  print *, 'not here'
30 print *, c, e, n
  read(u, '(a4)', advance='no', iostat=s) e; print *, s
  close(u)
  open(newunit=u, file='seven', pad='no', status='replace')
  write(u, '(a)') 'abc'
  rewind u
  read(u, '(a5)', iostat=s) c; print *, 'pad', s
  close(u, status='delete')
  open(newunit=u, status='scratch', blank='zero')
  write(u, '(a)') '1 2 '
  rewind u
  read(u, '(i4)') i; print *, i
  inquire(u, blank=c, form=e, named=l, opened=m); print *, c, e, l, m
  close(u)

  ! Units that no OPEN connects
  write(34, *) 'hello'
  inquire(34, name=c, opened=l, number=n); print *, c, l, n
  rewind(34)
  read(34, '(a)') c; print *, c
  close(34, status='delete')
  backspace(77, iostat=s); print *, s
  inquire(77, opened=l, exist=m, access=c); print *, l, m, c
  inquire(file='nothere', exist=l, opened=m, size=i, number=n); print *, l, m, i, n

  ! Internal files
  write(line, '(i3,a/f5.1)') 1, 'x', 2.5
  print *, line(:2)
  line(3) = ' 7, 8'
  read(line(3), *) i, n; print *, i, n
  read(line(1:2), '(i3/f5.0)') i, x(1); print *, i, x(1)
  write(line(1)(1:3), '(i5)', iostat=s) 12345; print *, s
  write(line, '(i1)', iostat=s) 1, 2, 3, 4; print *, s
  inquire(iolength=i) x, d, line, 1_2; print *, i
end program
