program intr
implicit none
real :: x(4) = [3., -1., 7., 2.]
integer :: i(5) = [4, 8, 15, 16, 23]
print *, popcnt(255), leadz(1), trailz(8), shiftl(1, 4), shiftr(256, 2), shifta(-16, 2)
print *, iall(i), iany(i), iparity(i), parity([.true., .false., .true.])
print *, is_iostat_end(-1), is_iostat_eor(0), new_line('a') == achar(10)
print *, acosh(2.0), asinh(1.0), atanh(0.5), bessel_j0(1.0), bessel_j1(1.0)
print *, index('hello world', 'o', back=.true.), scan('fortran', 'tr'), verify('aab', 'a')
print *, merge(1, 2, .true.), ceiling(2.1, kind=8), floor(-2.1), nint(2.5), anint(-2.5)
print *, count(x > 0), any(x < 0), all(x > -2)
print *, dot_product(x, x), matmul(reshape([1,2,3,4],[2,2]), [1,1])
print *, maxval(i, mask=mod(i,2)==1), sum(i, mask=i>10), product(real(i(1:3)))
print *, cshift(i, 2), eoshift(i, -1)
print *, reshape([1,2,3,4,5,6], [3,2], order=[2,1])
print *, pack(i, i > 10), unpack([1,2], [.true.,.false.,.true.], [9,9,9])
print *, spread([1,2], 1, 2), transpose(reshape([1,2,3,4],[2,2]))
print *, tiny(1.0) > 0, huge(1), epsilon(1d0), precision(1.0), range(1d0), digits(1), radix(1)
print *, mod(-7, 3), modulo(-7, 3), sign(3, -2), dim(5, 3), abs(-4)
print *, achar(65), iachar('a'), char(66), ichar('b'), adjustl('  x'), adjustr('x  ') , repeat('ab', 3)
print *, real((1., 2.)), aimag((1., 2.)), conjg((1., 2.)), abs((3., 4.)), cmplx(1, 2)
print *, transfer(1.0, 1), ibset(0, 3), btest(8, 3), ieor(5, 3), not(0), ishft(1, 3), ishftc(1, 31), ibits(255, 2, 3)
print *, exp(1.0), log(2.0), log10(1000.), sqrt(2.0), sin(1.0), cos(1.0), &
 tan(1.0), asin(0.5), acos(0.5), atan(1.0), atan2(1.0, -1.0)
end program
