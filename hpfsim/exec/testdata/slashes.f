C     Declarations with initial values between slashes, as compilers of
C     FORTRAN 77 accepted them.
      PROGRAM SLASHE
      INTEGER I /3/, A(6) /2*1, -4, 3*7/, J, K /31/
      REAL X(2,2) /1.5, 2*2.5, 1E3/, Y /-0.25/
      CHARACTER*4 C /'ab'/, D(2)*3 /'x', 'yz'/
      LOGICAL L /.TRUE./
      DOUBLE PRECISION P /3.14159D0/
      COMPLEX Z /(1.0, -2.0)/
      INTEGER N
      PARAMETER (N = 4)
      INTEGER B(N) /N*5/
      J = I + 1
      PRINT *, I, A, J, K
      PRINT *, X, Y, C, '|', D, '|', L
      PRINT *, P, Z, B
      CALL COUNTS
      CALL COUNTS
      END
      SUBROUTINE COUNTS
      INTEGER M /10/
      M = M + 1
      PRINT *, M
      END
