! FORALL finds out first for which indices it assigns; all of a statement is computed before any of it is stored. WHERE computes
! nothing where its mask does not hold.
program forall
  integer i, j, n
  parameter (n=8)
  integer a(n), b(n), m(n,n), k(n)
!HPF$ distribute a(block)
!HPF$ distribute m(block,*)
  a = (/ 1,-2,3,-4,5,-6,7,-8 /)
  b = 0
  forall (i=1:n, a(i) > 0)
    a(i) = -a(i)
    b(i) = 1
  end forall
  print *, a, b
  forall (i=1:n,j=1:n) m(i,j) = 10*i+j
  forall (i=1:n)
    forall (j=1:n) m(i,j) = m(j,i)
  end forall
  print '(8I4)', m
  forall (i=2:n)
    where (m(i,:) > 40) m(i,:) = m(i-1,:) + 1
  end forall
  print '(8I4)', m
  k = (/ 3,1,2,3,4,5,6,7 /)
  n2 = 3
  forall (i=1:n2)
    k(i) = k(i) + 100
    a(k(i)-100) = i
  end forall
  print *, k, a
  i = 55
  forall (i=1:3) a(i) = i
  print *, i
  where (a > 0)
    where (b == 1)
      b = 10
    elsewhere
      b = 20
    end where
    a = a + 1
  elsewhere
    b = 30
  end where
  print *, a, b
  call divided
contains
subroutine divided
  implicit none
  integer i, k(6), m(6), n
  real x(6)
  logical l(6)
!HPF$ distribute k(block)
!HPF$ align m(i) with k(i)
!HPF$ align x(i) with k(i)
  m = (/ 1, 0, 2, 0, 3, 0 /)
  k = 7
  where (m /= 0) k = 60/m
  print *, k
  where (m /= 0)
    k = mod(60, m)
    x = 1.0/m
  elsewhere
    k = -1
    x = 0
  end where
  print *, k, x
  l = m > 0
  forall (i=1:6, m(i) /= 0) k(i) = 60/m(i)
  print *, k
  print *, merge(60/max(m,1), 0, l)
  n = 0
  if (n /= 0 .and. 10/max(n,1) > 1) print *, 'x'
  do i = 1, 6
    if (m(i) /= 0) then
      k(i) = 100/m(i)
    end if
  end do
  print *, k
end subroutine
end program forall
