program t5
implicit none
integer :: i, n
do n = 1, 2
a: block
  do i = 1, 5
    if (i == 2 + n) exit a
  end do
end block a
print *, n, i
b: associate (k => i + 1)
  if (k > 4) exit b
  print *, 'small', k
end associate b
end do
end program
