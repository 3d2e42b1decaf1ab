package mapping

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

func spreads(t *rapid.T) Spread {
	lo := rapid.IntRange(-5, 5).Draw(t, "lo")
	n := rapid.IntRange(0, 60).Draw(t, "n")
	p := rapid.IntRange(1, 9).Draw(t, "p")
	kind := Kind(rapid.IntRange(0, 4).Draw(t, "kind"))
	switch kind {
	case GenBlock:
		var sizes []int
		left := n
		for range p - 1 {
			sizes = append(sizes, rapid.IntRange(0, left).Draw(t, "size"))
			left -= sizes[len(sizes)-1]
		}
		return must.Get(NewTabled(kind, lo, lo+n-1, p, append(sizes, left+rapid.IntRange(0, 3).Draw(t, "more")), 1))(t)
	case Indirect:
		return must.Get(NewTabled(kind, lo, lo+n-1, p, rapid.SliceOfN(rapid.IntRange(-2, p-3), n, n).Draw(t, "owners"), -2))(t)
	}
	size := rapid.IntRange(0, 7).Draw(t, "size")
	if kind == Block && size > 0 {
		size = max(size, (n+p-1)/p)
	}
	return must.Get(NewSpread(kind, lo, lo+n-1, p, size))(t)
}

// TestCount checks that every index has an owner and that Count counts the indices of each owner.
func TestCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spreads(t)
		count := make([]int, s.P)
		for i := s.Lo; i <= s.Hi; i++ {
			p := s.Owner(i)
			if p < 0 || p >= s.P {
				t.Fatalf("%+v: index %d belongs to %d", s, i, p)
			}
			count[p]++
		}
		for p := range count {
			if count[p] != s.Count(p) {
				t.Fatalf("%+v: processor %d owns %d indices, but Count is %d", s, p, count[p], s.Count(p))
			}
		}
	})
}

// TestFollowed compares the runs of a section that a processor owns with the owners of its indices one by one.
func TestFollowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spreads(t)
		if s.Hi < s.Lo {
			return
		}
		stride := rapid.SampledFrom([]int{1, 1, 2, 3, -1, -2, 5}).Draw(t, "stride")
		offset := rapid.IntRange(-20, 20).Draw(t, "offset")
		// indices that are aligned with the template
		var meets []int
		for i := -100; i <= 100; i++ {
			if g := stride*i + offset; g >= s.Lo && g <= s.Hi {
				meets = append(meets, i)
			}
		}
		if len(meets) == 0 {
			return
		}
		r := Run{rapid.SampledFrom(meets).Draw(t, "from"), rapid.SampledFrom(meets).Draw(t, "to"), rapid.IntRange(1, 6).Draw(t, "step")}
		for p := range s.P {
			var want, got []int
			for i := r.From; i <= r.To; i += r.Step {
				if s.Owner(stride*i+offset) == p {
					want = append(want, i)
				}
			}
			for _, q := range s.Followed(p, stride, offset, r, nil) {
				if q.Len() == 0 || q.Step < 1 {
					t.Fatalf("an empty run %+v", q)
				}
				for k := range q.Len() {
					got = append(got, q.From+k*q.Step)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%+v stride %d offset %d, %+v of processor %d: got %v, want %v", s, stride, offset, r, p, got, want)
			}
		}
	})
}

