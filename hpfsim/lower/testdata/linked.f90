module chains
  implicit none
  type link
    integer :: k
    real :: w(2)
    type(link), pointer :: next => null()
  end type
  type sack
    real, allocatable :: v(:)
    type(sack), pointer :: next
    type(link), allocatable :: all(:)
    type(link), pointer :: some(:)
  end type
  type twig
    integer :: k
    type(twig), allocatable :: side
  end type
  type pair
    type(link) :: one                            !~ the component ONE of PAIR has the type LINK, to which pointers lead
  end type
end module
program errors
  use chains
  implicit none
  type(link), pointer :: p, q
  type(link), target :: t, grid(2, 2), many(4)
  type(link) :: u
  type(link), parameter :: c = link(1, 2, null()) !~ a constant of the derived type LINK
  real, pointer :: x
  type(twig) :: shoot, bud
  type(sack) :: full, empty, several(2)
!HPF$ DISTRIBUTE many(BLOCK)                     !~ a mapped array of the derived type LINK, to which pointers lead
  p => u                                         !~ U is the target of a pointer, but is neither TARGET nor POINTER
  u => t                                         !~ this is not a pointer
  p => x                                         !~ the target of a pointer to LINK has another type
  x => t%w(1)                                    !~ the target of a pointer is a component of an object of the type LINK
  print *, t                                     !~ the derived type LINK has a component, NEXT, that is a pointer or ALLOCATABLE, and cannot be read or written as a whole
  grid%k = 1                                     !~ K of an array of 2 dimensions of the derived type LINK
  grid = t                                       !~ an assignment to an array of 2 dimensions of the derived type LINK
  print *, associated(t)                         !~ ASSOCIATED of something that is not a pointer
  print *, associated(p, x)                      !~ the target in ASSOCIATED has another type
  allocate (u)                                   !~ U is not allocatable
  allocate (t%k)                                 !~ the component K cannot be allocated here
  deallocate (p%w)                               !~ the component W cannot be allocated here
  allocate (sack :: p)                           !~ the object has the derived type LINK, and is allocated as SACK
  allocate (p, mold=t)                           !~ SOURCE= or MOLD= of a derived type
  full = empty
  shoot = bud                                    !~ an assignment copies SIDE, which contains objects of its own type TWIG
  several = several(2:1:-1)                      !~ an assignment copies arrays of objects with the component ALL
  full%all => many                               !~ this is not a pointer
  full%some(1) => t                              !~ this is not a pointer
  print *, several%some(1)%k                     !~ the component SOME is ALLOCATABLE or a POINTER, and there is an array before it
  q => p%last                                    !~ the derived type LINK has no component LAST
contains
  subroutine fixed(n, h)
    type(link), intent(in) :: n
    type(link), pointer, intent(in) :: h
    n%k = 1                                      !~ N is an argument with INTENT(IN) and cannot be changed
    n%next => h                                  !~ N is an argument with INTENT(IN) and cannot be changed
    n%next%k = 1
    h%k = 2
  end subroutine
end program
