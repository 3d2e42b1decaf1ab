package flow

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"whorl/testdata/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sum returns a stage that adds its inputs and its parameters.
func sum(name string, params Params, in ...Input) *Stage[int] {
	return Derive(name, "the sum of "+name, in, params, func(c *Call[int]) (int, error) {
		total := 0
		for _, i := range in {
			total += c.input(i.base()).(int)
		}
		for name := range c.Params {
			total += int(c.Params.Int(name))
		}
		return total, nil
	})
}

// asked is a graph with a reader for each stage that a test reads. All readers have the same parameters.
type asked struct {
	*Graph
	params  Values
	readers map[*stage]*Reader[any]
}

func ask(t testing.TB) *asked {
	a := &asked{Graph: New(), params: Values{}, readers: map[*stage]*Reader[any]{}}
	t.Cleanup(a.Close)
	return a
}

func (a *asked) Get(ctx context.Context, budget time.Duration, s Input) (Result[any], error) {
	r := a.readers[s.base()]
	if r == nil {
		r = NewReader[any](a.Graph, s)
		a.readers[s.base()] = r
		for name, v := range a.params {
			if err := r.SetParam(name, v); err != nil {
				return Result[any]{}, err
			}
		}
	}
	return r.Get(ctx, budget)
}

func (a *asked) SetParam(name string, v any) error {
	a.params[name] = v
	for _, r := range a.readers {
		if err := r.SetParam(name, v); err != nil {
			return err
		}
	}
	return nil
}

func (a *asked) Rest() {
	for _, r := range a.readers {
		r.Rest()
	}
}

func get(t testing.TB, a *asked, s Input) any {
	t.Helper()
	r, err := a.Get(context.Background(), 0, s)
	if err != nil || !r.Done {
		t.Fatalf("%s: %+v, %v", s.base().name, r, err)
	}
	return r.Value
}

func TestOnlyWhatChangedRuns(t *testing.T) {
	g := ask(t)
	trace, other := NewSource[int]("trace"), NewSource[int]("other")
	tree := sum("tree", nil, trace)
	layout, colours := sum("layout", Params{"distance"}, tree), sum("colours", Params{"hue"}, tree, other)
	picture := sum("picture", nil, layout, colours)
	runs := func() string {
		var b []string
		for _, s := range []string{"tree", "layout", "colours", "picture"} {
			b = append(b, fmt.Sprint(g.Runs(s)))
		}
		return strings.Join(b, " ")
	}
	step := func(what string, change func() error, value int, want string) {
		t.Helper()
		must.Do(t, change())
		for range 2 { // the second value is cached
			if got := get(t, g, picture); got != value {
				t.Errorf("%s: %v, want %d", what, got, value)
			}
		}
		if got := runs(); got != want {
			t.Errorf("%s: runs %s, want %s", what, got, want)
		}
	}
	set := func(s *Source[int], v int) func() error { return func() error { s.Set(g.Graph, v); return nil } }
	other.Set(g.Graph, 10)
	step("first", set(trace, 1), 12, "1 1 1 1")
	step("layout parameter", func() error { return g.SetParam("distance", int64(100)) }, 112, "1 2 1 2")
	step("colour parameter", func() error { return g.SetParam("hue", int64(1000)) }, 1112, "1 2 2 3")
	step("equal parameter", func() error { return g.SetParam("hue", int64(1000)) }, 1112, "1 2 2 3")
	step("unused parameter", func() error { return g.SetParam("size", int64(5)) }, 1112, "1 2 2 3")
	step("one source", set(other, 20), 1122, "1 2 3 4")
	step("all from the trace", set(trace, 2), 1124, "2 3 4 5")
}

func TestUndeclaredParametersAreNotSeen(t *testing.T) {
	g, in := ask(t), NewSource[int]("in")
	a := sum("a", Params{"mine"}, in)
	in.Set(g.Graph, 1)
	must.Do(t, errors.Join(g.SetParam("mine", int64(10)), g.SetParam("yours", int64(100))))
	if got := get(t, g, a); got != 11 {
		t.Errorf("got %v, want 11", got)
	}
	r := NewReader[int](g.Graph, a)
	if !r.Reads("mine") || r.Reads("yours") {
		t.Error("Reads is wrong: stage a reads only mine")
	}
}

