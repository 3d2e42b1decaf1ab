package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sum is a stage that adds its inputs and a parameter.
func sum(name string, params []string, in ...string) Stage {
	return Stage{Name: name, In: in, Params: params, Run: func(_ context.Context, in []any, _ any, p Params, _ Tick) (any, error) {
		total := 0
		for _, v := range in {
			total += v.(int)
		}
		for name := range p {
			total += int(p.Int(name))
		}
		return total, nil
	}}
}

// A pair is a graph with one reader.
type pair struct {
	*Graph
	*Reader
}

func (p *pair) Runs(stage string) int { return p.Graph.Runs(stage) }

func single(sources []string, stages ...Stage) (*pair, error) {
	g, err := New(sources...)
	if err != nil {
		return nil, err
	}
	r, err := g.Reader(stages...)
	return &pair{g, r}, err
}

func must(t testing.TB, g *pair, err error) *pair {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func get(t testing.TB, g interface {
	Get(context.Context, time.Duration, string) (Result, error)
}, stage string,
) any {
	t.Helper()
	r, err := g.Get(context.Background(), 0, stage)
	if err != nil || !r.Done {
		t.Fatalf("%s: %+v, %v", stage, r, err)
	}
	return r.Value
}

func TestOnlyWhatChangedRuns(t *testing.T) {
	g, err := single([]string{"trace", "other"},
		sum("tree", nil, "trace"), sum("layout", []string{"distance"}, "tree"), sum("colours", []string{"hue"}, "tree", "other"), sum("picture", nil, "layout", "colours"))
	must(t, g, err)
	runs := func() string {
		var b []string
		for _, s := range []string{"tree", "layout", "colours", "picture"} {
			b = append(b, fmt.Sprint(g.Runs(s)))
		}
		return strings.Join(b, " ")
	}
	step := func(what string, change func() error, value int, want string) {
		t.Helper()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from memory
			if got := get(t, g, "picture"); got != value {
				t.Errorf("%s: %v, want %d", what, got, value)
			}
		}
		if got := runs(); got != want {
			t.Errorf("%s: runs %s, want %s", what, got, want)
		}
	}
	step("first", func() error { return errors.Join(g.Set("trace", 1), g.Set("other", 10)) }, 12, "1 1 1 1")
	step("layout parameter", func() error { return g.SetParam("distance", int64(100)) }, 112, "1 2 1 2")
	step("colour parameter", func() error { return g.SetParam("hue", int64(1000)) }, 1112, "1 2 2 3")
	step("equal parameter", func() error { return g.SetParam("hue", int64(1000)) }, 1112, "1 2 2 3")
	step("parameter of nobody", func() error { return g.SetParam("size", int64(5)) }, 1112, "1 2 2 3")
	step("one source", func() error { return g.Set("other", 20) }, 1122, "1 2 3 4")
	step("all from the trace", func() error { return g.Set("trace", 2) }, 1124, "2 3 4 5")
}

func TestUndeclaredParametersAreNotSeen(t *testing.T) {
	g, err := single([]string{"in"}, sum("a", []string{"mine"}, "in"))
	must(t, g, err)
	if err := errors.Join(g.Set("in", 1), g.SetParam("mine", int64(10)), g.SetParam("yours", int64(100))); err != nil {
		t.Fatal(err)
	}
	if got := get(t, g, "a"); got != 11 {
		t.Errorf("got %v, want 11", got)
	}
}

