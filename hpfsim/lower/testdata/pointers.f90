program p
real, pointer :: x, v(:), u(5) !~ U is a POINTER, but has bounds
real, target :: t, a(5), b(5) !~ B is a mapped array and a POINTER or TARGET
real y
integer, target :: k
character(len=:) c !~ the length of the characters of C is deferred, but it is not allocatable
real, allocatable :: al, ar(:)
!hpf$ distribute b(block)
x => y !~ Y is the target of a pointer, but is neither TARGET nor POINTER
x => k !~ the target of X is integer
v => t !~ the target of V is real
v => a((/ 1, 2 /)) !~ the target of a pointer has a vector of subscripts
y => t !~ this is not a pointer
x => y + 1 !~ the target of X is not a variable
print *, associated(y) !~ ASSOCIATED of something that is not a pointer
call s(t) !~ argument Z of S is a POINTER, but real is given
call r(y) !~ argument Z of R is ALLOCATABLE, but real is given
allocate(al(3)) !~ AL is a scalar, and is allocated with bounds
allocate(ar) !~ AR has 1 dimensions, but 0 are given
allocate(ar, source=1.0) !~ AR has 1 dimensions, but the value is real
call move_alloc(al, ar) !~ MOVE_ALLOC moves AL to AR, which has another type or number of dimensions
contains
subroutine s(z)
real, pointer :: z
end subroutine
subroutine r(z)
real, allocatable :: z
end subroutine
end
function f() !~ the value of the function F is a pointer
real, pointer :: f
end function
