C     Jacobi relaxation
      PROGRAM JACOBI
      INTEGER N, ITER
      PARAMETER (N = 100, ITER = 10)
      REAL*8 A(N,N), B(N,N), ERR
CHPF$ PROCESSORS P(4)
CHPF$ TEMPLATE T(N,N)
!HPF$ ALIGN A(I,J) WITH T(I,J)
!HPF$ ALIGN B(:,:) WITH T(:,:)
*HPF$ DISTRIBUTE T(*,BLOCK)
CHPF$* ONTO P
      DATA ERR /0.0D0/
      DO 10 J = 1, N
      DO 10 I = 1, N
   10 A(I,J) = MOD(I*J, 17) * 0.5
      DO 100 K = 1, ITER
!HPF$ INDEPENDENT, NEW(I)
         DO J = 2, N-1
            DO I = 2, N-1
               B(I,J) = 0.25D0 * (A(I-1,J) + A(I+1,J)
     &                + A(I,J-1) + A(I,J+1))
            END DO
         ENDDO
         A(2:N-1,2:N-1) = B(2:N-1,2:N-1)
         IF (ERR .GT. 1.0) GO TO 200
  100 CONTINUE
  200 WRITE (*, 900) 'SUM = ', SUM(A)
  900 FORMAT (1X, A, F12.4, 3(I5, 2X), /, 'it''s')
      STOP
      END
      REAL FUNCTION F(X)
      REAL X
      F = X ** 2 + (-X)
      END
