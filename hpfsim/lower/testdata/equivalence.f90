program p
real a(4)
integer i !~ I shares storage with A of P by EQUIVALENCE, which is another type or has elements of another size: legal Fortran
real b(4), c(4)
common /k/ m, n !~ M and N are both in COMMON, and share storage by EQUIVALENCE
equivalence (m, n)
!hpf$ distribute b(block)
equivalence (a, i)
equivalence (b, c) !~ B in EQUIVALENCE is a mapped array: legal, but not in the subset
parameter (f = 1)
equivalence (a(1), f) !~ F in EQUIVALENCE is not a variable
end
subroutine s(x, y)
real x, y
equivalence (x, z) !~ X in EQUIVALENCE is an argument
end
recursive subroutine r
real x, y
equivalence (x, y) !~ EQUIVALENCE in a procedure that is PURE or RECURSIVE
end
subroutine t
real x(3), y(3)
equivalence (x(1), y(1)), (x(2), y(3)) !~ EQUIVALENCE gives Y two places
character*4 d
character*2 e(2) !~ E shares storage with D of T by EQUIVALENCE
equivalence (d, e)
equivalence (k, m)
do k = 1, 3 !~ the variable of a loop, K, shares its storage with others: legal Fortran
enddo
end
subroutine u
common /c/ x, y
real z(3) !~ by EQUIVALENCE Z begins before its block of COMMON
equivalence (x, z(2))
end
subroutine v
integer x(2,3), y
character*4 c, d(2), e, g, h
equivalence (x(7), y) !~ X has no element 7
equivalence (x(0), y) !~ X has no element 0
equivalence (c(5:5), e) !~ C has no character 5
equivalence (d(2)(0:1), g) !~ D has no character 0
equivalence (d(2)(5:), h) !~ D has no character 5
equivalence (x(1,2,3), y) !~ X has 2 dimensions, but 3 subscripts
equivalence (y(1), x) !~ Y has 0 dimensions, but 1 subscripts
equivalence (z%a, y) !~ EQUIVALENCE of an expression
end
