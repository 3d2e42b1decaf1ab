      PROGRAM HOLLER
      INTEGER K
      K = 3
      WRITE(6,10) K
      WRITE(6,20) K, K
      WRITE(6,30) 2.5
      PRINT 40
 10   FORMAT(1X,4HN = ,I3)
 20   FORMAT(1X,7Hit's a!,I2,2x,3hend/11H second (3),I3,1HH)
 30   FORMAT(5H f = ,F8.4,2X3H)x()
 40   FORMAT(35H a text of old goes over the border
     &,1H!)
      END
