C     A program as they were written before Fortran 90.
      PROGRAM OLD
      INTEGER I, J, K, N, IA(10), IB(10)
      REAL X, Y, F, G(5)
      LOGICAL L
      CHARACTER*10 S
      COMMON /BLK/ X, Y, G
      DATA IA /3,1,4,1,5,9,2,6,5,3/, S /'old'/
      F(A, B) = A * B + 1.0
      N = 10
      X = 2.0
      DO 10 I = 1, 5
   10 G(I) = F(X, REAL(I))
      DO 30 I = 1, N - 1
        DO 20 J = I + 1, N
          IF (IA(I) .LE. IA(J)) GO TO 20
          K = IA(I)
          IA(I) = IA(J)
          IA(J) = K
   20   CONTINUE
   30 CONTINUE
      WRITE (6, 100) IA
  100 FORMAT (1X, 10I3)
      CALL ADDUP(N)
      WRITE (*, 110) Y, S, S(2:3)
  110 FORMAT (' Y =', F8.2, 2X, A, '/', A)
      I = 0
   40 I = I + 1
      IF (I - 3) 40, 50, 60
   50 PRINT *, 'three', I
      GO TO 40
   60 PRINT *, 'four', I
      L = X .GT. 1.0 .AND. .NOT. (Y .LT. 0.0)
      IF (L) THEN
        PRINT 120, L, .FALSE.
      ELSE IF (N .EQ. 3) THEN
        PRINT *, 'no'
      END IF
  120 FORMAT (L2, L4)
      DO 70 X = 0.0, 1.0, 0.25
   70 Y = Y + X
      PRINT '(2F8.3)', X, Y
      READ (5, *) I, X, S
      READ (5, '(I3, F5.2, A4)') J, Y, S
      PRINT *, I, X, J, Y, S
      READ (5, *, END = 80) I
      PRINT *, 'more'
   80 STOP
      END
      SUBROUTINE ADDUP(M)
      COMMON /BLK/ X, Y, G(5)
      INTEGER M
      SAVE KEEP
      DATA KEEP /100/
      Y = KEEP + M
      DO 10 I = 1, 5
   10 Y = Y + G(I)
      KEEP = KEEP + 1
      END
