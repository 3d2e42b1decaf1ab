! Bounds of arguments in COMMON, alignment with a later argument, and functions whose callers declare their length.
program bounds
  common /size/ n
  real a(6), b(6)
  character(len=5) word
  character(len=8) other
  character(len=12) named
  external word, other, named
  n = 6
  a = (/ (real(i), i = 1, 6) /)
  b = 2 * a
  call show(a)
  n = 3
  call show(a(2))
  call add(a, b)
  print *, a
  print *, '[', word('abcdefgh'), ']', len(word('x'))
  print *, '[', named(3), ']'
  call pass(other)
end program

subroutine show(x)
  common /size/ n
  real x(n)
  print *, n, size(x), sum(x)
end subroutine

subroutine add(x, y)
  real x(6), y(6)
!HPF$ ALIGN x(i) WITH y(i)
!HPF$ DISTRIBUTE y(BLOCK)
  x = x + y
end subroutine

subroutine pass(f)
  character(len=8) f
  external f
  print *, '[', f('pq'), ']'
end subroutine

character*(*) function word(s)
  character*(*) s
  word = s
end function

character*(*) function other(s)
  character*(*) s
  other = s // s
end function

character*(*) function named(k)
  named = repeat(char(64 + k), 20)
end function
