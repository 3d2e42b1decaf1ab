C     Several blocks of COMMON in one statement, one block in several, and the blank one.
      PROGRAM H1
      COMMON /A/ X, Y(3) /B/ I, J, // Z
      COMMON // Q
      COMMON /B/ K
      X=1
      Y=2
      I=3
      J=4
      K=5
      Z=6
      Q=7
      CALL S
      END
      SUBROUTINE S
      COMMON /A/ X, Y(3), /B/ I(3)
      COMMON Z, Q
      PRINT *,X,Y,I,Z,Q
      END
