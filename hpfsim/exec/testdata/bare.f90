! Variables with the names of functions elsewhere, which are only arguments, or assigned in internal procedures only.
program bare
  real half
  call set(xmean)
  call set(half)
  print *, xmean + 1, half
  print *, half2(1.0)
  call inner
  print *, 3
contains
  subroutine inner
    total = 4
    print *, total
    call deeper(2)
  end subroutine
  subroutine deeper(k)
    do limit = 1, k
    end do
    print *, limit, after(k)
  end subroutine
end program
subroutine set(x)
  x = 2.5
end subroutine
subroutine use(f)
  external f
end subroutine
real function xmean(x)
  xmean = x
end function
real function half(x)
  half = x
end function
real function half2(x)
  half2 = x
end function
real function after(k)
  after = k + 0.5
end function
real function total(k)
  total = k
end function
subroutine limit
end subroutine
