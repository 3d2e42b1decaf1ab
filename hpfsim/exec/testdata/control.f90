program control
  implicit none
  integer :: i, j, k, n
  real :: x
  character(3) :: s
  n = 0
  outer: do i = 1, 5
    inner: do j = 1, 5
      if (j == 3) cycle inner
      if (i == 4) exit outer
      if (i * j > 8) cycle outer
      n = n + i * j
    end do inner
  end do outer
  print *, i, j, n
  do 10 i = 1, 3
  do 10 j = 1, 3
10 n = n + 1
  do
    n = n - 1
    if (n < 5) exit
  end do
  do while (n < 9)
    n = n + 2
  end do
  print *, n
  do i = 10, 1, -3
    write (*, '(i4)', advance='no') i
  end do
  print *
  do i = 5, 1
    print *, 'never'
  end do
  print *, i
  select case (n)
  case (1, 3, 5:8)
    print *, 'a'
  case (9:)
    print *, 'b'
  case default
    print *, 'c'
  end select
  s = 'abc'
  pick: select case (s)
  case ('a':'b')
    print *, 'between'
  case ('x')
    print *, 'x'
  case default pick
    print *, 'other'
  end select pick
  select case (n > 3)
  case (.true.)
    print *, 'yes'
  case (.false.)
    print *, 'no'
  end select
  if (n > 100) print *, 'big'
  check: if (n > 100) then
    print *, 'big'
  else if (n > 8) then check
    print *, 'medium'
  else check
    print *, 'small'
  end if check
  goto 100
  print *, 'skipped'
100 continue
  do k = 1, 4
    goto (1, 2, 3) k
    print *, 'through'
    cycle
1   print *, 'one'
    cycle
2   print *, 'two'
3   print *, 'three'
  end do
  if (x == 0) x = 1
  block_if: if (.true.) then
    if (.false.) then
    else
      print *, 'nested'
    endif
  endif block_if
  call quit(3)
contains
  subroutine quit(n)
    integer, intent(in) :: n
    if (n == 3) then
      print *, 'leaving'
      return
    end if
    stop 'never'
  end subroutine quit
end program control
