program entries
  intrinsic sin, max, nosuch      !~ NOSUCH is not an intrinsic procedure of the subset
  call one(k, *10)
  call one(k)                     !~ ONE has 1 alternate returns, but 0 labels are given
  call two(k, *10)
  call two(k, m)                  !~ TWO takes 1 arguments, but 2 are given
  call two(k, *11)                !~ there is no label 11
10 print *, four(1.0), five(1.0, 2.0), five(1.0) !~ FIVE lacks its argument Y here
  print *, apply(sin), apply(max) !~ the intrinsic procedure MAX cannot be an argument
  return 1                        !~ ENTRIES has no alternate return
end program
subroutine one(i, *)
  real x(i)
  return 1
  return 2.0                      !~ the number of a return is real
  entry two(j, *)
  x(j) = 1
end subroutine
real function four(x)
  four = x
  entry five(x, y)
  five = x + y
end function
subroutine four                   !~ FOUR is defined already, in line 19
end subroutine
subroutine six
  entry two                       !~ TWO is defined already, in line 16
end subroutine
real function apply(f)
  apply = f(1.0)
end function
