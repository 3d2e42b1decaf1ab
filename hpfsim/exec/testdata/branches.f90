! Ways out of blocks and loops: labels of END statements, loops that are left, promises that are not kept.
program branches
  integer :: i, j, k, a(10)
!HPF$ DISTRIBUTE a(BLOCK)
  k = 0
  do i = 1, 4
    if (i > 1) then
      if (i == 3) goto 10
      k = k + i
10  end if
    if (i == 2) goto 20
    k = k + 100
20 end do
  print *, k
  select case (k)
  case (1:)
    if (k > 3) goto 30
    print *, 'no'
30 end select
  while: do while (k > 0)
    k = k - 50
    if (k < 100) cycle while
    print *, k
  end do while
  do 40, i = 1, 3
    if (i .eq. 2) goto 40
    print *, i
40 end do
  a = 0
!HPF$ INDEPENDENT
  do i = 1, 10
    a(i) = i
    if (i == 4) exit
  end do
  print *, a, i
  call returns(a)
  print *, a
  rows: do j = 1, 3
!HPF$ INDEPENDENT
    do i = 1, 10
      if (i == 5 * j) cycle rows
      a(i) = 100 * j + i
    end do
  end do rows
  print *, a, i, j
!HPF$ INDEPENDENT
  do i = 1, 10
    inner: do j = 1, 3
      if (j == 2) exit inner
      a(i) = a(i) - j
    end do inner
    if (a(i) > 200) goto 50
    a(i) = 0
50  continue
  end do
  print *, a, i, j
contains
  subroutine returns(b)
    integer :: b(10), k
!HPF$ DISTRIBUTE b(BLOCK)
!HPF$ INDEPENDENT
    do k = 1, 10
      if (k == 6) return
      b(k) = -k
    end do
    b = 99
  end subroutine
end program branches
