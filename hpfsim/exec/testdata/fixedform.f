C     Fixed form: columns, continuations, blanks without meaning.
c$$$ a comment too
* and this
      PROGRAM FIXED
      IMPLICIT REAL*8 (A-H, O-Z), INTEGER (I-K,M,N), LOGICAL (L)
      PARAMETER (NN = 12, PI = 3.14159 26535 89793D0)
      DIMENSION A(NN), B(NN, 2), IC(5)
      CHARACTER*8 NAME, C2*3
      DOUBLE PRECISION D
      COMPLEX Z
      LOGICAL FLAG
CHPF$ PROCESSORS PR(NUMBER_OF_PROCESSORS())
*HPF$ TEMPLATE T(24)
!HPF$ ALIGN A(I) WITH T(2*I)
CHPF$ ALIGN B(I,*) WITH
CHPF$* T(I+3)
!HPF$ DISTRIBUTE T(BLOCK) ONTO PR
      DATA IC /1, 2*7, 3, 4/, NAME /'ABCDEFGH'/, D /1.5D0/
      DATA (A(I), I = 1, NN) /NN*0.25/
      DO 10 I = 1, N N
   10 A(I) = A(I) + I
      DO20I=1,NN,3
      DO 20 J=1,2
      B(I,J)=A(I)*J
     &+1
     1 -2
20    CONTINUE
      G O T O 40
   30 PRINT *, 'NOT HERE'
   40 IF (A(3) .GT. 3.) THEN
        WRITE(*,100) A(3), IC
      ELSEIF(A(3).LT.0)THEN
        STOP 1
      ELSE IF (.TRUE.) THEN
        CONTINUE
      END IF
  100 FORMAT (' A=', F8.3, 5I3, /, 1X, 'END')
      IF (IC(1) - 1) 50, 60, 70
   50 PRINT *, 'NEGATIVE'
   60 PRINT *, 'ZERO'
      GO TO 80
   70 PRINT *, 'POSITIVE'
   80 CONTINUE
      C2 = NAME(3:5)
      PRINT *, C2, ' ', NAME(1:2)//'x', INDEX(NAME, 'D')
      Z = (1.0, -2.0)
      Z = Z * CONJG(Z) + CMPLX(1, 2)
      PRINT '(2F8.3)', Z
      FLAG = A(1) .EQ. 1.25D0 .AND. .NOT. (NN .NE. 12 .OR. .FALSE.)
      LX = FLAG .NEQV. .TRUE.
      PRINT *, FLAG, LX
      K = 0
      DO 90 WHILE (K .LT. 3)
        K = K + 1
   90 CONTINUE
      DO 95 X = 0.0, 1.0, 0.25
      K = K + 1
   95 CONTINUE
      PRINT *, K, F(2.0D0), IFUN(3)
      CALL SUB(A, NN)
   97 PRINT *, SUM(A)
   98 PRINT '(6F9.3)', B(1:NN:3,:)
      PRINT 101, (B(I, 1), I = 1, 10, 3)
  101 FORMAT (4(F7.2, ','), '!')
      END
      FUNCTION F(X)
      REAL*8 F, X
      F = X ** 2 + (-X) ** 3
      RETURN
      END
      INTEGER FUNCTION IFUN(N)
      SAVE K
      DATA K /5/
      K = K + N
      IFUN = K
      END
      SUBROUTINE SUB(A, N)
      REAL*8 A(*)
      DO 10 I = 1, N
        A(I) = A(I) / 2
   10 CONTINUE
      END
