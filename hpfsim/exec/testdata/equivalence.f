      PROGRAM EQ
      REAL A(10), B(5), X, C1(3,3), C2(9)
      INTEGER I, K, L(2)
      CHARACTER*4 S, T
      CHARACTER*1 CH(8), CG(4)
      DOUBLE PRECISION D, E(2)
      COMMON /BLK/ P(4), Q
      DIMENSION R(2), Z(6)
      EQUIVALENCE (A(3), B(1)), (X, A(10)), (C1, C2), (S, T)
      EQUIVALENCE (D, E(2)), (L(1), K), (P(3), R(1)), (Z(1), P(2))
      EQUIVALENCE (CH(5), CG), (U, V)
      DATA C2 /1,2,3,4,5,6,7,8,9/, K /77/
      DO 10 I = 1, 10
   10 A(I) = I
      PRINT *, B, X
      B(2) = -1
      PRINT *, A
      X = 99.5
      PRINT *, A(10)
      PRINT *, C1(2,3), C1(1,2)
      C1(2,2) = 50
      PRINT *, C2
      S = 'abcd'
      PRINT *, T, L(1)
      E(2) = 2.5D0
      PRINT *, D
      D = D * 2
      PRINT *, E(2)
      P(3) = 5
      P(4) = 6
      PRINT *, R
      R(2) = 8
      CALL SUB
      PRINT *, Q, P
      A(1) = 1
      DO 20 I = 2, 8
   20 A(I) = B(MAX(I-3,1)) + A(I-1)
      PRINT *, A
      A(1:5) = B
      PRINT *, A
      B(1:5) = A(1:5) * 2
      PRINT *, A
      U = 3
      PRINT *, V
      V = V + U
      U = U + V
      PRINT *, U, V
      DO 30 I = 1, 3
      X = X + A(10)
   30 A(10) = A(10) - 1
      PRINT *, X
      CH(6) = 'q'
      CG(1) = 'p'
      PRINT *, CG(2), CH(5), T(2:3)
      T(2:3) = 'XY'
      PRINT *, S
      CALL DBL(X)
      PRINT *, A(10)
      WRITE (T, '(I4)') 1234
      READ (S, '(I4)') K
      PRINT *, L(1), S
      END
      SUBROUTINE SUB
      COMMON /BLK/ P(4), Q
      PRINT *, P
      Q = 10
      END
      SUBROUTINE DBL(Y)
      Y = Y * 2
      END
