program e
real x
real(8) d
integer i
real v(8)
v = [0.0, 1.0, -1.5, 123456.789, 1e-12, -9.9999e20, 0.001, 99999.96]
d = 1.2345678901234567d0
do i = 1, 8
print '(a,e0.3,a)', '[', v(i), ']'
print '(a,e0.7,a)', '[', v(i), ']'
print '(a,es0.3,a)', '[', v(i), ']'
print '(a,en0.3,a)', '[', v(i), ']'
print '(a,g0.3,a)', '[', v(i), ']'
print '(a,d0.3,a)', '[', v(i), ']'
print '(a,e0.3e3,a)', '[', v(i), ']'
print '(a,es0.3e4,a)', '[', v(i), ']'
print '(a,1pe0.3,a)', '[', v(i), ']'
end do
print '(a,e0.12,a)', '[', d, ']'
print '(a,es0.12,a)', '[', d*1d100, ']'
print '(a,e0.5,a)', '[', d*1d-200, ']'
print '(a,sp,e0.5,a)', '[', d*1d-20, ']'
d = 0
print '(a,e0.5,a)', '[', 1/d, ']'
print '(a,e0.5,a)', '[', -1/d, ']'
end
