      PROGRAM FE
   1x X = 1                                                                !~ is not allowed before column 7
      Z = 3                                                             +  W(4) !~ text after column 72
   20                                                                   !~ the label 20 has no statement
      PAUSE                                                             !~ PAUSE: legal Fortran
      X = (1                                                            !~ unexpected end of the statement in parentheses
      END
