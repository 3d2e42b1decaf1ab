program mm
  implicit none
  integer, parameter :: n = 300
  integer i, j, k
  real*8 a(n,n), b(n,n), c(n,n)
  do j = 1, n
    do i = 1, n
      a(i,j) = i+0.5d0*j; b(i,j) = i-j*0.25d0; c(i,j) = 0
    end do
  end do
  do i = 1, n
    do j = 1, n
      do k = 1, n
        c(i,j) = c(i,j) + a(i,k)*b(k,j)
      end do
    end do
  end do
  print *, c(1,1), c(n,n)
end
