package builtin_test

import (
	"math"
	"math/big"
	"testing"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/term"
)

// TestIntegersOf64Bits compares operations on integers about the limits of words and of 64 bits with those of package big.
func TestIntegersOf64Bits(t *testing.T) {
	var values []int64
	for _, v := range []int64{0, 1, 2, 3, 31, 60, 62, 63, 64, 1 << 31, 1103515245, term.MaxInt, math.MaxInt64} {
		values = append(values, v, -v, v-1, -v-1)
	}
	for _, c := range []struct {
		op  arith.Op
		big func(z, x, y *big.Int) *big.Int
	}{
		{arith.Add, (*big.Int).Add},
		{arith.Sub, (*big.Int).Sub},
		{arith.Mul, (*big.Int).Mul},
		{arith.Div, (*big.Int).Quo},
		{arith.Mod, (*big.Int).Rem},
		{arith.And, (*big.Int).And},
		{arith.Or, (*big.Int).Or},
		{arith.Xor, (*big.Int).Xor},
		{arith.ShiftLeft, func(z, x, y *big.Int) *big.Int { return z.Lsh(x, uint(y.Uint64())) }},
		{arith.ShiftRight, func(z, x, y *big.Int) *big.Int { return z.Rsh(x, uint(y.Uint64())) }},
		{arith.Negate, func(z, x, _ *big.Int) *big.Int { return z.Neg(x) }},
		{arith.Complement, func(z, x, _ *big.Int) *big.Int { return z.Not(x) }},
		{arith.Copy, func(z, x, _ *big.Int) *big.Int { return z.Set(x) }},
	} {
		for _, x := range values {
			for _, y := range values {
				if (c.op == arith.Div || c.op == arith.Mod) && y == 0 || (c.op == arith.ShiftLeft || c.op == arith.ShiftRight) && (y < 0 || y > 99) {
					continue
				}
				a := newArena()
				z := c.big(new(big.Int), big.NewInt(x), big.NewInt(y))
				w, problem, text := builtin.Arith(a, c.op, builtin.NewSmall(a, x), builtin.NewSmall(a, y))
				got, ok := builtin.Small(a, w)
				switch {
				case !z.IsInt64() && problem != builtin.TooLarge:
					t.Errorf("%s of %d and %d is %d, %q, expected an overflow", c.op, x, y, got, text)
				case z.IsInt64() && (problem != builtin.None || !ok || got != z.Int64()):
					t.Errorf("%s of %d and %d is %d, %q, expected %s", c.op, x, y, got, text, z)
				}
			}
		}
	}
}

// TestIntegersOf64BitsInPlace computes the remainder of a generator of random numbers without memory of the heap.
func TestIntegersOf64BitsInPlace(t *testing.T) {
	a := newArena()
	x, y := builtin.NewSmall(a, math.MaxInt32*1103515245+12345), term.MakeInt(1<<31)
	if n := testing.AllocsPerRun(100, func() { builtin.Arith(a, arith.Mod, x, y) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
