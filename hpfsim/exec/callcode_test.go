package exec

import (
	"testing"

	"whorl/testdata/testenv"
)

// callTexts are programs whose loops and procedures call procedures: recursion, changed arguments, parts of arrays, calls in conditions, and errors within calls.
var callTexts = []string{`program f
  implicit none
  integer i
  print *, fib(17)
  do i = 1, 12
    print *, fib(i), fib(i) + 2 * fib(i - 1)
  end do
contains
  recursive function fib(n) result(r)
    integer, intent(in) :: n
    integer r
    if (n < 2) then
      r = n
    else
      r = fib(n-1) + fib(n-2)
    end if
  end function
end
`, `program g
  implicit none
  real*8 s, h, x
  real a(5, 5, 40), b(5), t
  integer i, j, n, k
  n = 200
  h = 1d0 / n
  s = 0
  do i = 1, n
    x = (i - 0.5d0) * h
    s = s + f(x) * h
    call add(s, h, i)
  end do
  print *, s
  a = 1
  b = 2
  k = 0
  do i = 1, 40
    call row(a(1, 1, i), b, 5, t)
    call row(a(1, 1, i), b, 4 + mod(i, 2), t)
    do j = 1, 3
      if (same(j, i) .and. j > 1) then
        k = k + 1
      else if (j == 2) then
        k = k + 10
      end if
    end do
    b(1) = b(1) + total(b) + first(b(2), 3) + t
  end do
  print *, a(:, :, 7), b, k
contains
  function f(x)
    real*8 f
    real*8, intent(in) :: x
    f = 4 / (1 + x * x)
  end function
  subroutine add(s, h, i)
    real*8 s, h
    integer i
    if (mod(i, 3) == 0) return
    s = s + h
    if (i > 100) then
      s = s - 2 * h
    end if
  end subroutine
  subroutine row(a, b, n, t)
    integer n, i, j
    real a(n, n), b(n), t, s
    t = 0
    do j = 1, n
      s = 0
      do i = 1, n
        a(i, j) = a(i, j) * 0.5 + b(j)
        s = s + a(i, j)
        if (s > 1000) return
      end do
      t = t + s
    end do
  end subroutine
  function same(i, j)
    logical same
    integer i, j
    same = mod(j, i) == 0
  end function
  function total(b)
    real b(:), total
    integer i
    total = 0
    do i = 1, size(b)
    end do
    do i = 1, 5
    total = total + 0.01 * b(i)
    end do
  end function
  function first(b, n)
    integer n, i
    real b(n), first
    first = 0
    do i = n, 1, -1
      first = first + b(i) * 0.001
    end do
  end function
end
`, `program deep
  i = 0
  do k = 1, 3
  call down(i, 20 * k)
  print *, i
  end do
  call down(i, 6000)
contains
  recursive subroutine down(i, n)
    i = i + 1
    if (n > 0) call down(i, n - 1)
    i = i + n
  end subroutine
end
`, `program few
  real a(10), b(20), s
  a = 1
  b = 3
  s = 0
  do k = 1, 12
    s = s + dot(a, b, k)
  end do
  print *, s
contains
  function dot(a, b, n)
    real a(n), b(n), dot
    dot = 0
    do i = 1, n
      dot = dot + a(i) * b(i)
    end do
  end function
end
`, `program copies
  integer i, k, m
  k = 3
  m = 0
  do i = 1, 30
    m = mod(m + f(k), 1000)
    call g(k, m)
  end do
  print *, k, m
contains
  integer function f(v)
    integer, value :: v
    v = v + 1
    f = v
  end function
  subroutine g(v, w)
    integer, value :: v
    integer w
    v = v * 2
    w = w + v + f(v)
  end subroutine
end
`, `program beyond
  real a(10)
  a = 1
  s = 0
  do k = 1, 12
    s = s + at(a, k)
  end do
  print *, s
contains
  function at(a, n)
    real a(10), at
    at = a(n) + 1
  end function
end
`}

// TestCallsAsCode checks that calls within generated code give the same values, samples, clocks and errors as statement by statement.
func TestCallsAsCode(t *testing.T) {
	testenv.Sequential(t)
	likePlain(t, callTexts, asCode, early)
}

// likePlain compares programs on one and on four processors with runs that execute statements one by one.
func likePlain(t *testing.T, texts []string, manners ...manner) {
	t.Helper()
	for _, text := range texts {
		for _, processors := range []int{1, 4} {
			if difference := unlikePlain(t, text, processors, manners...); difference != "" {
				t.Error(difference)
			}
		}
	}
}

// recursionTexts are recursive procedures whose loops become generated code while calls of the same procedure are in progress.
var recursionTexts = []string{`program powers
  implicit none
  integer n, leaves
  leaves = 0
  n = 6
  call descend(1)
  print *, leaves
contains
  recursive subroutine descend(c)
    integer, intent(in) :: c
    integer r
    if (c > 5) then
      leaves = leaves + 1
      return
    end if
    do r = 1, n
      call descend(c + 1)
    end do
  end subroutine
end
`, `program queens
  implicit none
  integer n, solutions, row(7)
  n = 7
  solutions = 0
  call place(1)
  print *, solutions, row
contains
  recursive subroutine place(c)
    integer, intent(in) :: c
    integer r
    if (c > n) then
      solutions = solutions + 1
      return
    end if
    do r = 1, n
      if (.not. safe(c, r)) cycle
      row(c) = r
      call place(c + 1)
    end do
  end subroutine
  logical function safe(c, r)
    integer, intent(in) :: c, r
    integer k
    safe = .true.
    do k = 1, c - 1
      if (row(k) == r .or. abs(row(k) - r) == c - k) then
        safe = .false.
        return
      end if
    end do
  end function
end
`, `program tree
  implicit none
  integer k, seen
  seen = 0
  call visit(9, k)
  print *, k, seen
contains
  recursive subroutine visit(depth, sum)
    integer, intent(in) :: depth
    integer, intent(out) :: sum
    integer child, below
    sum = depth
    child = 0
    do while (child < 3)
      child = child + 1
      seen = seen + 1
      if (mod(depth, 3) == child) cycle
      if (depth > 1) then
        call visit(depth - 1, below)
        sum = mod(sum + below * child, 10007)
      end if
    end do
  end subroutine
end
`}

// TestLoopWithinItself checks loops that have run for a while in a procedure that they call.
func TestLoopWithinItself(t *testing.T) {
	testenv.Sequential(t)
	likePlain(t, recursionTexts, asNests, early)
}
