package flow

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

// TestReadersShare checks which values readers share, with equal and with different parameters.
func TestReadersShare(t *testing.T) {
	g, trace := New(), NewSource[int]("trace")
	defer g.Close()
	tree := sum("tree", nil, trace)
	picture := sum("picture", Params{"hue"}, sum("layout", Params{"distance"}, tree))
	a, b := NewReader[int](g, picture), NewReader[int](g, picture)
	c := NewReader[int](g, sum("picture", Params{"hue"}, sum("layout", nil, tree))) // other stages with the same names
	set := func(r *Reader[int], name string, v int64) {
		must.Do(t, r.SetParam(name, v))
	}
	check := func(what string, values [3]int, runs [3]int, held ...string) {
		t.Helper()
		for i, r := range []*Reader[int]{a, b, c} {
			if values[i] == 0 {
				continue
			}
			if got, err := r.Get(context.Background(), 0); err != nil || got.Value != values[i] {
				t.Errorf("%s: reader %d has %v, want %d (%v)", what, i, got.Value, values[i], err)
			}
		}
		if got := [3]int{g.Runs("tree"), g.Runs("layout"), g.Runs("picture")}; got != runs {
			t.Errorf("%s: runs %v, want %v", what, got, runs)
		}
		if got := g.Held(); held != nil && !slices.Equal(got, held) {
			t.Errorf("%s: holds %v, want %v", what, got, held)
		}
	}
	trace.Set(g, 1)
	set(c, "hue", 100)
	check("equal parameters", [3]int{1, 1, 101}, [3]int{1, 2, 2}, "layout", "layout", "picture", "picture", "tree")
	set(b, "hue", 5)
	check("another hue", [3]int{1, 6, 101}, [3]int{1, 2, 3})
	set(a, "distance", 10)
	check("another distance", [3]int{11, 6, 101}, [3]int{1, 3, 4})
	set(b, "distance", 10)
	set(b, "hue", 0)
	check("like a, but with a hue", [3]int{11, 11, 101}, [3]int{1, 3, 5})
	set(a, "hue", 0)
	check("exactly like a", [3]int{11, 11, 101}, [3]int{1, 3, 5}, "layout", "layout", "picture", "picture", "tree")
	trace.Set(g, 2)
	check("a longer trace", [3]int{12, 12, 102}, [3]int{2, 5, 7})
	a.Rest()
	check("one rests", [3]int{0, 12, 102}, [3]int{2, 5, 7}, "layout", "layout", "picture", "picture", "tree")
	b.Rest()
	check("two rest", [3]int{0, 0, 102}, [3]int{2, 5, 7}, "layout", "picture", "tree")
	check("one comes back", [3]int{12, 0, 102}, [3]int{2, 6, 8})
	for _, r := range []*Reader[int]{a, b, c} {
		r.Rest()
	}
	if got := g.Held(); len(got) != 0 {
		t.Errorf("after all readers rest, the graph holds %v", got)
	}
}

// TestPreviousValueOfOtherParameters checks that Prev is the value with the previous parameters.
func TestPreviousValueOfOtherParameters(t *testing.T) {
	var prevs []int
	g, in := ask(t), NewSource[int]("in")
	grow := Derive("grow", "", In(in), Params{"p"}, func(c *Call[int]) (int, error) {
		prevs = append(prevs, c.Prev)
		return in.In(c) + int(c.Params.Int("p")), nil
	})
	for i := range 2 {
		for p := range int64(2) {
			in.Set(g.Graph, 10*i+5)
			must.Do(t, g.SetParam("p", p))
			get(t, g, grow)
		}
	}
	if want := []int{0, 5, 6, 15}; !slices.Equal(prevs, want) {
		t.Errorf("previous values %v, want %v", prevs, want)
	}
}

// waiting returns a stage that sends its name to begun, waits for a value from let, and then ticks.
func waiting(name string, in *Source[int], begun chan<- string, let <-chan bool) *Stage[int] {
	return Derive(name, "", In(in), nil, func(c *Call[int]) (int, error) {
		if err := c.Tick(1, 2); err != nil {
			return 0, err
		}
		begun <- name
		<-let
		if err := c.Tick(2, 2); err != nil {
			begun <- "stopped"
			return 0, err
		}
		begun <- "done"
		return in.In(c), nil
	})
}

