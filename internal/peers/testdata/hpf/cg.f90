program cg
  implicit none
  integer, parameter :: n = 512
  integer k, i, j
  real*8 a(n,n), x(n), r(n), p(n), q(n), rho, rho0, alpha, beta
!HPF$ DISTRIBUTE a(*, BLOCK)
  do j = 1, n
    do i = 1, n
      a(i,j) = 1d0/(1+abs(i-j))
    end do
    a(j,j) = 10 + j*0.01d0
  end do
  x = 0; r = 1; p = r
  rho = sum(r*r)
  do k = 1, 150
    q = 0
    do j = 1, n
      do i = 1, n
        q(i) = q(i) + a(i,j)*p(j)
      end do
    end do
    alpha = rho / dot_product(p, q)
    x = x + alpha*p
    r = r - alpha*q
    rho0 = rho
    rho = sum(r*r)
    beta = rho/rho0
    p = r + beta*p
  end do
  print '(2e14.6)', rho, x(1)
end
