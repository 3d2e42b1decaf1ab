package exec

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/hpfsim/mapping"
)

// TestMoves compares the moves of a remapping with those that are counted element by element.
func TestMoves(t *testing.T) {
	rapid.Check(t, func(draw *rapid.T) {
		n := []int{rapid.IntRange(1, 9).Draw(draw, "n"), rapid.IntRange(1, 7).Draw(draw, "m")}
		layout := func() *mapping.Array {
			kind := rapid.SampledFrom([]mapping.Kind{mapping.Block, mapping.Cyclic})
			formats := []mapping.Format{{Kind: kind.Draw(draw, "")}, {Kind: kind.Draw(draw, "")}}
			shape := rapid.SampledFrom([][]int{{6}, {2, 3}, {3, 2}}).Draw(draw, "shape")
			if len(shape) == 1 {
				formats[rapid.IntRange(0, 1).Draw(draw, "collapsed")].Kind = mapping.Collapsed
			}
			follow := []mapping.Follow{{Dim: 0, Stride: 1}, {Dim: 1, Stride: 1}}
			if rapid.Bool().Draw(draw, "turned") {
				follow[0].Dim, follow[1].Dim = 1, 0
			}
			template, err := mapping.NewTemplate("T", []int{1, 1}, []int{9, 9}, formats, &mapping.Grid{Name: "P", Shape: shape})
			if err != nil {
				draw.Fatal(err)
			}
			a, err := mapping.NewArray(template, []int{1, 1}, n, follow, []int{mapping.Replicated, mapping.Replicated})
			if err != nil {
				draw.Fatal(err)
			}
			return a
		}
		old, now := layout(), layout()
		var want []move
		for k := range n[0] * n[1] {
			index := []int{1 + k%n[0], 1 + k/n[0]}
			x := move{old.Owner(index), now.Owner(index), 1, k}
			at := slices.IndexFunc(want, func(y move) bool { return x.from == y.from && x.to == y.to })
			if at < 0 {
				want = append(want, x)
			} else {
				want[at].count++
			}
		}
		a := &array{lo: []int{1, 1}, n: n}
		got := moves(a, old, now)
		if !slices.Equal(got, want) {
			draw.Fatalf("%v, want %v", got, want)
		}
	})
}