func TestRefused(t *testing.T) {
	nothing := sum("a", nil)
	nothing.Run = nil
	for _, c := range []struct {
		name    string
		sources []string
		stages  []Stage
		want    string
	}{
		{"circle", nil, []Stage{sum("a", nil, "c"), sum("b", nil, "a"), sum("c", nil, "b")}, "circle: a <- c <- b <- a"},
		{"itself", nil, []Stage{sum("a", nil, "a")}, "circle: a <- a"},
		{"missing input", []string{"trace"}, []Stage{sum("a", nil, "trcae")}, `stage a: input: unknown stage "trcae"; did you mean trace?`},
		{"twice", nil, []Stage{sum("a", nil), sum("a", nil)}, "two stages are named a"},
		{"source and stage", []string{"a"}, []Stage{sum("a", nil)}, "two stages are named a"},
		{"no name", nil, []Stage{sum("", nil)}, "no name"},
		{"no function", nil, []Stage{nothing}, "stage a computes nothing"},
	} {
		if _, err := single(c.sources, c.stages...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	g, err := single([]string{"s"}, sum("a", nil, "s"))
	must(t, g, err)
	for _, c := range []struct {
		err  error
		want string
	}{
		{g.Set("x", 1), `unknown stage "x"; known are s`},
		{g.SetParam("p", []int{1}), "parameter p is a []int"},
		{g.SetParam("p", 1), "parameter p is a int, want"},
		{func() error { _, err := g.Get(context.Background(), 0, "a"); return err }(), "source s has no value"},
		{func() error { _, err := g.Get(context.Background(), 0, "q"); return err }(), `unknown stage "q"`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
}

func TestErrorsNameTheStageAndAreRemembered(t *testing.T) {
	broken := errors.New("odd number")
	g, err := single([]string{"in"},
		Stage{Name: "half", In: []string{"in"}, Run: func(_ context.Context, in []any, _ any, _ Params, _ Tick) (any, error) {
			if n := in[0].(int); n%2 == 0 {
				return n / 2, nil
			}
			return nil, broken
		}}, sum("out", nil, "half"))
	must(t, g, err)
	for _, c := range []struct {
		in, runs int
		want     any
	}{{4, 1, 2}, {5, 2, nil}, {8, 3, 4}} {
		if err := g.Set("in", c.in); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			r, err := g.Get(context.Background(), 0, "out")
			if r.Value != c.want {
				t.Errorf("%d: %v", c.in, r.Value)
			}
			if failed := c.want == nil; failed != (err != nil) || failed && (!errors.Is(err, broken) || err.Error() != "half: odd number") {
				t.Errorf("%d: error %v", c.in, err)
			}
		}
		if g.Runs("half") != c.runs {
			t.Errorf("%d: %d runs, want %d", c.in, g.Runs("half"), c.runs)
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	g, err := single(nil, Stage{Name: "bad", Run: func(context.Context, []any, any, Params, Tick) (any, error) { panic("oh") }})
	must(t, g, err)
	defer func() {
		if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "stage bad: oh\n") {
			t.Errorf("recovered %q", p)
		}
	}()
	_, _ = g.Get(context.Background(), 0, "bad")
}

// counting is a stage of n ticks whose clock moves by one millisecond a tick.
func counting(g **pair, n int64) Stage {
	return Stage{Name: "count", In: []string{"from"}, Params: []string{"p"}, Run: func(_ context.Context, in []any, prev any, _ Params, tick Tick) (any, error) {
		total := in[0].(int)
		for i := range n {
			clock := (*g).now() + time.Millisecond
			(*g).now = func() time.Duration { return clock }
			if err := tick(i, n); err != nil {
				return nil, err
			}
			total++
		}
		return total, nil
	}}
}

func paced(t testing.TB, n int64) *pair {
	t.Helper()
	var g *pair
	g, err := single([]string{"from"}, counting(&g, n))
	must(t, g, err)
	g.beside = false
	g.now = func() time.Duration { return time.Hour }
	if err := g.Set("from", 1000); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestBudgetPausesAndGoesOn(t *testing.T) {
	g := paced(t, 10)
	var at []int64
	for {
		r, err := g.Get(context.Background(), 3*time.Millisecond, "count")
		if err != nil {
			t.Fatal(err)
		}
		if r.Done {
			if r.Value != 1010 {
				t.Errorf("value %v, want 1010", r.Value)
			}
			break
		}
		if r.Value != nil || r.Stage != "count" || r.Total != 10 {
			t.Errorf("paused as %+v", r)
		}
		at = append(at, r.At)
	}
	if want := []int64{2, 5, 8}; !slices.Equal(at, want) {
		t.Errorf("paused at %v, want %v", at, want)
	}
	if g.Runs("count") != 1 {
		t.Errorf("%d runs, want 1", g.Runs("count"))
	}
}

func TestChangeWhilePausedStartsAgain(t *testing.T) {
	g := paced(t, 10)
	pause := func() Result {
		t.Helper()
		r, err := g.Get(context.Background(), 3*time.Millisecond, "count")
		if err != nil || r.Done {
			t.Fatalf("%+v, %v", r, err)
		}
		return r
	}
	pause()
	pause()
	if err := g.Set("from", 2000); err != nil {
		t.Fatal(err)
	}
	if r := pause(); r.At != 2 {
		t.Errorf("paused at %d after a change, want 2", r.At)
	}
	if got := get(t, g, "count"); got != 2010 {
		t.Errorf("value %v, want 2010", got)
	}
	if g.Runs("count") != 2 {
		t.Errorf("%d runs, want 2", g.Runs("count"))
	}
	if err := g.SetParam("p", true); err != nil {
		t.Fatal(err)
	}
	if r := pause(); r.Value != 2010 {
		t.Errorf("while paused the last value is %v, want 2010", r.Value)
	}
}

func TestCancelStopsAndKeeps(t *testing.T) {
	entered := make(chan struct{}, 1)
	slow := func(ctx context.Context, in []any, _ any, _ Params, tick Tick) (any, error) {
		if in[0].(bool) {
			entered <- struct{}{}
			for {
				if err := tick(0, 0); err != nil {
					return nil, err
				}
			}
		}
		return 7, nil
	}
	deaf := func(ctx context.Context, in []any, _ any, _ Params, _ Tick) (any, error) {
		if in[0].(bool) {
			entered <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return 7, nil
	}
	for name, run := range map[string]Func{"ticks": slow, "watches ctx": deaf} {
		for _, budget := range []time.Duration{0, time.Microsecond, time.Hour} {
			g, err := single([]string{"in", "wait"}, sum("first", nil, "in"), Stage{Name: "slow", In: []string{"wait", "first"}, Run: run})
			must(t, g, err)
			if err := errors.Join(g.Set("in", 1), g.Set("wait", true)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			go func() { <-entered; cancel() }()
			for err == nil {
				_, err = g.Get(ctx, budget, "slow")
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, budget %v: %v", name, budget, err)
			}
			if err := g.Set("wait", false); err != nil {
				t.Fatal(err)
			}
			if got := get(t, g, "slow"); got != 7 {
				t.Errorf("%s, budget %v: afterwards %v", name, budget, got)
			}
			if g.Runs("first") != 1 {
				t.Errorf("%s, budget %v: the finished stage ran %d times", name, budget, g.Runs("first"))
			}
		}
	}
}

func TestPreviousValueIsGiven(t *testing.T) {
	var prevs []any
	g, err := single([]string{"in"}, Stage{Name: "grow", In: []string{"in"}, Run: func(_ context.Context, in []any, prev any, _ Params, _ Tick) (any, error) {
		prevs = append(prevs, prev)
		return in[0], nil
	}})
	must(t, g, err)
	for i := range 3 {
		if err := g.Set("in", i); err != nil {
			t.Fatal(err)
		}
		get(t, g, "grow")
	}
	if want := []any{nil, 0, 1}; !slices.Equal(prevs, want) {
		t.Errorf("previous values %v, want %v", prevs, want)
	}
}

// TestAgreesWithComputingAnew changes random sources and parameters of random graphs, and compares every value with that of a fresh graph.
func TestAgreesWithComputingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := []string{"s0", "s1"}
		params := []string{"p0", "p1", "p2"}
		var stages []Stage
		names := slices.Clone(sources)
		for i := range rapid.IntRange(1, 8).Draw(t, "stages") {
			name := fmt.Sprintf("n%d", i)
			in := rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(t, name+" reads")
			stages = append(stages, sum(name, rapid.SliceOfNDistinct(rapid.SampledFrom(params), 0, 3, rapid.ID).Draw(t, name+" has"), in...))
			names = append(names, name)
		}
		value := map[string]int{"s0": 1, "s1": 2}
		set := map[string]int64{}
		build := func() *pair {
			g, err := single(sources, stages...)
			if err != nil {
				t.Fatal(err)
			}
			for s, v := range value {
				_ = g.Set(s, v)
			}
			for p, v := range set {
				_ = g.SetParam(p, v)
			}
			return g
		}
		g := build()
		defer g.Close()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "source") {
				s := rapid.SampledFrom(sources).Draw(t, "which")
				value[s] = rapid.IntRange(0, 100).Draw(t, "value")
				_ = g.Set(s, value[s])
			} else {
				p := rapid.SampledFrom(params).Draw(t, "which")
				set[p] = rapid.Int64Range(0, 3).Draw(t, "value")
				_ = g.SetParam(p, set[p])
			}
			want := rapid.SampledFrom(names[2:]).Draw(t, "get")
			a, err := g.Get(context.Background(), 0, want)
			if err != nil {
				t.Fatal(err)
			}
			fresh := build()
			b, err := fresh.Get(context.Background(), 0, want)
			fresh.Close()
			if err != nil || a.Value != b.Value {
				t.Fatalf("%s: %v from memory, %v anew (%v)", want, a.Value, b.Value, err)
			}
		}
	})
}

func BenchmarkNothingChanged(b *testing.B) {
	stages := []Stage{sum("n0", []string{"p"}, "s")}
	for i := 1; i < 8; i++ {
		stages = append(stages, sum(fmt.Sprintf("n%d", i), []string{"p"}, fmt.Sprintf("n%d", i-1)))
	}
	g, err := single([]string{"s"}, stages...)
	must(b, g, err)
	if err := g.Set("s", 1); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := g.Get(context.Background(), 0, "n7"); err != nil {
			b.Fatal(err)
		}
	}
}
