program rb
  implicit none
  integer, parameter :: n = 1000
  integer i, j, k, c
  real*8 a(n,n)
!HPF$ DISTRIBUTE (*, BLOCK) :: a
  a = 0; a(1,:) = 1
  do k = 1, 100
    do c = 0, 1
!HPF$ INDEPENDENT
      do j = 2, n-1
        do i = 2 + mod(j + c, 2), n-1, 2
          a(i,j) = 0.25d0*(a(i-1,j)+a(i+1,j)+a(i,j-1)+a(i,j+1))
        end do
      end do
    end do
  end do
  print *, a(2, 500), a(50,50)
end
