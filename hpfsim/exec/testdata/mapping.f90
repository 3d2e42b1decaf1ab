program mappings
  implicit none
  integer, parameter :: n = 20
  integer :: a(n), b(n), c(n,n), d(n,n), e(3*n), f(n), g(0:n), r(n), u(n), s
  integer, allocatable :: al(:), am(:,:)
  integer :: i, j, k
!HPF$ PROCESSORS p(NUMBER_OF_PROCESSORS())
!HPF$ TEMPLATE t(100)
!HPF$ TEMPLATE, DISTRIBUTE(*, BLOCK) :: t2(n, n)
!HPF$ ALIGN a(i) WITH t(i+3)
!HPF$ ALIGN b(i) WITH t(2*i+1)
!HPF$ ALIGN f(i) WITH t(-i+50)
!HPF$ ALIGN c(i,*) WITH t(i)
!HPF$ ALIGN r(*) WITH t(*)
!HPF$ ALIGN (:,:) WITH t2 :: d
!HPF$ DISTRIBUTE t(CYCLIC(3)) ONTO p
!HPF$ DISTRIBUTE e(BLOCK(60))
!HPF$ DISTRIBUTE (CYCLIC) :: g, u
!HPF$ DYNAMIC u
!HPF$ DISTRIBUTE al(BLOCK)
!HPF$ ALIGN am(i,j) WITH al(i)
  forall (i=1:n) a(i) = i
  b = 2 * a
  f = b - a(n:1:-1)
  forall (i=1:n, j=1:n) c(i,j) = i * 100 + j
  d = transpose(c)
  e(1:n) = a; e(n+1:2*n) = b; e(2*n+1:) = f
  g = 0; g(1:n) = a
  r = a
  u = r + 1
!HPF$ REDISTRIBUTE u(BLOCK)
  u = u + a
!HPF$ REALIGN u(i) WITH t(i)
  u = u + b
  print *, sum(a), sum(b), sum(f), sum(c), sum(d), sum(e), sum(g), sum(r), sum(u)
  print *, f
  print *, u
  allocate (al(n), am(n, 3))
  al = a
  am(:, 1) = al; am(:, 2) = al * 2; am(:, 3) = cshift(al, 3)
  print *, sum(am, 1), sum(am(:, 3) * al)
  s = 0
!HPF$ INDEPENDENT, NEW(k), REDUCTION(s)
  do i = 1, n
    k = a(i) * 2
    s = s + k
    b(i) = k + f(i)
  end do
  print *, s, b
!HPF$ INDEPENDENT (i, j)
  do i = 2, n - 1
    do j = 2, n - 1
      d(i, j) = c(i-1, j) + c(i+1, j)
    end do
  end do
  print *, sum(d), d(5, 7)
  u(a(n:1:-1)) = a
  print *, u
  u = b(a)
  print *, u(f(1:3)**2 / (f(1:3)**2 + 1) + 1)
  deallocate (al, am)
end program
