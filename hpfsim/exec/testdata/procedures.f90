! Procedures as arguments, told of by EXTERNAL, by an interface, or by nothing but their call.
program procedures
  implicit none
  external sq, cube
  real sq, cube, r
  call app(sq, 3.0, r); print *, r
  call app(cube, 3.0, r); print *, r
  call twice(show)
  print *, integral(sq, 0.0, 1.0, 100)
contains
  subroutine show(i)
    integer i
    print *, 'show', i
  end subroutine
  subroutine twice(p)
    external p
    call p(1)
    call p(2)
  end subroutine
  real function integral(f, a, b, n)
    interface
      real function f(x)
        real x
      end function
    end interface
    real a, b, h
    integer n, i
    h = (b-a)/n
    integral = 0
    do i = 1, n
      integral = integral + f(a + (i-0.5)*h)*h
    end do
  end function
end program procedures
subroutine app(f, x, r)
  r = f(x)
end subroutine
real function sq(x)
  sq = x*x
end function
real function cube(x)
  cube = x**3
end function
