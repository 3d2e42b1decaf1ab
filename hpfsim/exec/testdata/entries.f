C     ENTRY, alternate returns, BLOCK DATA, intrinsic functions as arguments.
      PROGRAM ENTRIES
      INTRINSIC SIN, DSQRT, MOD, NINT, ATAN2
      EXTERNAL TWICE
      REAL A(6), TOTAL, AREA, WIDTH, KREAL
      DOUBLE PRECISION APPLYD
      INTEGER APPLY2
      COMMON /SIZES/ N, M, W(3)
      COMMON /NAMES/ TITLE
      CHARACTER*6 TITLE
      PRINT *, N, M, W, TITLE
      DO 10 I = 1, 6
   10 A(I) = I
      CALL STORE(A, 6)
      CALL FETCH(3, X)
      PRINT *, X, TOTAL(2.0), AREA(2.0, 3.0), WIDTH(2.0)
      CALL ADD(5)
      CALL ADD(6)
      PRINT *, NADDED(), APPLY(SIN, 1.0), APPLYD(DSQRT, 2D0)
      PRINT *, APPLY2(MOD, 17, 5), APPLY(TWICE, 4.0), ANGLE(ATAN2)
      DO 60 K = -1, 3
      CALL SIGNS(K, *20, L, *30)
      PRINT *, 'plain', L
      GOTO 60
   20 PRINT *, 'negative', L
      GOTO 60
   30 PRINT *, 'positive', L
      IF (K .GT. 1) CALL SIGNS(0, *20, L, *70)
      CALL SIGNS(-K, *50, L, *70)
   50 PRINT *, 'negative again', L
   60 CONTINUE
      K = 0
      DO 90 I = 1, 3000
      CALL EVERY(I, *80)
      GOTO 90
   80 K = K + 1
   90 CONTINUE
      PRINT *, K, FIRST(0), SECOND1(7), FIRST(0)
   70 PRINT *, 'end', KIND2(5), KREAL(3)
      END

      BLOCK DATA SETUP
      COMMON /SIZES/ N, M, W(3)
      COMMON /NAMES/ TITLE
      CHARACTER*6 TITLE
      DATA N, M /4, 5/, W /3*1.5/
      DATA TITLE /'matrix'/
      END

      BLOCK DATA
      COMMON /OTHER/ X
      DATA X /2.5/
      END BLOCK DATA

      SUBROUTINE STORE(A, N)
      REAL A(N), KEPT(10)
      INTEGER COUNTED
      DATA COUNTED /100/
      COMMON /OTHER/ HALF
      SAVE KEPT
      DO 10 I = 1, N
   10 KEPT(I) = A(I) * HALF
      LAST = N
      RETURN
      ENTRY FETCH(K, X)
      X = KEPT(K) + LAST
      RETURN
      ENTRY ADD(K)
      COUNTED = COUNTED + K
      RETURN
      ENTRY LOOK(K)
      K = COUNTED
      END

      INTEGER FUNCTION NADDED()
      CALL LOOK(NADDED)
      END

      REAL FUNCTION TOTAL(X)
      REAL AREA, WIDTH
      TOTAL = X + 1
      RETURN
      ENTRY AREA(X, Y)
      TOTAL = X * Y
      IF (X .GT. 5) AREA = 0
      RETURN
      ENTRY WIDTH(X)
      AREA = 10 * X
      END

      INTEGER FUNCTION KIND2(K)
      REAL KREAL
      KIND2 = 2 * K
      RETURN
      ENTRY KREAL(K)
      KREAL = K / 2.0
      END

      REAL FUNCTION FIRST(K)
      SAVE MARK
      DATA MARK /1/
      FIRST = MARK + K
      RETURN
      ENTRY SECOND1(K)
      MARK = K
      SECOND1 = -1
      END

      FUNCTION APPLY(F, X)
      APPLY = F(X)
      END

      DOUBLE PRECISION FUNCTION APPLYD(F, X)
      DOUBLE PRECISION F, X
      APPLYD = F(X)
      END

      INTEGER FUNCTION APPLY2(F, I, J)
      INTEGER F
      EXTERNAL F
      APPLY2 = F(I, J)
      END

      FUNCTION ANGLE(F)
      ANGLE = F(1.0, 1.0) * 4
      END

      FUNCTION TWICE(X)
      TWICE = 2 * X
      END

      SUBROUTINE SIGNS(K, *, L, *)
      L = ABS(K)
      IF (K .LT. 0) RETURN 1
      IF (K .GT. 0) RETURN K / K + 1
      RETURN 3
      END

      SUBROUTINE EVERY(I, *)
      IF (MOD(I, 7) .EQ. 0) RETURN 1
      END
