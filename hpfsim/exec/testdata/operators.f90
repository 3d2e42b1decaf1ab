module vectors
  implicit none
  private
  public :: vec, cell, operator(+), operator(*), operator(.dot.), assignment(=), unit_vec, norm, show, zero
  type vec
    real :: x, y, z
  end type
  type cell
    type(vec) :: corner(2)
    integer :: tags(0:2) = (/ 7, 8, 9 /)
    logical :: used = .false.
  end type
  type(vec), parameter :: zero = vec(0.0, 0.0, 0.0)
  interface operator(+)
    module procedure add
  end interface
  interface operator(*)
    module procedure scale_left, scale_right
  end interface
  interface operator(.dot.)
    module procedure dot
  end interface
  interface assignment(=)
    module procedure fill
  end interface
  interface norm
    module procedure norm_vec, norm_real
  end interface
contains
  pure function add(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c = vec(a%x + b%x, a%y + b%y, a%z + b%z)
  end function
  pure type(vec) function scale_left(s, a)
    real, intent(in) :: s
    type(vec), intent(in) :: a
    scale_left%x = s * a%x
    scale_left%y = s * a%y
    scale_left%z = s * a%z
  end function
  type(vec) function scale_right(a, s)
    type(vec), intent(in) :: a
    real, intent(in) :: s
    scale_right = s * a
  end function
  real function dot(a, b)
    type(vec), intent(in) :: a, b
    dot = a%x * b%x + a%y * b%y + a%z * b%z
  end function
  subroutine fill(a, s)
    type(vec), intent(out) :: a
    real, intent(in) :: s
    a = vec(s, s, s)
  end subroutine
  function unit_vec(k) result(v)
    integer, intent(in) :: k
    type(vec) :: v
    v = zero
    select case (k)
    case (1)
      v%x = 1
    case (2)
      v%y = 1
    case default
      v%z = 1
    end select
  end function
  real function norm_vec(a)
    type(vec), intent(in) :: a
    norm_vec = sqrt(a .dot. a)
  end function
  real function norm_real(a)
    real, intent(in) :: a
    norm_real = abs(a)
  end function
  subroutine show(c, label)
    type(cell), intent(in) :: c
    character(len=*), intent(in), optional :: label
    if (present(label)) print *, label
    print *, c%corner(1), c%corner(2)%z, c%tags, c%used
  end subroutine
end module
program main
  use vectors, only: v3 => vec, cell, operator(+), operator(*), operator(.dot.), assignment(=), unit_vec, norm, show, zero
  implicit none
  integer, parameter :: n = 8
  type(v3) :: a, b, c, grid(n)
  type(cell) :: box, boxes(n, 2)
  integer :: i
!HPF$ DISTRIBUTE grid(BLOCK)
!HPF$ DISTRIBUTE boxes(*, BLOCK)
  a = unit_vec(1) + 2.0 * unit_vec(2)
  b = a * 3.0
  c = a + b + zero
  print *, c, a .dot. b, norm(c), norm(-2.5)
  c = 4.5
  a = a + c * (a .dot. c)
  print *, a, c
  box%corner(1) = a
  box%corner(2) = v3(1.0, 2.0, 3.0)
  box%tags(1) = 42
  call show(box)
  call show(c=box, label='named')
  do i = 1, n
    grid(i)%x = i
    grid(i)%y = 2 * i
    grid(i)%z = 0
    boxes(i, 1) = box
    boxes(i, 2)%corner(2)%y = i
    boxes(i, 2)%used = mod(i, 2) == 0
  end do
  forall (i = 1:n) grid(i)%z = grid(i)%x + grid(i)%y
  where (grid%x > 4) grid%y = -1
  print *, sum(grid%z), grid(3:5)
  print *, count(boxes%used), boxes(3, 2)%corner(2)%y, boxes(2, 1)%tags, sum(boxes(:, 2)%corner(2)%y)
  call swap(grid(1), grid(2))
  print *, grid(1:2)
  if (norm(grid(1) + grid(2)) > 5) print *, 'long'
  print *, fresh(3)
contains
  subroutine swap(p, q)
    type(v3), intent(inout) :: p, q
    type(v3) :: t
    t = p
    p = q
    q = t
  end subroutine
  integer function fresh(k)
    integer, intent(in) :: k
    type(cell) :: mine
    mine%tags(0) = mine%tags(0) + k
    fresh = mine%tags(0)
    if (k > 0) fresh = fresh + again(k)
  end function
  integer function again(k)
    integer, intent(in) :: k
    type(cell) :: mine
    again = mine%tags(2) + k
  end function
end program
