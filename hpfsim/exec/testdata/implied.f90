program p
integer a(5), i, j, m(2,2)
character(len=2) t(2)
i = 77
write(*,'(5i3)') (i, i = 1, 5)
print *, i
print *, (i, i = 5, 1, -2)
print *, i
print *, ((i*j, i = 1, 2), j = 1, 3)
print *, i, j
i = 9
a = (/ (i, i = 1, 5) /)
print *, i, a
read(*,*) (a(i), i = 1, 3)
print *, i, a
print *, (i, i = 3, 1)
print *, i
print *, 3000000000_8
do i = 1, 2
 print *, (a(j), j = 1, i)
end do
print *, i, j
end
