! NAMELIST: what WRITE writes, and what READ reads.
program namelists
  implicit none
  integer :: i = 5, a(12) = (/ 1, 1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9 /), m(2, 2) = 3, five(5) = (/ 1, 2, 3, 4, 5 /), k, n, odd(6) = 0
  integer(1) :: i1 = 3
  integer(2) :: i2 = -3
  integer(8) :: big = 7
  real :: x = 1.5, x3(3) = 2.5, r(30)
  double precision :: d = -2d10
  complex :: z = (1, 2), zz(2) = (0, -1)
  logical :: l = .true., ll(2) = .false.
  character(5) :: c = 'it"s'
  character(3) :: cs(2) = (/ 'ab ', 'cd ' /), same(4) = 'x'
  character(70) :: line
  namelist /grp/ i, a, m, five, i1, i2, big, x, x3, r, d, z, zz, l, ll, c, cs, same
  namelist /in/ i, odd, m, x, d, z
  namelist /in/ l, c, cs
  r = (/ (k * 1.25, k = 1, 30) /)
  write(*, grp)
  write(*, nml=in)
  open(9, status='scratch', delim='apostrophe')
  write(9, in)
  rewind 9
  do k = 1, 20
    read(9, '(a)', iostat=n) line
    if (n /= 0) exit
    print *, line
  end do
  close(9)
  open(9, status='scratch')
  write(9, '(a)') ' a comment', '&other i = 9 /', '&IN i = 1, x=2.5, odd(2)=7, 8 9, m(1,2) = 4 /', &
    " &in c='a''b' l=f cs = 'x','y'", ' z = (3, 4) ! a comment', ' d = 1d5', ' /', &
    '&in odd = 3*1, , 2*5 &end', '$in i=7 $end', "&in odd(2:6:2) = 1,2,3 c(2:3) = 'ZZ' cs(2)(1:1)='q' /", &
    '&in odd(6:4:-1) = 3*9 m(:,2)=8 , 9', ' L = .true. X=', ' 7.5', '  D=1,', '  Z = (', '1,2)/', &
    '&in odd = 6*, i = 2*', '/', '&in nothere = 3 /', '&in odd = 1 2 3 4 5 6 7 /', '&in i = 3', ' x = 4'
  rewind 9
  do k = 1, 12
    read(9, in, iostat=n)
    print *, k, n
    print *, i, odd, m
    print *, x, d, z, l, '|', c, '|', cs, '|'
    if (n < 0) exit
  end do
end program