func TestRefused(t *testing.T) {
	g, s := ask(t), NewSource[int]("s")
	a := sum("a", nil, s)
	r := NewReader[int](g.Graph, a)
	for _, c := range []struct {
		err  error
		want string
	}{
		{r.SetParam("p", []int{1}), "parameter p is a []int"},
		{r.SetParam("p", 1), "parameter p is a int, expected"},
		{r.SetParam("p", math.NaN()), "parameter p is not a number"},
		{func() error { _, err := r.Get(context.Background(), 0); return err }(), "source s has no value"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
}

// TestUndeclaredInput checks the panic of a stage that reads an input that it does not declare.
func TestUndeclaredInput(t *testing.T) {
	g, mine, yours := ask(t), NewSource[int]("mine"), NewSource[int]("yours")
	a := Derive("a", "", In(mine), nil, func(c *Call[int]) (int, error) { return mine.In(c) + yours.In(c), nil })
	mine.Set(g.Graph, 1)
	yours.Set(g.Graph, 1)
	defer func() {
		if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "stage a: the stage reads yours, which is not one of its inputs\n") {
			t.Errorf("recovered %q", p)
		}
	}()
	get(t, g, a)
}

func TestErrorsAreRemembered(t *testing.T) {
	broken := errors.New("odd number")
	g, in := ask(t), NewSource[int]("in")
	half := Derive("half", "", In(in), nil, func(c *Call[int]) (int, error) {
		if n := in.In(c); n%2 == 0 {
			return n / 2, nil
		}
		return 0, broken
	})
	out := sum("out", nil, half)
	for _, c := range []struct {
		in, runs int
		want     any
	}{{4, 1, 2}, {5, 2, nil}, {8, 3, 4}} {
		in.Set(g.Graph, c.in)
		for range 2 {
			r, err := g.Get(context.Background(), 0, out)
			if r.Value != c.want {
				t.Errorf("%d: %v", c.in, r.Value)
			}
			if failed := c.want == nil; failed != (err != nil) || failed && (!errors.Is(err, broken) || err.Error() != broken.Error()) {
				t.Errorf("%d: error %v", c.in, err)
			}
		}
		if g.Runs("half") != c.runs {
			t.Errorf("%d: %d runs, want %d", c.in, g.Runs("half"), c.runs)
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	g := ask(t)
	bad := Derive("bad", "", nil, nil, func(*Call[int]) (int, error) { panic("oh") })
	defer func() {
		if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "stage bad: oh\n") {
			t.Errorf("recovered %q", p)
		}
	}()
	get(t, g, bad)
}

func TestPreviousValueIsGiven(t *testing.T) {
	var prevs []int
	g, in := ask(t), NewSource[int]("in")
	grow := Derive("grow", "", In(in), nil, func(c *Call[int]) (int, error) {
		prevs = append(prevs, c.Prev)
		return in.In(c), nil
	})
	for i := range 3 {
		in.Set(g.Graph, i+1)
		get(t, g, grow)
	}
	if want := []int{0, 1, 2}; !slices.Equal(prevs, want) {
		t.Errorf("previous values %v, want %v", prevs, want)
	}
}

// TestAgreesWithNewGraph changes random sources and parameters of random graphs, and compares each value with that of a new graph.
func TestAgreesWithNewGraph(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		sources := []*Source[int]{NewSource[int]("s0"), NewSource[int]("s1")}
		params := []string{"p0", "p1", "p2"}
		stages := []Input{sources[0], sources[1]}
		for i := range rapid.IntRange(1, 8).Draw(t, "stages") {
			name := fmt.Sprintf("n%d", i)
			in := rapid.SliceOfN(rapid.SampledFrom(slices.Clone(stages)), 1, 3).Draw(t, name+" reads")
			stages = append(stages, sum(name, rapid.SliceOfNDistinct(rapid.SampledFrom(params), 0, 3, rapid.ID).Draw(t, name+" declares"), in...))
		}
		value := []int{1, 2}
		set := map[string]int64{}
		build := func() *asked {
			g := ask(outer)
			for i, v := range value {
				sources[i].Set(g.Graph, v)
			}
			for p, v := range set {
				_ = g.SetParam(p, v)
			}
			return g
		}
		g := build()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "source") {
				i := rapid.IntRange(0, 1).Draw(t, "which")
				value[i] = rapid.IntRange(0, 100).Draw(t, "value")
				sources[i].Set(g.Graph, value[i])
			} else {
				p := rapid.SampledFrom(params).Draw(t, "which")
				set[p] = rapid.Int64Range(0, 3).Draw(t, "value")
				_ = g.SetParam(p, set[p])
			}
			want := stages[rapid.IntRange(2, len(stages)-1).Draw(t, "get")]
			a := must.Get(g.Get(context.Background(), 0, want))(t)
			b, err := build().Get(context.Background(), 0, want)
			if err != nil || a.Value != b.Value {
				t.Fatalf("%s: %v, want %v as in a new graph (%v)", want.base().name, a.Value, b.Value, err)
			}
		}
	})
}

func BenchmarkNothingChanged(b *testing.B) {
	g, s := New(), NewSource[int]("s")
	last := sum("n0", Params{"p"}, s)
	for i := 1; i < 8; i++ {
		last = sum(fmt.Sprintf("n%d", i), Params{"p"}, last)
	}
	s.Set(g, 1)
	r := NewReader[int](g, last)
	for b.Loop() {
		must.Get(r.Get(context.Background(), 0))(b)
	}
}
