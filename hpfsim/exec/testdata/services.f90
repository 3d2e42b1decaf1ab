program services
  implicit none
  character(8) :: date
  character(10) :: time
  character(5) :: zone
  character(40) :: text
  integer :: values(8), count, rate, most, length, status, bits, k, sizes(3)
  integer(8) :: fine, often, limit
  real :: seconds, both(2), start, more
  real :: etime
  integer :: iargc
  integer(8) :: long
  call date_and_time(date, time, zone, values)
  print *, len_trim(date), index(time, '.'), zone(2:5) == '0000' .or. .true., values(1) > 1999, values(2) >= 1, values(5) < 24
  call date_and_time(values=values)
  call system_clock(count, rate, most)
  print *, count >= 0, count <= most, rate > 0
  call system_clock(fine, often, limit)
  print *, fine >= 0, limit == huge(limit), often >= rate
  call cpu_time(seconds)
  start = etime(both)
  do k = 1, 1000
    sizes(mod(k, 3) + 1) = k
  end do
  more = etime(both)
  print *, seconds >= 0, more >= start, abs(both(1) + both(2) - more) < 1e-4, sizes
  call second(seconds)
  print *, command_argument_count(), iargc()
  text = 'before'
  call get_command_argument(1, text, length, status)
  print *, '[', trim(text), ']', length, status > 0
  call getarg(2, text)
  print *, len_trim(text)
  call flush(6)
  call flush
  bits = 6
  call mvbits(7, 0, 2, bits, 0)
  print *, bits, ishftc(3, 1), ishftc(-8, -2), ishftc(5, 1, 3), ishftc(5, -1, 3), ishft(-1, -28)
  long = 5
  call mvbits(long, 0, 3, long, 40)
  print *, long
  print *, exponent(6.0), fraction(6.0), scale(3.0, 4), set_exponent(6.0, 1), spacing(1.0), rrspacing(-6.0), nearest(1.0, -1.0) - 1.0
  print *, exponent(0.375d0), fraction(-0.375d0), spacing(1d10), nearest(1d0, 1d0) - 1d0, spacing(0.0) == tiny(0.0), scale((/ 1.0, 3.0 /), (/ 2, -2 /))
  if (k > 5) call exit
  print *, 'not here'
contains
  subroutine second(s)
    real :: s
    s = s + 0
  end subroutine
end program
