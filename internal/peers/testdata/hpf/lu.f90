program lu
  implicit none
  integer, parameter :: n = 500
  integer i, j, k
  real*8 a(n,n)
!HPF$ DISTRIBUTE a(*, CYCLIC)
  do j = 1, n
    do i = 1, n
      a(i,j) = 1d0/(1+abs(i-j))
    end do
    a(j,j) = 10
  end do
  do k = 1, n-1
    do i = k+1, n
      a(i,k) = a(i,k)/a(k,k)
    end do
    do j = k+1, n
      do i = k+1, n
        a(i,j) = a(i,j) - a(i,k)*a(k,j)
      end do
    end do
  end do
  print '(3e14.6)', a(n,n), a(n,1), a(1,n)
end
