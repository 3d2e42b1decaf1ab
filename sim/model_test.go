package sim

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestRemaindersAreCarried(t *testing.T) {
	m := Model{InstructionPs: 333}
	var left uint16
	var sum, one Time
	for range 3000 {
		one, left = m.Scale(1, left)
		sum += one
	}
	if all, _ := m.Scale(3000, 0); sum != all || sum != 999 {
		t.Errorf("3000 single instructions take %d ns, together %d, want 999", sum, all)
	}
	if c, _ := m.Scale(1, 0); c != 0 { // each one rounded down
		t.Errorf("an instruction of 333 ps takes %d ns", c)
	}
}

func TestScaleAndWireAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		m := Model{InstructionPs: rapid.Int64Range(1, MaxModelPs).Draw(t, "ps"), BytePs: rapid.Int64Range(0, MaxModelPs).Draw(t, "ps/byte")}
		left := uint16(rapid.IntRange(0, 999).Draw(t, "left"))

		x := new(big.Int).Mul(big.NewInt(n), big.NewInt(m.InstructionPs))
		x.Add(x, big.NewInt(int64(left)))
		q, r := new(big.Int).QuoRem(x, big.NewInt(1000), new(big.Int))
		got, rest := m.Scale(n, left)
		if !q.IsInt64() {
			if got != math.MaxInt64 {
				t.Fatalf("scale %d, want the largest", got)
			}
		} else if got != q.Int64() || int64(rest) != r.Int64() {
			t.Fatalf("scale %d rest %d, want %d rest %d", got, rest, q, r)
		}

		x.Mul(big.NewInt(n), big.NewInt(m.BytePs))
		x.Add(x, big.NewInt(999)).Quo(x, big.NewInt(1000))
		want := int64(math.MaxInt64)
		if x.IsInt64() {
			want = x.Int64()
		}
		if got := m.wire(n); got != want {
			t.Fatalf("wire %d, want %d", got, want)
		}
	})
}