// TestBeside checks that a stage runs while no Get waits for it, and that other stages wait for it.
func TestBeside(t *testing.T) {
	if !Threads {
		t.Skip("there is one thread")
	}
	begun, let := make(chan string), make(chan bool)
	g, in := ask(t), NewSource[int]("in")
	slow, quick := waiting("slow", in, begun, let), sum("quick", nil, in)
	in.Set(g.Graph, 3)
	try := func(stage Input) Result[any] {
		t.Helper()
		return must.Get(g.Get(context.Background(), time.Microsecond, stage))(t)
	}
	try(slow)
	<-begun // without a Get
	for _, stage := range []Input{slow, quick} {
		if r := try(stage); r.Done || r.Stage != "slow" || r.Progress != 1 || r.Total != 2 {
			t.Errorf("%s: %+v", stage.base().name, r)
		}
	}
	let <- true
	if what := <-begun; what != "done" {
		t.Fatal(what)
	}
	if a, b := get(t, g, quick), get(t, g, slow); a != 3 || b != 3 || g.Runs("slow") != 1 {
		t.Errorf("%v, %v, %d runs", a, b, g.Runs("slow"))
	}

	// When the trace grows, the running stage is cancelled, and Get does not wait for its end.
	in.Set(g.Graph, 4)
	try(slow)
	<-begun
	in.Set(g.Graph, 5)
	try(slow)
	if what := <-begun; what != "slow" {
		t.Fatal(what)
	}
	let <- true
	let <- true
	if a, b := <-begun, <-begun; a == b {
		t.Errorf("both are %s", a)
	}
	if got := get(t, g, slow); got != 5 {
		t.Errorf("%v, want 5", got)
	}

	// The stage is also cancelled when no reader needs it.
	in.Set(g.Graph, 6)
	try(slow)
	<-begun
	g.Rest()
	let <- true
	if what := <-begun; what != "stopped" {
		t.Error(what)
	}
}

// TestReadersAgree changes sources, parameters and readers at random, sometimes with small budgets, and compares each value with one computed
// directly.
func TestReadersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSource[int]("s")
		a := sum("a", Params{"p"}, s)
		d := sum("d", Params{"p", "q"}, a, sum("c", Params{"q"}, sum("b", nil, a, s)))
		g := New()
		defer g.Close()
		g.beside = rapid.Bool().Draw(t, "beside") && Threads
		value := 1
		s.Set(g, value)
		readers := make([]*Reader[int], 3)
		params := make([]map[string]int64, len(readers))
		for i := range readers {
			readers[i] = NewReader[int](g, d)
			params[i] = map[string]int64{}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			i := rapid.IntRange(0, len(readers)-1).Draw(t, "reader")
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0:
				value = rapid.IntRange(0, 50).Draw(t, "value")
				s.Set(g, value)
			case 1:
				p := rapid.SampledFrom([]string{"p", "q"}).Draw(t, "which")
				params[i][p] = rapid.Int64Range(0, 2).Draw(t, "value")
				_ = readers[i].SetParam(p, params[i][p])
			case 2:
				readers[i].Rest()
			default:
				budget := time.Duration(rapid.IntRange(0, 1).Draw(t, "budget"))
				r, err := readers[i].Get(context.Background(), budget)
				p, q := int(params[i]["p"]), int(params[i]["q"])
				if want := (value+p)*2 + value + q + p + q; err != nil || r.Done && r.Value != want || !r.Done && budget == 0 {
					t.Fatalf("%+v, want %d (%v)", r, want, err)
				}
			}
		}
		names := map[string]int{}
		for _, name := range g.Held() {
			names[name]++
		}
		different := map[string]bool{}
		for i, r := range readers {
			if r.held != nil {
				different[fmt.Sprint(params[i])] = true
			}
		}
		if names["d"] > len(readers) || names["a"] > len(readers) || len(different) == 0 && len(names) > 0 {
			t.Fatalf("the graph holds %v for %d readers", g.Held(), len(different))
		}
	})
}

// TestInstead checks that a swap affects all stages of its reader and no other readers.
func TestInstead(t *testing.T) {
	g, in := New(), NewSource[int]("in")
	defer g.Close()
	tree := sum("tree", nil, in)
	picture := sum("picture", nil, tree, sum("layout", nil, tree))
	small := Derive("tree", "a small tree", In(in), Params{"size"}, func(c *Call[int]) (int, error) { return int(c.Params.Int("size")), nil })
	in.Set(g, 10)
	whole, condensed := NewReader[int](g, picture), NewReader[int](g, picture, Instead(tree, small))
	must.Do(t, condensed.SetParam("size", int64(3)))
	for _, c := range []struct {
		r    *Reader[int]
		want int
	}{{whole, 20}, {condensed, 6}, {whole, 20}} {
		if got, err := c.r.Get(context.Background(), 0); err != nil || got.Value != c.want {
			t.Errorf("%+v, %v, want %d", got, err, c.want)
		}
	}
	if p := AllParams(picture, Instead(tree, small)); !slices.Equal(p, Params{"size"}) || len(AllParams(picture)) > 0 {
		t.Errorf("parameters %v and %v", p, AllParams(picture))
	}
}
