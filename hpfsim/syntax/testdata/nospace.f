C     Blanks mean nothing in fixed form.
      PROGRAMNOSPACE
      INTEGERI,J,DO10I,IFX(3)
      REALX
      DO 10 I = 1.10
      DO20I=1,10
      I F (I .EQ. 3) G O T O 20
      IF(I)30,40,50
   30 IFX(1)=2
   40 ENDDO=3
   50 X=1.EQ.2
   20 CONTI NUE
      DO 60 J=1,3
      DO 60 I=1,3
   60 X=1.E-3+1.D0+.5
      GOTO(30,40,50),I
      CALLSUB
      PRINT*,'A B''C  D',X
      E N D
      SUBROUTINESUB
      RETURN
      END
      DOUBLEPRECISIONFUNCTIONDBL(X)
      REALX
      DBL=X
      END
