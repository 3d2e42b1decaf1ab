program t3
implicit none
integer :: x(5) = [1,2,3,4,5]
integer, pointer :: p
integer, target :: t = 4
integer :: i
p => t
do i = 1, 3
  p = p + 1
  t = t * 2
end do
print *, p, t
call s(p)
print *, t
call c(x(2:4))
print *, x
associate (m => x(1:5:2))
  m = m * 10
  x(3) = x(3) + 1
  print *, m
end associate
contains
subroutine s(k)
  integer, intent(inout) :: k
  k = k + 1
end subroutine
subroutine c(v)
  integer, target, contiguous, intent(inout) :: v(:)
  integer, pointer :: w(:)
  w => v
  w(1) = 99
end subroutine
end program
