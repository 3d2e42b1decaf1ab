package radial

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

// TestFitSemigroup checks section 4.2: a tree of height 174 in a window of 850 pixels with circles 4 apart.
func TestFitSemigroup(t *testing.T) {
	c := Fit(850, 4, 174, 0)
	if c.Max != 106 || c.C0 != 1 || c.Threshold != 38 || !c.Needed() {
		t.Fatalf("%+v: want h_max 106, c0 1, threshold 38", c)
	}
	if c.Levels() != 107 {
		t.Errorf("%d levels drawn, want 107", c.Levels())
	}
	next, condensed := int32(0), 0
	for l := int32(0); l <= 174; l++ {
		o, drawn := c.Drawn(l)
		if l <= 38 && !drawn {
			t.Errorf("level %d is condensed", l)
		}
		if l > 38 && drawn != (l%2 == 0) {
			t.Errorf("level %d: drawn %v, want one of two", l, drawn)
		}
		if l > 38 {
			condensed++
		}
		if drawn {
			if o != next {
				t.Errorf("level %d is drawn at %d, want %d", l, o, next)
			}
			next++
		}
	}
	if next != 107 || condensed != 136 {
		t.Errorf("ordinals up to %d, %d levels condensed 2:1; want 106 and 136", next-1, condensed)
	}
}

func TestFitPerturbed(t *testing.T) {
	for _, c := range []struct {
		window, distance float64
		height, center   int32
		want             Condensing
	}{
		{850, 4, 106, 0, Condensing{106, 106, 1, 106}}, // fits exactly: nothing is condensed
		{850, 4, 107, 0, Condensing{107, 106, 1, 105}},
		{850, 5, 174, 0, Condensing{174, 85, 2, 162}},
		{850, 4, 174, 1, Condensing{174, 105, 1, 36}}, // several roots: the centre takes a circle
		{850, 4, 56, 0, Condensing{56, 106, 1, 56}},   // Pascal
		{850, 4, 999_999, 0, Condensing{999_999, 106, 9433, 0}},
		{7, 4, 5, 0, Condensing{5, 1, 5, 5}},
		{math.NaN(), 4, 5, 0, Condensing{5, 1, 5, 5}},
		{850, 0, 174, 0, Condensing{174, 1 << 30, 1, 174}},
		{-850, 4, 2, 0, Condensing{2, 1, 2, 2}},
	} {
		if c.height == 999_999 { // c0 = 9433, t = 9433*106 - 9433*(999999 - 999898)
			c.want.Threshold = 9433*106 - 9433*101
		}
		if got := Fit(c.window, c.distance, c.height, c.center); got != c.want {
			t.Errorf("Fit(%v, %v, %d, %d) = %+v, want %+v", c.window, c.distance, c.height, c.center, got, c.want)
		}
	}
	if Fit(850, 4, 106, 0).Needed() {
		t.Error("a tree of height h_max is condensed")
	}
}

// TestFitFillsTheWindow checks that for every window the drawn levels are numbered 0, 1, ... without gaps, that level
// 0 is drawn, and that there are at most h_max others: exactly h_max where condensing is needed.
func TestFitFillsTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.Int32Range(0, 3000).Draw(t, "height")
		c := Fit(rapid.Float64Range(0, 2000).Draw(t, "window"), rapid.Float64Range(0.5, 20).Draw(t, "distance"), h,
			rapid.Int32Range(0, 1).Draw(t, "center"))
		next := int32(0)
		for l := int32(0); l <= h; l++ {
			o, drawn := c.Drawn(l)
			rem := l % c.C0
			if l > c.Threshold {
				rem = l % (c.C0 + 1)
			}
			if drawn != (rem == 0) {
				t.Fatalf("%+v: level %d drawn %v", c, l, drawn)
			}
			if drawn {
				if o != next {
					t.Fatalf("%+v: level %d at %d, want %d", c, l, o, next)
				}
				next++
			} else if o != next-1 {
				t.Fatalf("%+v: condensed level %d has ordinal %d, want %d", c, l, o, next-1)
			}
		}
		if next != c.Levels() || next-1 > c.Max || c.Needed() && next-1 != c.Max {
			t.Fatalf("%+v: %d levels, Levels says %d", c, next, c.Levels())
		}
	})
}

func TestCondense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := trees(80).Draw(t, "tree")
		c := Fit(rapid.Float64Range(1, 100).Draw(t, "window"), 4, tree.Height(), tree.Center())
		got := Condense(tree, c)
		must.Do(t, got.Check())
		// up finds the nearest remaining node at or above a node by walking up.
		up := func(i int32) int32 {
			for i >= 0 {
				if _, drawn := c.Drawn(tree.Level.At(int(i))); drawn {
					break
				}
				i = tree.Parent[i]
			}
			return i
		}
		var left []int32
		for i := range int32(tree.Len()) {
			u := up(i)
			if u == i {
				left = append(left, i)
			}
			if f := got.Find(tree, i); got.Original(f) != u {
				t.Fatalf("Find(%d) = %d, want %d", i, got.Original(f), u)
			}
		}
		if len(left) != got.Len() {
			t.Fatalf("%d nodes left, want %d", got.Len(), len(left))
		}
		for k, i := range left {
			o, _ := c.Drawn(tree.Level.At(int(i)))
			want := int32(-1)
			if p := tree.Parent[i]; p >= 0 {
				want = up(p)
			}
			parent := int32(-1)
			if p := got.Parent[k]; p >= 0 {
				parent = got.Original(p)
			}
			if got.Original(int32(k)) != i || got.Level.At(k) != o || parent != want {
				t.Fatalf("node %d: from %d level %d parent %d; want %d %d %d", k, got.Original(int32(k)), got.Level.At(k), parent, i, o, want)
			}
		}
	})
}
