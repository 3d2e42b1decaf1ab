program strings
  implicit none
  character(len=:), allocatable :: s, tokens(:)
  character(len=32) :: buf
  integer :: i, n, ios
  real :: v
  s = 'alpha=1.5;beta=22;gamma=-3e2;bad=x'
  call split(s, ';', tokens)
  print *, size(tokens), len(tokens)
  do i = 1, size(tokens)
    n = index(tokens(i), '=')
    read (tokens(i)(n+1:), *, iostat=ios) v
    if (ios == 0) then
      print '(a, a, g0.4)', tokens(i)(:n-1), ' -> ', v
    else
      print '(2a)', trim(tokens(i)), ' is wrong'
    end if
  end do
  write (buf, '(i8.8)') 4711
  print *, trim(adjustl(buf)), len_trim(buf)
  print *, join(tokens, '|')
  print *, count([(s(i:i) == 'a', i = 1, len(s))])
  print *, palindrome('racecar'), palindrome('hello')
  print *, lle('a', 'b'), 'abc' < 'abd', 'Zebra' < 'apple'
contains
  subroutine split(s, sep, t)
    character(len=*), intent(in) :: s, sep
    character(len=:), allocatable, intent(out) :: t(:)
    integer :: i, k, n, longest, from
    n = 1; longest = 0; from = 1
    do i = 1, len(s)
      if (s(i:i) == sep) then
        n = n + 1
        longest = max(longest, i - from)
        from = i + 1
      end if
    end do
    longest = max(longest, len(s) - from + 1)
    allocate(character(len=longest) :: t(n))
    from = 1; k = 1
    do i = 1, len(s) + 1
      if (i > len(s)) then
        t(k) = s(from:)
      else if (s(i:i) == sep) then
        t(k) = s(from:i-1)
        k = k + 1
        from = i + 1
      end if
    end do
  end subroutine
  function join(t, sep) result(r)
    character(len=*), intent(in) :: t(:), sep
    character(len=:), allocatable :: r
    integer :: i
    r = trim(t(1))
    do i = 2, size(t)
      r = r // sep // trim(t(i))
    end do
  end function
  logical function palindrome(s)
    character(len=*), intent(in) :: s
    integer :: i
    palindrome = all([(s(i:i) == s(len(s)-i+1:len(s)-i+1), i = 1, len(s)/2)])
  end function
end program
