package ui

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDivide compares the widths of columns with those computed by hand.
func TestDivide(t *testing.T) {
	for _, k := range []struct {
		room        float32
		least, want []float32
	}{
		{100, []float32{0, 0, 0}, []float32{33, 34, 33}},
		{90, []float32{30, 0}, []float32{45, 45}},
		{100, []float32{60, 0, 0}, []float32{60, 20, 20}},
		{100, []float32{0, 30, 45}, []float32{25, 30, 45}},
		{100, []float32{80, 80}, []float32{80, 80}},
		{100, []float32{120, 0}, []float32{120, 0}},
		{-5, []float32{0}, []float32{0}},
		{100, nil, []float32{}},
	} {
		if got := divide(k.room, k.least); !slices.Equal(got, k.want) {
			t.Errorf("divide(%g, %v) = %v, want %v", k.room, k.least, got, k.want)
		}
	}
}

// TestColumns draws random sizes: columns are whole, do not overlap and stay inside.
func TestColumns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		r := Rect{0, 0, float32(rnd.IntN(500)), 10}
		var least []float32
		for range 1 + rnd.IntN(6) {
			least = append(least, float32(rnd.IntN(2)*rnd.IntN(100)))
		}
		end := float32(0)
		for _, c := range r.Columns(0, least...) {
			if c.X0 < end || c.X1 > r.X1 || c.X0 > c.X1 || c.X0 != Whole(c.X0) {
				t.Fatalf("%v in columns of at least %v: column %v begins before %g or leaves the rectangle", r, least, c, end)
			}
			end = c.X1
		}
	}
}
