! Generic names, operators, assignments, and procedures for each element of an array.
module shapes
  implicit none
  private
  public swap, area, operator(+), operator(.of.), operator(.twice.), assignment(=), operator(==), scaled, clip
  interface swap
    module procedure swap_integers, swap_reals, swap_vectors
  end interface
  interface area
    module procedure square, area
  end interface area
  interface operator(+)
    module procedure join, either
  end interface
  interface operator(==)
    module procedure alike
  end interface
  interface operator(.of.)
    module procedure multiple, dotted
  end interface operator(.of.)
  interface operator(.twice.)
    module procedure doubled
  end interface
  interface assignment(=)
    module procedure from_text
    module procedure to_text
  end interface
contains
  subroutine swap_integers(a, b)
    integer, intent(inout) :: a, b
    integer t
    t = a; a = b; b = t
  end subroutine
  subroutine swap_reals(a, b)
    real, intent(inout) :: a, b
    real t
    t = a; a = b; b = t
  end subroutine
  subroutine swap_vectors(a, b, n)
    real, intent(inout) :: a(:), b(:)
    integer, optional :: n
    real t(size(a))
    t = a; a = b; b = t
    if (present(n)) print *, 'swapped', n
  end subroutine
  real function square(a)
    real, intent(in) :: a
    square = a * a
  end function
  real function area(a, b, c)
    real, intent(in) :: a, b
    real, intent(in), optional :: c
    area = a * b
    if (present(c)) area = area * c
  end function
  function join(a, b)
    character(*), intent(in) :: a, b
    character(8) join
    join = trim(a) // '+' // b
  end function
  logical function either(a, b)
    logical, intent(in) :: a, b
    either = a .or. b
  end function
  elemental logical function alike(a, b)
    logical, intent(in) :: a, b
    alike = a .eqv. b
  end function
  integer function multiple(a, b)
    integer, intent(in) :: a, b
    multiple = 10 * a + b
  end function
  real function dotted(a, b)
    real, intent(in) :: a(:), b(:)
    dotted = sum(a * b)
  end function
  elemental real function doubled(x)
    real, intent(in) :: x
    doubled = 2 * x
  end function
  subroutine from_text(k, text)
    integer, intent(out) :: k
    character(*), intent(in) :: text
    read (text, *) k
  end subroutine
  subroutine to_text(text, k)
    character(*), intent(out) :: text
    integer, intent(in) :: k
    write (text, '(i4)') k
  end subroutine
  elemental function scaled(x, by) result(r)
    real, intent(in) :: x
    integer, intent(in), optional :: by
    real r
    r = x
    if (present(by)) r = x * by
  end function
  elemental subroutine clip(x, most, clipped)
    real, intent(inout) :: x
    real, intent(in) :: most
    integer, intent(out) :: clipped
    clipped = 0
    if (x > most) then
      x = most
      clipped = 1
    end if
  end subroutine
end module shapes

module logs
  implicit none
  interface abs
    module procedure abs_text
  end interface
  interface show
    module procedure show_real
  end interface
contains
  integer function abs_text(t)
    character(*), intent(in) :: t
    abs_text = len_trim(t)
  end function
  subroutine show_real(x)
    real, intent(in) :: x
    print *, 'real', x
  end subroutine
end module logs

module more_logs
  use logs
  interface show
    module procedure show_integer, show_wide
  end interface
contains
  subroutine show_integer(k)
    integer, intent(in) :: k
    print *, 'integer', k
  end subroutine
  subroutine show_wide(k)
    integer(8), intent(in) :: k
    print *, 'wide', k
  end subroutine
end module more_logs

program generic
  use shapes
  use more_logs
  implicit none
  interface external_sum
    real function add_two(a, b)
      real, intent(in) :: a, b
    end function
    integer function add_three(a, b, c)
      integer, intent(in) :: a, b, c
    end function
  end interface
  integer :: i = 1, j = 2, k, counts(3, 2)
  real :: x = 1.5, y = 2.5, u(4) = (/ 1, 2, 3, 4 /), v(4) = 7, m(3, 2), d(4)
  character(8) t
  logical :: p = .true., q = .false., z(2) = (/ .true., .false. /)
!HPF$ DISTRIBUTE (BLOCK) :: u, v, d
!HPF$ DISTRIBUTE m(*, BLOCK)
  call swap(i, j)
  call swap(x, y)
  call swap(u, v)
  call swap(n=5, b=u(1:2), a=v(3:4))
  print *, i, j, x, y
  print *, u, v
  print *, area(3.0), area(3.0, 4.0), area(b=3.0, c=2.0, a=5.0)
  t = 'ab' + 'cd'
  print *, t, p + q, (p == q), z == p
  print *, 1 .of. 2 .of. 3, 1 + 1 .of. 2 * 3, u .of. v, -.twice. x ** 2
  k = '42'
  t = k
  print *, k, t
  print *, abs(-3), abs('word '), abs(-2.5)
  call show(x); call show(k); call show(5_8)
  print *, external_sum(1.0, 2.0), external_sum(1, 2, 3)
  d = .twice. u + scaled(v(4:1:-1), 3)
  print *, d
  print *, scaled(u), scaled((/ 1.0, 2.0 /), (/ 3, 4 /)), sum(scaled(u, 2))
  m = reshape((/ 1, 9, 2, 8, 3, 7 /), (/ 3, 2 /))
  call clip(m, 5.0, counts)
  print *, m, sum(counts)
  call clip(m(2, :), (/ 1.0, 2.5 /), counts(1, :))
  print *, m(2, :), counts(1, :)
  where (u > 2.5)
    d = scaled(u, 10)
  elsewhere
    d = .twice. d
  end where
  print *, d
  forall (i = 1:4) d(i) = scaled(u(i), i)
  print *, d, scaled(d(1:0))
end program generic

real function add_two(a, b)
  real, intent(in) :: a, b
  add_two = a + b
end function

integer function add_three(a, b, c)
  integer, intent(in) :: a, b, c
  add_three = a + b + c
end function
