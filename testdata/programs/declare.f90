subroutine declare(u, v, str)
  implicit real*8 (a-h, o-z), integer (i-n), logical (l), character*4 (w)
  integer*8 big
  double precision x(0:9, -1:1), y(*)
  complex z
  complex*16 zz
  character(len=10) :: name, short*3
  character*(*) str
  character w1*8
  logical(kind=4), save :: flag = .true.
  parameter (pi = 3.14159d0, nn = 2**3 - 1)
  dimension q(nn, 2:nn+1)
  common /block/ c1(10), c2
  common c3, c4
  external f1, f2
  intrinsic sin
  data x /30*0.0d0/, i, j /1, -2/, (c1(k), k = 1, 10, 2) /5*1.5/
  data ((q(i, j), i = 1, 7), j = 2, 8) /49*0/
  interface
    function f1(t)
      real t, f1
    end function
    subroutine s1
    end subroutine s1
  end interface
  sf(a, b) = a * b + pi
  f1x = sf(1.0d0, 2.0d0)
  do while (f1x < 10 .and. .not. flag)
    f1x = f1x * 2
  enddo
  do
    exit
  end do
  z = (1.0, -2.0) * zz ** (-2) - (3)
  name = 'ab' // "c'd" // name(2:3) // str(1:1)
  if (flag .eqv. .false. .or. i >= 3 .and. j /= 4) then
    i = 1
  else if (i == 2) then
    i = -3 ** 2
  else
    i = (/ 1, 2, (k, k = 1, 3) /)
  end if
  write (unit=6, fmt='(1x, 2(i3, f8.3), es12.4e3, a, /)', advance='no') i, x(1, 1)
  read (5, *, end=10, iostat=ios) u, v
  read *, u
10 continue
  deallocate (d, stat=i)
end subroutine declare
