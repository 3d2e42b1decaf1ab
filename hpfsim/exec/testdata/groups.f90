! A group of NAMELIST belongs to the unit that declares it, and is known where that is used.
module mm
integer :: i = 1, j(2) = 2
namelist /g/ i, j
end module
program p
use mm
write(*, g)
open(9, status='scratch'); write(9,'(a)') '&g j(2)=5 i = 4 /'; rewind 9
read(9, g)
print *, i, j
call s
contains
subroutine s
integer k
namelist /h/ k, i
k = 8
write(*, nml=h)
write(*, nml=g)
end subroutine
end
