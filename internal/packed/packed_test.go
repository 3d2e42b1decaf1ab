package packed

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// bytesEach returns the bytes that a column takes for each number.
func (c *Column[T]) bytesEach() int {
	return (len(c.bytes) + 2*len(c.halves) + 4*len(c.words) + 8*len(c.longs)) / max(c.n, 1)
}

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		least, most int64
		want        int
	}{
		{7, 7, 0},
		{-1, 254, 1},
		{-1, 255, 2},
		{0, 1<<16 - 1, 2},
		{0, 1 << 16, 3},
		{-5, 1<<24 - 6, 3},
		{0, 1 << 24, 4},
		{1 << 40, 1<<40 + 1<<32 - 1, 4},
		{0, 1 << 32, 5},
		{0, 1<<40 - 1, 5},
		{0, 1 << 40, 8},
		{math.MinInt64, math.MaxInt64, 8},
	} {
		column := Pack(c.least, c.most, c.least)
		if got := column.bytesEach(); got != c.want || column.At(0) != c.least || column.At(1) != c.most {
			t.Errorf("numbers from %d to %d take %d bytes, want %d: %d", c.least, c.most, got, c.want, column.Numbers())
		}
	}
}

// TestColumn compares columns of every width with slices.
func TestColumn(t *testing.T) {
	t.Run("int32", func(t *testing.T) { compare(t, rapid.Int32()) })
	t.Run("uint32", func(t *testing.T) { compare(t, rapid.Uint32()) })
	t.Run("int64", func(t *testing.T) { compare(t, rapid.Int64()) })
	t.Run("uint64", func(t *testing.T) { compare(t, rapid.Uint64()) })
}

func compare[T Integer](t *testing.T, any *rapid.Generator[T]) {
	rapid.Check(t, func(t *rapid.T) {
		base := any.Draw(t, "base")
		span := uint64(1) << rapid.SampledFrom([]int{0, 7, 15, 23, 31, 39, 63}).Draw(t, "bits")
		number := rapid.Custom(func(t *rapid.T) T {
			if v := base + T(rapid.Uint64Range(0, span).Draw(t, "above")); v >= base {
				return v
			}
			return base
		})
		want := rapid.SliceOfN(number, 1, 600).Draw(t, "numbers")
		c := Pack(want...)
		if got := c.Numbers(); !slices.Equal(got, want) || c.Len() != len(want) {
			t.Fatalf("%d, want %d", got, want)
		}
		r := c.Range()
		if r.Least != slices.Min(want) || r.Most != slices.Max(want) {
			t.Fatalf("range %d to %d of %d", r.Least, r.Most, want)
		}

		// Change some numbers, each in another way.
		at := rapid.IntRange(0, len(want)-1)
		i, j := at.Draw(t, "set"), at.Draw(t, "from")
		want[i] = want[j]
		c.Set(i, want[j])
		from := at.Draw(t, "written")
		slices.Reverse(want[from:])
		c.Write(from, want[from:])
		copy(want[from:], want[:len(want)-from])
		whole := Pack(c.Numbers()...)
		c.Copy(from, whole.Slice(0, len(want)-from))
		places, values := make([]int32, len(want)), slices.Clone(want)
		for k := range places {
			places[k] = int32((k + 3) % len(want))
			want[places[k]] = values[k]
		}
		c.Scatter(places, values)
		for k, v := range c.All() {
			if v != want[k] || c.At(k) != v {
				t.Fatalf("number %d is %d and %d, want %d", k, v, c.At(k), want[k])
			}
		}
		if got := c.Index(want[j]); got != slices.Index(want, want[j]) {
			t.Fatalf("%d is first at %d", want[j], got)
		}
		if b := c.Bytes(); b != nil && fmt.Sprint(b) != fmt.Sprint(want) {
			t.Fatalf("bytes %d, want %d", b, want)
		}
		more := c.Plus(1)
		end := at.Draw(t, "end") + 1
		if got := more.Slice(0, end); got.At(end-1) != want[end-1]+1 || got.Len() != end {
			t.Fatalf("%d, want %d", got.At(end-1), want[end-1]+1)
		}
	})
}

func TestStopsEarly(t *testing.T) {
	c := Pack[int32](4, 5, 6)
	for i, v := range c.All() {
		if i == 1 && v == 5 {
			return
		}
	}
	t.Error("5 is missing")
}

func TestNone(t *testing.T) {
	var c Column[uint64]
	var r, none Range[uint64]
	r.AddAll(nil)
	r.Join(none)
	if c.Len() != 0 || c.Index(0) != -1 || r != none || len(c.Numbers()) != 0 {
		t.Error("the zero Column is not empty")
	}
}
