      PROGRAM COMMONS
      COMMON /GRID/ A(10), B(5, 2), N
      COMMON X, Y
      COMMON /NAMES/ T
      CHARACTER*6 T
      N = 3
      X = 1.5
      T = 'before'
      DO 10 I = 1, 10
   10 A(I) = I
      DO 20 J = 1, 2
      DO 20 I = 1, 5
   20 B(I, J) = 10 * I + J
      CALL S1
      CALL S2
      CALL S3
      CALL S4
      CALL S4
      CALL S5(M1, M2)
      PRINT *, M1, M2
      PRINT *, A, B, N, X, Y, T
      END
      SUBROUTINE S1
      COMMON /GRID/ A(10), B(5, 2), N
      COMMON X, Y
      A(N) = 99
      Y = X + SUM(B)
      END
      SUBROUTINE S2
C     Declared differently: other names, other shapes, the same storage.
      COMMON /GRID/ P(5), Q(5), R(10), M
      COMMON U
      COMMON /NAMES/ T
      CHARACTER*6 T
      P(1) = -1
      Q(5) = -2
      R(7) = -3
      M = M + 1
      U = U * 2
      T = 'after'
      END
      SUBROUTINE S3
      COMMON /GRID/ C(20)
      C(20) = 1000
      C(6) = 600
      END
      SUBROUTINE S4
C     Scalars that another unit has as an array, in a loop and in a sum.
      COMMON /INTS/ I1, I2, I3
      DOUBLE PRECISION D1, D2
      COMMON /DBLS/ D1, D2
      DATA I2 /20/
      I1 = I1 + 1
      DO 10 I3 = 1, 5
   10 I2 = I2 + I3
      D1 = I2
      D2 = D1 / 8
      END
      SUBROUTINE S5(M1, M2)
      COMMON /INTS/ K(3)
      DOUBLE PRECISION D(2)
      COMMON /DBLS/ D
      M1 = K(1) + 10 * K(2) + 1000 * K(3)
      K(3) = 7
      M2 = SUM(D)
      END
