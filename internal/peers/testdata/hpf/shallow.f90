program sw
  implicit none
  integer, parameter :: m = 256, n = 256
  integer i, j, k
  real u(m+1,n+1), v(m+1,n+1), p(m+1,n+1), cu(m+1,n+1), cv(m+1,n+1), z(m+1,n+1), h(m+1,n+1), fsdx, fsdy
!HPF$ DISTRIBUTE (BLOCK, BLOCK) :: u, v, p, cu, cv, z, h
  fsdx = 4e-5; fsdy = 4e-5
  do j = 1, n+1
    do i = 1, m+1
      p(i,j) = 50000 + 100*sin(i*0.05)*cos(j*0.07)
      u(i,j) = 2*cos(j*0.03); v(i,j) = 3*sin(i*0.02)
    end do
  end do
  cu=0;cv=0;z=0;h=0
  do k = 1, 200
    do j = 1, n
      do i = 1, m
        cu(i+1,j) = .5*(p(i+1,j)+p(i,j))*u(i+1,j)
        cv(i,j+1) = .5*(p(i,j+1)+p(i,j))*v(i,j+1)
        z(i+1,j+1) = (fsdx*(v(i+1,j+1)-v(i,j+1))-fsdy*(u(i+1,j+1)-u(i+1,j)))/(p(i,j)+p(i+1,j)+p(i+1,j+1)+p(i,j+1))
        h(i,j) = p(i,j)+.25*(u(i+1,j)*u(i+1,j)+u(i,j)*u(i,j)+v(i,j+1)*v(i,j+1)+v(i,j)*v(i,j))
      end do
    end do
    do j = 1, n
      do i = 1, m
        u(i+1,j) = u(i+1,j) + 1e-3*(z(i+1,j+1)+z(i+1,j))*(cv(i+1,j+1)+cv(i,j+1)+cv(i,j)+cv(i+1,j)) - 1e-6*(h(i+1,j)-h(i,j))
        v(i,j+1) = v(i,j+1) - 1e-3*(z(i+1,j+1)+z(i,j+1))*(cu(i+1,j+1)+cu(i,j+1)+cu(i,j)+cu(i+1,j)) - 1e-6*(h(i,j+1)-h(i,j))
        p(i,j) = p(i,j) - 1e-6*(cu(i+1,j)-cu(i,j)) - 1e-6*(cv(i,j+1)-cv(i,j))
      end do
    end do
  end do
  print '(3e13.5)', p(10,10), u(20,20), v(30,30)
end
