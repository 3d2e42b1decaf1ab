! Scalars that loops write: in every iteration, in some, in none; what they hold behind the loop, and what may not be taken apart.
program scalars
  implicit none
  integer, parameter :: n = 10
  integer :: i, j, t, u, m(n), b(n, n)
  real :: a(n), c(n), x
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ ALIGN c(i) WITH a(i)
!HPF$ ALIGN m(i) WITH a(i)
!HPF$ DISTRIBUTE b(*, BLOCK)
  t = 77
  m = (/ 0, 2, 0, 3, 0, 0, 1, 0, 0, 0 /)
  do i = 1, n
    do j = 1, m(i)
      t = j * 10 + i
    end do
    c(i) = i
  end do
  print *, c, t, j
  do i = 1, n
    do j = 1, m(i)
      t = t + 1
    end do
    c(i) = t
  end do
  print *, c, t
  do i = 1, n
    do j = 1, m(i)
      u = i
    end do
    if (m(i) > 0) c(i) = u
  end do
  print *, c, u
  do i = 1, n
    if (m(i) > 1) then
      x = i
    else if (m(i) == 1) then
      x = -i
    else
      x = 100 * i
    end if
    a(i) = x
  end do
  print *, a, x
  do i = 1, n
    select case (m(i))
    case (2)
      u = 5
    case (3)
      u = 6
    end select
    a(i) = i
  end do
  print *, a, u
  do i = 1, n
    if (m(i) == 7) u = i
    a(i) = 2 * i
  end do
  print *, a, u
  t = 3
  do i = 1, n
    a(i) = t
    t = i
  end do
  print *, a, t
  t = 1
  b = 0
  do i = 1, n
    b(t:t+1, i) = 7
    t = mod(i, 6) + 1
  end do
  print '(10i2)', b
  do i = 1, n
    do j = i, 1
      t = 1000
    end do
    a(i) = i
  end do
  print *, a, t, j
  t = 4
  do i = 1, n
    do x = 1.0, 0.0
      t = i
    end do
    if (i == 3) t = i
    a(i) = 2 * i
  end do
  print *, t
  do i = 1, 0
    t = 5
    a(i) = t
  end do
  print *, a, t
end program scalars
