program life
  implicit none
  integer, parameter :: n = 500
  integer g(0:n+1,0:n+1), c(n,n), k, i, j
!HPF$ DISTRIBUTE (*, BLOCK) :: c
  g = 0
  do j = 1, n
    do i = 1, n
      g(i,j) = mod(i*i+j*3+i*j, 3)/2
    end do
  end do
  do k = 1, 40
    c = g(0:n-1,1:n)+g(2:n+1,1:n)+g(1:n,0:n-1)+g(1:n,2:n+1)+g(0:n-1,0:n-1)+g(0:n-1,2:n+1)+g(2:n+1,0:n-1)+g(2:n+1,2:n+1)
    where (c == 3)
      g(1:n,1:n) = 1
    elsewhere (c /= 2)
      g(1:n,1:n) = 0
    end where
  end do
  print *, sum(g)
end
