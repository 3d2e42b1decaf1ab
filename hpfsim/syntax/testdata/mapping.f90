! Every form of a mapping directive.
      program mapping
      real a(8), b(8,8), c(8), d(8), e(8,8), g(8)
!HPF$ PROCESSORS p(2,2), q(number_of_processors())
!HPF$ PROCESSORS, DIMENSION(4) :: r
!HPF$ TEMPLATE t(16,16)
!HPF$ TEMPLATE, DIMENSION(8,8), DISTRIBUTE(BLOCK,*) :: t1, t2
!HPF$ DISTRIBUTE t(BLOCK(4),CYCLIC) ONTO p
!HPF$ ALIGN a(i) WITH t(2*i-1,3)
!HPF$ ALIGN b(i,*) WITH t(i+3,*)
!HPF$ ALIGN c(*) WITH t(*,1)
!HPF$ ALIGN (:) WITH t(1,:) :: d, g
!HPF$ ALIGN WITH t :: e
!HPF$ ALIGN h(i), k(*,i) WITH t(2*i,*)
!HPF$ ALIGN WITH t(i,1) :: l(i), m(*,i)
!HPF$ DYNAMIC a, b
!HPF$ DYNAMIC, DISTRIBUTE(CYCLIC(3)) ONTO r :: x
!HPF$ SEQUENCE a
!HPF$ REALIGN a(i) WITH t(i,1)
!HPF$ REDISTRIBUTE t(CYCLIC,*) ONTO q
!HPF$ REDISTRIBUTE (BLOCK,BLOCK) :: b, e
!HPF$ INDEPENDENT(i), REDUCTION(s), NEW(u, v)
      do i = 1, 8
        s = s + a(i)
      end do
!HPF$ INDEPENDENT
      forall (i = 1:8, j = 1:8:2)
        b(i, j) = 0
        e(i, j) = b(i, j)
      end forall
      end
      extrinsic(hpf_local) subroutine local(x)
      real, dimension(:), intent(in) :: x
      end subroutine
      pure real function sq(x) result(y)
      y = x * x
      end
