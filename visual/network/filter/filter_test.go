package filter_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/network/filter"
)

// goals returns a recorded trace of goals.
func goals(t *testing.T) tracer.Source {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "testdata", "traces", "live-goals.txt")))(t)
	m := tracer.NewMemory()
	must.Do(t, tracer.ReadText(bytes.NewReader(text), m))
	return m
}

// costs returns the reductions of a trace that take time, and all of its tasks.
func costs(t *testing.T, src tracer.Source) (reduced map[uint64]tracer.Event, tasks map[uint64]bool) {
	t.Helper()
	reduced, tasks = map[uint64]tracer.Event{}, map[uint64]bool{}
	must.Do(t, src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		for _, e := range es {
			tasks[e.Task] = true
			if e.Value > 0 {
				reduced[e.Task] = e
			}
		}
		return nil
	}))
	return reduced, tasks
}

// TestPart compares the reductions that parts of a trace have with those of the whole trace for which a condition holds. The tree of the tasks is whole,
// and the codes keep their numbers.
func TestPart(t *testing.T) {
	src := goals(t)
	whole, _ := costs(t, src)
	codes := src.Dict().Codes()
	parent := map[uint64]uint64{}
	for task, e := range whole {
		parent[task] = e.Ref
	}
	var some tracer.Event // a task with descendants
	for _, task := range slices.Sorted(maps.Keys(whole)) {
		if e := whole[task]; e.Ref != 0 && slices.Contains(slices.Collect(maps.Values(parent)), task) {
			some = e
		}
	}
	below := func(task uint64) bool {
		for ; task != 0; task = parent[task] {
			if task == some.Task {
				return true
			}
		}
		return false
	}
	procedure := func(e tracer.Event) string { return codes[tracer.Owner(codes, e.Code)].Name }
	name, _, _ := strings.Cut(procedure(some), "/")
	var times []int64
	for _, task := range slices.Sorted(maps.Keys(whole)) {
		times = append(times, whole[task].Time)
	}
	slices.Sort(times)
	middle := times[len(times)/2] - 1
	for _, c := range []struct {
		where string
		holds func(e tracer.Event) bool
	}{
		{"pe = 1", func(e tracer.Event) bool { return e.PE == 1 }},
		{"pe in {0, 2..3}", func(e tracer.Event) bool { return e.PE == 0 || e.PE == 2 || e.PE == 3 }},
		{"procedure = " + name, func(e tracer.Event) bool { return procedure(e) == procedure(some) }},
		{"procedure = " + name + " and pe = 0", func(e tracer.Event) bool { return procedure(e) == procedure(some) && e.PE == 0 }},
		{"line = " + itoa(int64(codes[some.Code].Line)), func(e tracer.Event) bool { return codes[e.Code].Line == codes[some.Code].Line }},
		{"task = " + itoa(int64(some.Task)), func(e tracer.Event) bool { return e.Task == some.Task }},
		{"task in subtree(" + itoa(int64(some.Task)) + ")", func(e tracer.Event) bool { return below(e.Task) }},
		{"time > 0 and pe = 0", func(e tracer.Event) bool { return e.Value > 0 && e.PE == 0 }},
		{"begin <= " + itoa(middle) + "ns", func(e tracer.Event) bool { return e.Time < middle }},
	} {
		part, err := filter.Part(src, c.where, nil)
		if err != nil {
			t.Errorf("%s: %v", c.where, err)
			continue
		}
		got, tasks := costs(t, part)
		n := 0
		for task, e := range whole {
			if _, kept := got[task]; kept != c.holds(e) {
				t.Errorf("%s: task %d on PE %d at %d is kept: %v", c.where, task, e.PE, e.Time, kept)
			}
			if c.holds(e) {
				n++
			}
		}
		if n == 0 || n == len(whole) {
			t.Errorf("%s selects %d of %d tasks", c.where, n, len(whole))
		}
		for task := range got {
			if p := parent[task]; p != 0 && !tasks[p] {
				t.Errorf("%s: task %d has lost its parent", c.where, task)
			}
		}
		if _, err := spawntree.Grow(part, nil, nil); err != nil {
			t.Errorf("%s: %v", c.where, err)
		}
		if !slices.Equal(part.Dict().Codes(), codes) || part.Meta().PEs != src.Meta().PEs {
			t.Errorf("%s: other codes, or %d PEs", c.where, part.Meta().PEs)
		}
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// TestWrongFilters: what cannot be filtered says why, and a tick ends the work.
func TestWrongFilters(t *testing.T) {
	src := goals(t)
	for _, c := range []struct{ where, want string }{
		{"pes = 1", "did you mean pe?"},
		{"pe = 99", "nothing in the trace"},
		{"task in subtree(1234567)", "1234567"},
		{"context = 5", "select a procedure"},
	} {
		if _, err := filter.Part(src, c.where, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q in it", c.where, err, c.want)
		}
	}
	end := errors.New("enough")
	if _, err := filter.Part(src, "pe = 1", func(int64, int64) error { return end }); !errors.Is(err, end) {
		t.Errorf("the work ends with %v", err)
	}
}

// TestAnd joins filters.
func TestAnd(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "pe = 1", "pe = 1"},
		{"pe = 1", "", "pe = 1"},
		{"pe = 1", "pe = 1", "pe = 1"},
		{"pe = 1", "task = 3", "pe = 1 and task = 3"},
		{"pe = 1 or pe = 2", "task = 3", "(pe = 1 or pe = 2) and task = 3"},
		{"pe =", "task = 3", "(pe =) and (task = 3)"},
	} {
		if got := filter.And(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
