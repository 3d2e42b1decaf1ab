      PROGRAM P
      I = 1;
      J = 2; K = 3
      PRINT *, I, J, K; PRINT *, 'A;B';
10    CONTINUE; L = 5
      PRINT *, L; ! END; OF
      END
