! Variables with the names of procedures elsewhere in the file.
program names
  integer total
  real mean
  character(len=6) label
  logical done
  total = 3; k = 0
  label = 'abcdef'
  print *, total, label(2:4)
  do icount = 1, 2
    k = k + icount
  end do
  mean = 2.5
  read (*, *) next
  if (total > 2) done = .true.
  print *, k, mean, next, done
  print *, (limit, limit = 1, 3)
  call user
end program

subroutine user
  integer work, total
  call set(work)
  print *, work, half(work), total(1)
  call label
end subroutine

subroutine set(k)
  k = 42
end subroutine

real function half(k)
  half = k / 2.0
end function

integer function total(k)
  total = k + 1
end function

subroutine label
  real mean
  print *, 'label', mean(1.0, 4.0), next(4)
end subroutine

subroutine work
end subroutine

subroutine done
end subroutine

subroutine limit
end subroutine

real function mean(x, y)
  mean = (x + y) / 2
end function

integer function next(k)
  next = k + 1
end function

integer function icount(k)
  icount = k
end function
