program folding
  implicit none
  integer :: i0
  integer, parameter :: s = sum((/ 1, 2, 3 /)), p = product((/ 2, 3, 4 /)), most = maxval((/ 3, 9, 4 /)), least = minval((/ 3, 9, 4 /))
  integer, parameter :: v(s) = (/ (i0*i0, i0 = 1, s) /), w(3) = v(2:6:2), back(s) = v(s:1:-1)
  integer, parameter :: grid(2, 3) = reshape(v, (/ 2, 3 /)), flipped(3, 2) = transpose(grid), other(2, 3) = reshape(v, (/ 2, 3 /), order = (/ 2, 1 /))
  integer, parameter :: n = size(grid, 2), total = size(grid), top = ubound(grid, 1), element = grid(2, 3), low = lbound(v, 1)
  integer, parameter :: sh(2) = shape(grid), again(2, 3) = reshape((/ 7, 8 /), sh, pad = (/ 1, 2, 3 /)), ends(2) = ubound(grid)
  integer, parameter :: both(2*n) = (/ w, 10 + w /), picked(2) = v((/ 5, 1 /)), moved(s) = cshift(v, 2), gone(s) = eoshift(v, -1, 99)
  integer, parameter :: mm(2, 2) = matmul(grid, flipped), rows(2) = sum(grid, 2), columns(3) = maxval(grid, 1), wide(2, 2) = spread((/ 4, 5 /), 1, 2)
  integer, parameter :: few(3) = pack(v, mod(v, 2) == 1), place(1) = maxloc((/ 2, 8, 8 /)), big = count(v > 10)
  integer, parameter :: chosen(3) = merge(w, -w, w > 10), bytes = kind(1.0d0)
  logical, parameter :: some = any(v == 25), every = all((/ v > 0 /)), inner = dot_product(w, w) == 1568
  real, parameter :: halves(3) = w / 2.0, mean = sum(halves) / size(halves), roots(3) = sqrt((/ 1.0, 4.0, 9.0 /))
  double precision, parameter :: fine(2) = (/ 1.0d0, 2.0d0 /) / 3.0d0
  complex, parameter :: turns(2) = (/ (0.0, 1.0), (1.0, 0.0) /) * (0.0, 1.0)
  character(len=*), parameter :: word = 'parallel', part = word(2:4), twice = repeat(part, 2), short = trim('ab   ') // '|'
  character(3), parameter :: names(2, 2) = reshape((/ 'one', 'two', 'six', 'ten' /), (/ 2, 2 /)), one = names(1, 2)
  integer, parameter :: letters = len(part // short), deep = s + sum(v(1:3) * (/ 100, 10, 1 /))
  integer :: field(sum(sh), size(v)), start(3) = w + 1, mapped(maxval(sh) * 4)
  integer, parameter :: cells = size(field), far = ubound(field, 2)
  real :: table(2, 2) = reshape(sqrt((/ 1.0, 4.0, 9.0, 16.0 /)), (/ 2, 2 /))
  integer :: k
!HPF$ PROCESSORS q(number_of_processors())
!HPF$ DISTRIBUTE mapped(CYCLIC(sum((/ 1, 1 /)))) ONTO q
  print *, s, p, most, least
  print *, v, w, back
  print *, grid, flipped, other
  print *, n, total, top, element, low, sh, again, ends
  print *, both, picked, moved, gone
  print *, mm, rows, columns, wide
  print *, few, place, big, chosen, bytes
  print *, some, every, inner
  print *, halves, mean, roots, fine, turns
  print *, word, ' ', part, ' ', twice, ' ', short, ' ', names, ' ', one, letters, deep
  print *, size(field, 1), size(field), cells, far, start, size(mapped), table
  mapped = (/ (k, k = 1, size(mapped)) /)
  do k = 1, n
    select case (mapped(k))
    case (sum((/ 1, 1 /)))
      print *, 'two', mapped(k)
    case default
      print *, v(k), grid(1, k), sum(grid(:, k))
    end select
  end do
  call inside
contains
  subroutine inside
    integer, parameter :: local(n) = grid(1, :) + w, m = sum(local)
    integer :: a(m - 60)
    a = m
    print *, local, m, size(a), sum(a)
  end subroutine
end program
