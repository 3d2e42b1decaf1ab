package flow

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"whorl/testdata/must"
)

// paced returns a graph with a clock that advances by one millisecond at each tick, a stage count with n ticks, and its source.
func paced(t testing.TB, n int64) (g *asked, from *Source[int], count *Stage[int]) {
	t.Helper()
	g, from = ask(t), NewSource[int]("from")
	count = Derive("count", "a count", In(from), Params{"p"}, func(c *Call[int]) (int, error) {
		total := from.In(c)
		for i := range n {
			clock := g.now() + time.Millisecond
			g.now = func() time.Duration { return clock }
			if err := c.Tick(i, n); err != nil {
				return 0, err
			}
			total++
		}
		return total, nil
	})
	g.beside = false
	g.now = func() time.Duration { return time.Hour }
	from.Set(g.Graph, 1000)
	return g, from, count
}

func TestBudgetPausesAndContinues(t *testing.T) {
	g, _, count := paced(t, 10)
	var pauses []int64
	for {
		r := must.Get(g.Get(context.Background(), 3*time.Millisecond, count))(t)
		if r.Done {
			if r.Value != 1010 {
				t.Errorf("value %v, want 1010", r.Value)
			}
			break
		}
		if r.Value != nil || r.Stage != "count" || r.Doc != "a count" || r.Total != 10 {
			t.Errorf("paused as %+v", r)
		}
		pauses = append(pauses, r.Progress)
	}
	if want := []int64{2, 5, 8}; !slices.Equal(pauses, want) {
		t.Errorf("paused at %v, want %v", pauses, want)
	}
	if g.Runs("count") != 1 {
		t.Errorf("%d runs, want 1", g.Runs("count"))
	}
}

// TestOneLongStage gives a graph without threads a budget that its first stage exceeds without a tick. The next stage begins in the next call, which
// names it.
func TestOneLongStage(t *testing.T) {
	g, from, _ := paced(t, 10)
	long := Derive("long", "a long stage", In(from), nil, func(c *Call[int]) (int, error) {
		g.now = func() time.Duration { return 2 * time.Hour }
		return from.In(c), nil
	})
	began := false
	twice := Derive("twice", "its double", In(long), nil, func(c *Call[int]) (int, error) {
		began = true
		return 2 * long.In(c), nil
	})
	if r := must.Get(g.Get(context.Background(), time.Millisecond, twice))(t); began || r.Done || r.Stage != "twice" {
		t.Errorf("the time is used up, and the next stage: began %v, %+v", began, r)
	}
	if r := must.Get(g.Get(context.Background(), time.Millisecond, twice))(t); !r.Done || r.Value != 2000 {
		t.Errorf("the next call returns %+v", r)
	}
}

func TestChangeWhilePausedStartsAgain(t *testing.T) {
	g, from, count := paced(t, 10)
	pause := func() Result[any] {
		t.Helper()
		r, err := g.Get(context.Background(), 3*time.Millisecond, count)
		if err != nil || r.Done {
			t.Fatalf("%+v, %v", r, err)
		}
		return r
	}
	pause()
	pause()
	from.Set(g.Graph, 2000)
	if r := pause(); r.Progress != 2 {
		t.Errorf("paused at %d after a change, want 2", r.Progress)
	}
	if got := get(t, g, count); got != 2010 {
		t.Errorf("value %v, want 2010", got)
	}
	if g.Runs("count") != 2 {
		t.Errorf("%d runs, want 2", g.Runs("count"))
	}
	must.Do(t, g.SetParam("p", true))
	if r := pause(); r.Value != 2010 {
		t.Errorf("while paused the last value is %v, want 2010", r.Value)
	}
}

func TestCancelStopsAndKeeps(t *testing.T) {
	entered := make(chan struct{}, 1)
	ticks := func(c *Call[int]) error {
		for {
			if err := c.Tick(0, 0); err != nil {
				return err
			}
		}
	}
	watches := func(c *Call[int]) error {
		<-c.Context.Done()
		return c.Context.Err()
	}
	for _, w := range []struct {
		name string
		run  func(*Call[int]) error
	}{{"ticks", ticks}, {"watches its context", watches}} {
		for _, budget := range []time.Duration{0, time.Microsecond, time.Hour} {
			g, in, wait := ask(t), NewSource[int]("in"), NewSource[bool]("wait")
			slow := Derive("slow", "", In(wait, sum("first", nil, in)), nil, func(c *Call[int]) (int, error) {
				if wait.In(c) {
					entered <- struct{}{}
					return 0, w.run(c)
				}
				return 7, nil
			})
			in.Set(g.Graph, 1)
			wait.Set(g.Graph, true)
			ctx, cancel := context.WithCancel(context.Background())
			go func() { <-entered; cancel() }()
			var err error
			for err == nil {
				_, err = g.Get(ctx, budget, slow)
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, budget %v: %v", w.name, budget, err)
			}
			wait.Set(g.Graph, false)
			if got := get(t, g, slow); got != 7 {
				t.Errorf("%s, budget %v: afterwards %v", w.name, budget, got)
			}
			if g.Runs("first") != 1 {
				t.Errorf("%s, budget %v: the finished stage ran %d times", w.name, budget, g.Runs("first"))
			}
		}
	}
}
