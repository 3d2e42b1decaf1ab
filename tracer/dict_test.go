package tracer_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
)

func TestDictGivesTheSameIdToTheSameEntry(t *testing.T) {
	var d tracer.Dict
	if d.Code(1) != (tracer.Code{}) || d.Context(1) != (tracer.Context{}) || len(d.Codes()) != 1 || len(d.Contexts()) != 1 {
		t.Error("an empty Dict has entries")
	}
	a := d.Add(tracer.Code{Type: tracer.Procedure, Name: "go/2"})
	b := d.Add(tracer.Code{Type: tracer.Clause, Name: "go/2", Parent: a})
	if a != 1 || b != 2 || d.Add(tracer.Code{Type: tracer.Procedure, Name: "go/2"}) != a {
		t.Errorf("ids %d, %d", a, b)
	}
	x := d.AddContext(tracer.Context{Code: a})
	y := d.AddContext(tracer.Context{Parent: x, Code: b})
	if x != 1 || y != 2 || d.AddContext(tracer.Context{Code: a}) != x || d.Context(y).Parent != x {
		t.Errorf("contexts %d, %d", x, y)
	}
	if c := d.Code(d.Add(tracer.Code{Name: "early", Parent: 50})); c.Parent != 0 {
		t.Errorf("an unknown parent is kept: %+v", c)
	}
	if c := d.Context(d.AddContext(tracer.Context{Parent: 50, Code: 1})); c.Parent != 0 {
		t.Errorf("an unknown parent is kept: %+v", c)
	}
}

func TestDictIsSafeForGoroutines(t *testing.T) {
	var d tracer.Dict
	var told sync.Map
	d.Watch(func(id uint32, c tracer.Code) { told.Store(id, c) }, func(uint32, tracer.Context) {})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				c := tracer.Code{Type: tracer.Name, Name: fmt.Sprint((i * (g + 1)) % 200)}
				id := d.Add(c)
				if got := d.Code(id); got != c {
					t.Errorf("entry %d is %+v, want %+v", id, got, c)
				}
				if got, _ := told.Load(id); got != c {
					t.Errorf("watched entry %d is %+v before its id is known, want %+v", id, got, c)
				}
				ctx := tracer.Context{Code: id}
				if got := d.Context(d.AddContext(ctx)); got != ctx {
					t.Errorf("context is %+v, want %+v", got, ctx)
				}
				_, _ = d.Codes(), d.Contexts()
			}
		})
	}
	wg.Wait()
	if n := len(d.Codes()) - 1; n != 200 {
		t.Errorf("%d entries, want 200", n)
	}
}

// TestContextsAreNumbered compares the numbers of contexts with a map. A context whose parent does not exist yet is an outermost one.
func TestContextsAreNumbered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d tracer.Dict
		want := map[tracer.Context]uint32{}
		for range rapid.IntRange(0, 400).Draw(t, "contexts") {
			c := tracer.Context{Parent: rapid.Uint32Range(0, 300).Draw(t, "parent"), Code: rapid.Uint32Range(0, 5).Draw(t, "code")}
			got := d.AddContext(c)
			if int(c.Parent) > len(want) {
				c.Parent = 0
			}
			id, ok := want[c]
			if !ok {
				id = uint32(len(want)) + 1
				want[c] = id
			}
			if got != id || d.Context(id) != c {
				t.Fatalf("%+v is %d, want %d", c, got, id)
			}
		}
		if n := len(d.Contexts()); n != len(want)+1 {
			t.Errorf("%d contexts, want %d", n-1, len(want))
		}
	})
}

// TestAddPath compares paths with contexts that are added one by one, until there are as many as allowed.
func TestAddPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d, want tracer.Dict
		most := rapid.IntRange(1, 100).Draw(t, "most")
		codes := rapid.SampledFrom([]uint32{0, 1, 2, 3, 1 << 31})
		for range rapid.IntRange(1, 30).Draw(t, "paths") {
			path := rapid.SliceOfN(codes, 0, 30).Draw(t, "path")
			from := rapid.Uint32Range(0, uint32(len(d.Contexts()))-1).Draw(t, "from")
			at, left := from, len(path)
			for _, code := range path {
				c := tracer.Context{Parent: at, Code: code}
				if len(want.Contexts()) >= most && !slices.Contains(want.Contexts()[1:], c) {
					break
				}
				at = want.AddContext(c)
				left--
			}
			if got, rest := d.AddPath(from, path, most); got != at || rest != left {
				t.Fatalf("path %v from %d leads to %d, %d codes left; want %d, %d", path, from, got, rest, at, left)
			}
		}
		if !slices.Equal(d.Contexts(), want.Contexts()) {
			t.Fatalf("contexts %v, want %v", d.Contexts(), want.Contexts())
		}
	})
}

// TestExtend checks that Add and AddPath find the entries that Extend added, which a watcher is told of, and that an entry that is there already keeps its
// first id.
func TestExtend(t *testing.T) {
	var d tracer.Dict
	var told []uint32
	d.Watch(func(id uint32, _ tracer.Code) { told = append(told, id) }, func(id uint32, _ tracer.Context) { told = append(told, 100+id) })
	first := d.Add(tracer.Code{Type: tracer.Name, Name: "first"})
	codes := []tracer.Code{{Type: tracer.Name, Name: "second"}, {Type: tracer.Name, Name: "first"}, {Type: tracer.Name, Name: "far", Parent: 9, Scale: math.NaN()}}
	d.Extend(codes, []tracer.Context{{Code: 1}, {Parent: 1, Code: 2}, {Parent: 7, Code: 3}})
	if got := []uint32{d.Add(codes[0]), d.Add(codes[1]), d.Add(tracer.Code{Type: tracer.Name, Name: "far"}), d.Add(tracer.Code{Type: tracer.Name, Name: "new"})}; !slices.Equal(got, []uint32{2, first, 4, 5}) {
		t.Errorf("codes %d", got)
	}
	if id, left := d.AddPath(0, []uint32{1, 2, 4}, 100); id != 4 || left != 0 || d.Context(4) != (tracer.Context{Parent: 2, Code: 4}) || d.Context(3).Parent != 0 {
		t.Errorf("context %d, %d left", id, left)
	}
	if want := []uint32{1, 2, 3, 4, 101, 102, 103, 5, 104}; !slices.Equal(told, want) {
		t.Errorf("watched %d, want %d", told, want)
	}
}