// TestReport checks the examples of the report, section 3.3: 100 elements over 4 processors in blocks of 25, in blocks of 50, and
// cyclic.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		kind    Kind
		n, p, m int
		want    []int // indices of each processor
		owners  map[int]int
	}{
		{Block, 100, 4, 0, []int{25, 25, 25, 25}, map[int]int{1: 0, 25: 0, 26: 1, 100: 3}},
		{Block, 100, 4, 50, []int{50, 50, 0, 0}, map[int]int{50: 0, 51: 1}},
		{Block, 10, 4, 0, []int{3, 3, 3, 1}, map[int]int{10: 3}},
		{Cyclic, 10, 4, 0, []int{3, 3, 2, 2}, map[int]int{1: 0, 4: 3, 5: 0, 10: 1}},
		{Cyclic, 10, 4, 3, []int{3, 3, 3, 1}, map[int]int{10: 3}},
		{Cyclic, 14, 4, 3, []int{5, 3, 3, 3}, map[int]int{13: 0}},
	} {
		s := must.Get(NewSpread(c.kind, 1, c.n, c.p, c.m))(t)
		for p, n := range c.want {
			if s.Count(p) != n {
				t.Errorf("%+v: processor %d owns %d, want %d", s, p, s.Count(p), n)
			}
		}
		for i, p := range c.owners {
			if s.Owner(i) != p {
				t.Errorf("%+v: index %d belongs to %d, want %d", s, i, s.Owner(i), p)
			}
		}
	}
	if _, err := NewSpread(Block, 1, 100, 4, 24); err == nil || err.Error() != "BLOCK(24) on 4 processors holds 96 elements, but there are 100" {
		t.Errorf("BLOCK(24): %v", err)
	}
}

// TestArray checks that the owners of elements agree with the owned parts of sections and that every element has an owner.
func TestArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(1, 3).Draw(t, "dims")
		var lo, hi, shape []int
		var formats []Format
		for range dims {
			n := rapid.IntRange(6, 12).Draw(t, "n")
			lo, hi = append(lo, rapid.IntRange(-2, 2).Draw(t, "lo")), append(hi, 0)
			hi[len(hi)-1] = lo[len(lo)-1] + n - 1
			f := Format{Kind: Kind(rapid.IntRange(0, 2).Draw(t, "kind"))}
			if f.Kind != Collapsed {
				shape = append(shape, rapid.IntRange(1, 3).Draw(t, "p"))
			}
			if f.Kind == Cyclic {
				f.Size = rapid.IntRange(0, 3).Draw(t, "size")
			}
			formats = append(formats, f)
		}
		grid := &Grid{Name: "P", Shape: shape}
		tmpl := must.Get(NewTemplate("T", lo, hi, formats, grid))(t)
		rank := rapid.IntRange(1, 2).Draw(t, "rank")
		follow := make([]Follow, rank)
		fixed := make([]int, dims)
		used := map[int]bool{}
		alo, ahi := make([]int, rank), make([]int, rank)
		for d := range follow {
			alo[d], ahi[d] = 1, 3
			follow[d] = Follow{Dim: -1}
			if to := rapid.IntRange(-1, dims-1).Draw(t, "to"); to >= 0 && !used[to] {
				used[to] = true
				follow[d] = Follow{to, 1, lo[to] - 1}
				if rapid.Bool().Draw(t, "wide") {
					follow[d] = Follow{to, 2, lo[to] - 2}
				}
			}
		}
		for d := range fixed {
			fixed[d] = rapid.SampledFrom([]int{Replicated, lo[d], hi[d]}).Draw(t, "fixed")
		}
		a := must.Get(NewArray(tmpl, alo, ahi, follow, fixed))(t)
		if !a.Same(a) {
			t.Fatal("a mapping is not the same as itself")
		}
		section := make([]Run, rank)
		for d := range section {
			section[d] = Run{1, 3, rapid.IntRange(1, 2).Draw(t, "step")}
		}
		have := map[[2]int][]int{} // owners by element, found by sections
		for p := range grid.Size() {
			runs := a.Owned(p, section)
			if runs == nil {
				continue
			}
			second := []int{0}
			if rank == 2 {
				second = each(runs[1])
			}
			for _, i := range each(runs[0]) {
				for _, j := range second {
					have[[2]int{i, j}] = append(have[[2]int{i, j}], p)
				}
			}
		}
		index := make([]int, rank)
		for _, i := range each(section[:1]) {
			second := []int{0}
			if rank == 2 {
				second = each(section[1:])
			}
			for _, j := range second {
				index[0] = i
				if rank == 2 {
					index[1] = j
				}
				var owners []int
				for rank := range grid.Size() {
					if owns(a, rank, index) {
						owners = append(owners, rank)
					}
				}
				if len(owners) == 0 || owners[0] != a.Owner(index) || !slices.Equal(owners, have[[2]int{i, j}]) {
					t.Fatalf("element %v: owners %v, first %d, by sections %v", index, owners, a.Owner(index), have[[2]int{i, j}])
				}
			}
		}
	})
}

