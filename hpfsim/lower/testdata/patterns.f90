program patterns
  integer, parameter :: n = 64
  real a(n, n), b(n, n), c(n), d(n, n), s
  integer ix(n)
!HPF$ PROCESSORS p(2, 2)
!HPF$ DISTRIBUTE (BLOCK, BLOCK) ONTO p :: a, b
!HPF$ ALIGN c(i) WITH a(i, *)
!HPF$ DISTRIBUTE d(CYCLIC, BLOCK) ONTO p
  a = b                                 ! nothing is sent
  a(2:n, :) = b(1:n-1, :)               ! a shift along the first axis
  a = d                                 ! an exchange
  a(:, 1) = b(:, 3)                     ! within a block of columns
  a(:, 1) = b(:, n)                     ! a broadcast along the second axis
  c = a(:, 5)
  s = sum(a * b)                        ! a reduction
  do j = 2, n - 1
    do i = 2, n - 1
      b(i, j) = a(i, j - 1) + a(i + 1, j)   ! shifts, taken out of both loops
    end do
  end do
  do i = 2, n
    c(i) = c(i - 1) + 1                 ! no parallel loop
  end do
  forall (i = 1:n) a(ix(i), 1) = b(i, 1)
  forall (i = 1:n) a(i, 1) = b(ix(i), 1)
  a = transpose(b)
  do i = 1, n
    t = a(i, 1) * 2                     ! a private variable
    b(i, 1) = t
  end do
end program patterns
