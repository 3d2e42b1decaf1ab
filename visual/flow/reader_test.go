package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestReadersShare has readers of the same stages with equal and with different parameters.
func TestReadersShare(t *testing.T) {
	g, err := New("trace")
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	tree, layout := sum("tree", nil, "trace"), sum("layout", []string{"distance"}, "tree")
	open := func(stages ...Stage) *Reader {
		r, err := g.Reader(stages...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b := open(tree, layout, sum("picture", []string{"hue"}, "layout")), open(tree, layout, sum("picture", []string{"hue"}, "layout"))
	other := sum("picture", []string{"hue"}, "layout")
	other.Doc = "of another view"
	c := open(tree, sum("layout", nil, "tree"), other)
	set := func(r *Reader, name string, v int64) {
		if err := r.SetParam(name, v); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what string, values [3]int, runs [3]int, held ...string) {
		t.Helper()
		for i, r := range []*Reader{a, b, c} {
			if values[i] == 0 {
				continue
			}
			if got := get(t, r, "picture"); got != values[i] {
				t.Errorf("%s: reader %d has %v, want %d", what, i, got, values[i])
			}
		}
		if got := [3]int{g.Runs("tree"), g.Runs("layout"), g.Runs("picture")}; got != runs {
			t.Errorf("%s: runs %v, want %v", what, got, runs)
		}
		if got := g.Held(); held != nil && !slices.Equal(got, held) {
			t.Errorf("%s: holds %v, want %v", what, got, held)
		}
	}
	if err := g.Set("trace", 1); err != nil {
		t.Fatal(err)
	}
	set(c, "hue", 100)
	check("equal parameters", [3]int{1, 1, 101}, [3]int{1, 2, 2}, "layout", "layout", "picture", "picture", "tree")
	set(b, "hue", 5)
	check("another hue", [3]int{1, 6, 101}, [3]int{1, 2, 3})
	set(a, "distance", 10)
	check("another distance", [3]int{11, 6, 101}, [3]int{1, 3, 4})
	set(b, "distance", 10)
	set(b, "hue", 0)
	check("as a, but that its hue is set", [3]int{11, 11, 101}, [3]int{1, 3, 5})
	set(a, "hue", 0)
	check("wholly as a", [3]int{11, 11, 101}, [3]int{1, 3, 5}, "layout", "layout", "picture", "picture", "tree")
	if err := g.Set("trace", 2); err != nil {
		t.Fatal(err)
	}
	check("a longer trace", [3]int{12, 12, 102}, [3]int{2, 5, 7})
	a.Rest()
	check("one rests", [3]int{0, 12, 102}, [3]int{2, 5, 7}, "layout", "layout", "picture", "picture", "tree")
	b.Rest()
	check("two rest", [3]int{0, 0, 102}, [3]int{2, 5, 7}, "layout", "picture", "tree")
	check("one comes back", [3]int{12, 0, 102}, [3]int{2, 6, 8})
	for _, r := range []*Reader{a, b, c} {
		r.Rest()
	}
	if got := g.Held(); len(got) != 0 {
		t.Errorf("when all rest the graph holds %v", got)
	}
}

// TestPreviousValueOfOtherParameters sees that a stage gets what it was with the parameters before.
func TestPreviousValueOfOtherParameters(t *testing.T) {
	var prevs []any
	g, err := single([]string{"in"}, Stage{Name: "grow", In: []string{"in"}, Params: []string{"p"}, Run: func(_ context.Context, in []any, prev any, p Params, _ Tick) (any, error) {
		prevs = append(prevs, prev)
		return in[0].(int) + int(p.Int("p")), nil
	}})
	must(t, g, err)
	for i := range 2 {
		for p := range int64(2) {
			if err := errors.Join(g.Set("in", 10*i), g.SetParam("p", p)); err != nil {
				t.Fatal(err)
			}
			get(t, g, "grow")
		}
	}
	if want := []any{nil, 0, 1, 10}; !slices.Equal(prevs, want) {
		t.Errorf("previous values %v, want %v", prevs, want)
	}
}

// waiting is a stage that says when it has begun and waits to be let go; it ticks when it has been.
func waiting(name string, begun chan<- string, let <-chan bool) Stage {
	return Stage{Name: name, In: []string{"in"}, Run: func(ctx context.Context, in []any, _ any, _ Params, tick Tick) (any, error) {
		if err := tick(1, 2); err != nil {
			return nil, err
		}
		begun <- name
		<-let
		if err := tick(2, 2); err != nil {
			begun <- "stopped"
			return nil, err
		}
		begun <- "done"
		return in[0], nil
	}}
}

// TestBeside sees a stage go on while nobody waits for it, and others wait their turn.
func TestBeside(t *testing.T) {
	if !Threads {
		t.Skip("there is one thread")
	}
	begun, let := make(chan string), make(chan bool)
	g, err := single([]string{"in"}, waiting("slow", begun, let), sum("quick", nil, "in"))
	must(t, g, err)
	if err := g.Set("in", 3); err != nil {
		t.Fatal(err)
	}
	try := func(stage string) Result {
		t.Helper()
		r, err := g.Get(context.Background(), time.Microsecond, stage)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	try("slow")
	<-begun // without a Get
	for _, stage := range []string{"slow", "quick"} {
		if r := try(stage); r.Done || r.Stage != "slow" || r.At != 1 || r.Total != 2 {
			t.Errorf("%s: %+v", stage, r)
		}
	}
	let <- true
	if what := <-begun; what != "done" {
		t.Fatal(what)
	}
	if a, b := get(t, g, "quick"), get(t, g, "slow"); a != 3 || b != 3 || g.Runs("slow") != 1 {
		t.Errorf("%v, %v, %d runs", a, b, g.Runs("slow"))
	}

	// A longer trace while it runs: what runs is told to stop, and nobody waits for that.
	if err := g.Set("in", 4); err != nil {
		t.Fatal(err)
	}
	try("slow")
	<-begun
	if err := g.Set("in", 5); err != nil {
		t.Fatal(err)
	}
	try("slow")
	if what := <-begun; what != "slow" {
		t.Fatal(what)
	}
	let <- true
	let <- true
	if a, b := <-begun, <-begun; a == b {
		t.Errorf("both are %s", a)
	}
	if got := get(t, g, "slow"); got != 5 {
		t.Errorf("%v, want 5", got)
	}

	// And when nobody wants it any more.
	if err := g.Set("in", 6); err != nil {
		t.Fatal(err)
	}
	try("slow")
	<-begun
	g.Rest()
	let <- true
	if what := <-begun; what != "stopped" {
		t.Error(what)
	}
}

// TestReadersAgreeWithComputingAnew changes sources, parameters and who reads at random, with small budgets now and then, and compares
// every value with that of a fresh graph.
func TestReadersAgreeWithComputingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stages := []Stage{
			sum("a", []string{"p"}, "s"), sum("b", nil, "a", "s"), sum("c", []string{"q"}, "b"), sum("d", []string{"p", "q"}, "a", "c"),
		}
		g, err := New("s")
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		g.beside = rapid.Bool().Draw(t, "beside") && Threads
		value := 1
		_ = g.Set("s", value)
		readers := make([]*Reader, 3)
		params := make([]map[string]int64, len(readers))
		for i := range readers {
			readers[i], _ = g.Reader(stages...)
			params[i] = map[string]int64{}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			i := rapid.IntRange(0, len(readers)-1).Draw(t, "reader")
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0:
				value = rapid.IntRange(0, 50).Draw(t, "value")
				_ = g.Set("s", value)
			case 1:
				p := rapid.SampledFrom([]string{"p", "q"}).Draw(t, "which")
				params[i][p] = rapid.Int64Range(0, 2).Draw(t, "value")
				_ = readers[i].SetParam(p, params[i][p])
			case 2:
				readers[i].Rest()
			default:
				budget := time.Duration(rapid.IntRange(0, 1).Draw(t, "budget"))
				r, err := readers[i].Get(context.Background(), budget, "d")
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
