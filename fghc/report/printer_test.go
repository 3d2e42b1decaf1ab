package report

import (
	"math/big"
	"testing"
)

// Error messages show the same digits of a large integer as if all its digits had been computed, which takes too long for millions of bits.
func TestEnds(t *testing.T) {
	power := func(base, exponent, more int64) *big.Int {
		v := new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil)
		return v.Add(v, big.NewInt(more))
	}
	for _, c := range []struct {
		name string
		v    *big.Int
		all  bool // whether all digits are computed
	}{
		{"few bits", power(2, 2000, 0), true},
		{"a power of ten", power(10, 5000, 0), true},
		{"one less", power(10, 5000, -1), true},
		{"one more", power(10, 5000, 1), true},
		{"the least with many bits", power(2, 9599, 0), false},
		{"zeros within", power(1000, 2000, 0).Mul(power(1000, 2000, 7), power(3, 200, 0)), true},
		{"odd", power(3, 20_000, 0), false},
		{"negative", new(big.Int).Neg(power(7, 12_345, 11)), false},
		{"zeros at the end", new(big.Int).Mul(power(7, 12_345, 0), power(10, 300, 0)), false},
		{"millions of bits", power(3, 1<<20, 0), false},
	} {
		text := ends(c.v)
		if all := len(text) > 3*briefly; all != c.all && c.name != "few bits" {
			t.Errorf("%s: %d digits, all of them: %t, want %t", c.name, len(text), all, c.all)
		}
		if got, want := Brief(text), Brief(c.v.String()); got != want {
			t.Errorf("%s: %s\nwant %s", c.name, got, want)
		}
	}
}
