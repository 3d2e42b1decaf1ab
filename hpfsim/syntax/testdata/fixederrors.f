      PROGRAM FE
   1x X = 1                                                                !~ does not belong before column 7
      Z = 3                                                             +  W(4) !~ what stands behind column 72
   20                                                                   !~ the label 20 stands alone
      EQUIVALENCE (A, B)                                                !~ EQUIVALENCE: legal Fortran
      X = (1                                                            !~ stands where a parenthesis closes
      END
