! Functions in subscripts, in bounds of sections and among arguments are called once.
program once
  real a(10), c(10), b(10,10), t
  integer n, k
  real d(10)
  character*8 s
  logical l
!hpf$ distribute (block) :: a
!hpf$ distribute (block,*) :: b
  common /cnt/ n
  n = 0
  a = 1; c = 2; b = 3; s = 'abcdefgh'; d = (/ (i, i = 1, 10) /)
  a(f(1)) = 2
  call rep('a left')
  t = a(f(2))
  call rep('a right')
  if (a(f(3)) > 5) t = 3
  call rep('if one line')
  if (a(f(3)) > 5) then
     t = 3
  else if (a(f(4)) > 5) then
     t = 4
  else
     t = 5
  end if
  call rep('elseif')
  c(f(6):) = 1
  call rep('bound left')
  c(f(2):f(3)) = c(f(5):f(6)) + 1
  call rep('bounds')
  a(f(2):f(3)) = c(f(5):f(6)) + 1
  call rep('mapped bounds')
  s(f(2):f(3)) = 'xy'
  call rep('substr')
  s = s(f(2):f(4))//'z'
  call rep('substr right')
  t = sum(a(f(1):5))
  call rep('sum')
  t = maxval(c(f(1):5))
  call rep('maxval')
  c = cshift(c, f(1))
  call rep('cshift')
  a = cshift(a, f(1))
  call rep('cshift a')
  a(2:3) = g(2)
  call rep('scalar to section')
  c(2:3) = g(2)
  call rep('scalar to section c')
  do while (a(f(2)) > 100)
     t = 1
  end do
  call rep('while')
  do i = 1, nint(a(f(2)))
     t = 1
  end do
  call rep('do')
  select case (nint(a(f(2))))
  case (1)
     t = 1
  end select
  call rep('select')
  print *, 'x', a(f(2))
  call rep('print')
  print *, 'x', (a(f(i)), i=1,3)
  call rep('print implied')
  print *, c(f(2):f(3))
  call rep('print section')
  call s1(a(f(2)))
  call rep('call')
  call s2(a(f(2):f(4)), 3)
  call rep('call section')
  call s2(c(f(2):f(4)), 3)
  call rep('call section c')
  l = a(f(1)) > 0 .and. a(f(2)) > 0
  call rep('and')
  b(f(1),f(2)) = b(f(3),f(4))
  call rep('two dims')
  b(f(1),:) = b(:,f(4))
  call rep('row')
  a(f(1)) = a(f(2)) + a(f(1)+1)
  call rep('expr in sub')
  t = a(nint(a(f(2))))
  call rep('nested')
  a(nint(a(f(2)))) = 1
  call rep('nested left')
  c(nint(a(f(2))):3) = 1
  call rep('nested bound')
  t = g(f(1)) + a(f(1))
  call rep('mix')
  goto (10, 20) nint(a(f(1)))
10 continue
20 continue
  call rep('goto')
  if (nint(a(f(1)))) 30,30,30
30 continue
  call rep('arith')
  c(1:3) = (/ a(f(1)), a(f(2)), a(f(3)) /)
  call rep('list')
  a(1:3) = spread(a(f(1)), 1, 3)
  call rep('spread')
  t = dot_product(a(f(1):f(3)), c(f(1):f(3)))
  call rep('dot')
  where (c(1:4) > -100)
     a(1:4) = 3
     c(1:4) = d(f(int(a(1))):f(int(a(1)))+3)
  end where
  n = 0
  print *, c
  s = '5 7.5'
  k = 1
  read (s, *) k, a(f(k))
  n = 0
  print *, a, k
  k = 11
  if (size(a) >= k .and. a(f(k)) > 0) print *, 'beyond'
  n = 0
  if (k <= 10 .and. g(k) > 0 .and. a(f(k)) > 0) print *, 'beyond'
  n = 0
  if (k > 10 .or. a(f(k)) > 0) print *, 'or'
  n = 0
  if (g(3) > 2 .and. a(f(2)) > 0) print *, 'both'
  n = 0
!hpf$ independent
  do i = 1, 10
     c(i) = a(h(i))
  end do
  print *, c
contains
  pure integer function h(i)
    integer, intent(in) :: i
    h = 11 - i
  end function
  integer function f(i)
    integer i
    n = n + 1
    f = i
  end function
  real function g(i)
    integer i
    n = n + 1
    g = i
  end function
  subroutine s1(x)
    real x
    x = x + 1
  end subroutine
  subroutine s2(x, k)
    integer k
    real x(k)
    x = x + 1
  end subroutine
  subroutine rep(w)
    character*(*) w
    print *, w, n
    n = 0
  end subroutine
end program
