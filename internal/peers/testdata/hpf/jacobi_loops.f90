program j
  implicit none
  integer, parameter :: n = 1000
  integer i, j1, k
  real*8 a(n,n), b(n,n)
!HPF$ DISTRIBUTE (*, BLOCK) :: a, b
  a = 0; a(1,:) = 1; b = a
  do k = 1, 200
    do j1 = 2, n-1
      do i = 2, n-1
        b(i,j1) = 0.25d0*(a(i-1,j1)+a(i+1,j1)+a(i,j1-1)+a(i,j1+1))
      end do
    end do
    do j1 = 2, n-1
      do i = 2, n-1
        a(i,j1) = b(i,j1)
      end do
    end do
  end do
  print *, a(2, 500)
end