// owns reports whether processor rank has a copy of an element.
func owns(a *Array, rank int, index []int) bool {
	for d, s := range a.Template.Spread {
		axis := a.Template.Axis[d]
		if axis < 0 {
			continue
		}
		if at := a.place(d, index); at != Replicated && s.Owner(at) != a.Template.Grid.Coordinate(rank, axis) {
			return false
		}
	}
	return true
}

func each(runs []Run) (out []int) {
	for _, r := range runs {
		for k := range r.Len() {
			out = append(out, r.From+k*r.Step)
		}
	}
	return out
}

func TestSame(t *testing.T) {
	grid := &Grid{Name: "P", Shape: []int{4}}
	block, _ := NewTemplate("T", []int{1}, []int{16}, []Format{{Kind: Block}}, grid)
	wide, _ := NewTemplate("W", []int{0}, []int{15}, []Format{{Kind: Block}}, grid)
	cyclic, _ := NewTemplate("C", []int{1}, []int{16}, []Format{{Kind: Cyclic}}, grid)
	lay := func(t *Template, offset int) *Array {
		a, err := NewArray(t, []int{1}, []int{12}, []Follow{{0, 1, offset}}, []int{0})
		if err != nil {
			panic(err)
		}
		return a
	}
	for _, c := range []struct {
		a, b *Array
		want bool
	}{
		{lay(block, 0), lay(block, 0), true},
		{lay(block, 0), lay(wide, -1), true},
		{lay(block, 0), lay(block, 1), false},
		{lay(block, 0), lay(wide, 0), false},
		{lay(block, 0), lay(cyclic, 0), false},
	} {
		same := true
		for i := 1; i <= 12; i++ {
			same = same && c.a.Owner([]int{i}) == c.b.Owner([]int{i})
		}
		if c.a.Same(c.b) != c.want || same != c.want {
			t.Errorf("same %v, by elements %v, want %v", c.a.Same(c.b), same, c.want)
		}
	}
}

// TestTabled compares the owners of GEN_BLOCK and INDIRECT with plain tables, and checks the errors.
func TestTabled(t *testing.T) {
	for _, c := range []struct {
		kind   Kind
		lo, n  int
		values []int
		want   []int // the owner of each index
		err    string
	}{
		{GenBlock, 1, 10, []int{2, 0, 5, 3}, []int{0, 0, 2, 2, 2, 2, 2, 3, 3, 3}, ""},
		{GenBlock, -3, 5, []int{1, 9, 9, 9}, []int{0, 1, 1, 1, 1}, ""},
		{GenBlock, 1, 5, []int{1, 1, 1, 1}, nil, "the blocks of GEN_BLOCK hold 4 elements, but there are 5"},
		{GenBlock, 1, 5, []int{1, 1, 5}, nil, "GEN_BLOCK has 3 sizes of blocks, but there are 4 processors"},
		{GenBlock, 1, 5, []int{6, -1, 0, 0}, nil, "block 2 of GEN_BLOCK has -1 elements: expected 0 or more"},
		{Indirect, 0, 6, []int{4, 1, 1, 3, 4, 2}, []int{3, 0, 0, 2, 3, 1}, ""},
		{Indirect, 0, 3, []int{4, 1}, nil, "INDIRECT has 2 owners, but there are 3 elements"},
		{Indirect, 0, 2, []int{4, 5}, nil, "INDIRECT gives index 1 to processor 5: expected 1 to 4"},
	} {
		s, err := NewTabled(c.kind, c.lo, c.lo+c.n-1, 4, c.values, 1)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%v: %v, want %s", c.values, err, c.err)
			}
			continue
		}
		for k, p := range c.want {
			if s.Owner(c.lo+k) != p {
				t.Errorf("%v: index %d belongs to %d, want %d", c.values, c.lo+k, s.Owner(c.lo+k), p)
			}
		}
	}
}
