module one
  integer shared, mine, both
  integer, private :: own
  private mine, nothing           !~ the module ONE has no name NOTHING
  real, public :: x
  private x                       !~ X is PUBLIC and PRIVATE
  real c(8), d(8)
!HPF$ DISTRIBUTE c(BLOCK)
contains
  subroutine act
    own = 1
  end subroutine
  subroutine act                  !~ ACT is defined already, in line 10
  end subroutine
end module one
module two
  integer shared, both
end module two
module alike
  use one, only: both
end module alike
program modules
  use one
  use two, only: shared, other => shared, bath !~ the module TWO has no name BATH
  use alike
  use one, only: own              !~ OWN is PRIVATE in the module ONE
  implicit none
  integer d                       !~ D is declared here and in the module ONE, which this unit uses
  integer i
!HPF$ DISTRIBUTE c(CYCLIC)        !~ C is mapped here, but ONE declares it
!HPF$ DYNAMIC c                   !~ C is DYNAMIC here, but ONE declares it
  i = shared                      !~ SHARED is a name of the module ONE and of the module TWO
  shared = 2                      !~ SHARED is a name of the module ONE and of the module TWO
  i = shared(2)                   !~ SHARED is a name of the module ONE and of the module TWO
  call shared                     !~ SHARED is a name of the module ONE and of the module TWO
  i = other + both + bath + own
  i = mine                        !~ MINE is not declared
  c(i) = 1
  call act
end program modules
extrinsic(hpf_local) subroutine on(x)
  use one
  real x
  x = c(1)                        !~ C is a variable of the module ONE, and ON is HPF_LOCAL
end subroutine on
pure subroutine changes(k)
  use two
  integer, intent(in) :: k
  shared = k                      !~ CHANGES is PURE, but assigns to SHARED, which is not its own
end subroutine
subroutine same(shared)           !~ SHARED is declared here and in the module TWO, which this unit uses
  use two
end subroutine
