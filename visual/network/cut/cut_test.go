package cut_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/open"
	"whorl/visual/network/cut"
)

// traces returns recorded traces of goals and of threads, in which PEs steal and wait.
func traces(t *testing.T) (names []string, all []tracer.Source) {
	for _, name := range []string{"live-goals.txt", "live-threads.txt"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "traces", name))
		if err != nil {
			t.Fatal(err)
		}
		m := tracer.NewMemory()
		if err := tracer.ReadText(bytes.NewReader(text), m); err != nil {
			t.Fatal(err)
		}
		names, all = append(names, name), append(all, m)
	}
	return names, all
}

// busy returns the time that each PE was busy from one time to another.
func busy(t *testing.T, src tracer.Source, from, to int64) (ns []int64) {
	t.Helper()
	a, err := activity.Build(src, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for pe := range a.PEs {
		shares := make([]activity.Share, 1)
		if pe < len(a.Lanes) {
			a.Lanes[pe].Columns([]int64{from, to}, shares)
		}
		ns = append(ns, shares[0].Busy)
	}
	return ns
}

// TestTime compares the busy time of each PE in a part of a trace with that of the whole trace in the same range.
func TestTime(t *testing.T) {
	names, all := traces(t)
	for i, src := range all {
		first, last := src.Span()
		for _, part := range [][2]int64{{0, 100}, {25, 75}, {50, 100}, {0, 30}, {90, 91}} {
			from, to := first+(last-first)*part[0]/100, first+(last-first)*part[1]/100
			got, err := cut.Time(src, from, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			a, b := got.Span()
			if a != from || b != to {
				t.Errorf("%s %v: the span is %d to %d, expected %d to %d", names[i], part, a, b, from, to)
			}
			want := busy(t, src, from, to)
			for pe, ns := range busy(t, got, from, to) {
				if ns != want[pe] {
					t.Errorf("%s %v: PE %d is busy for %d ns, expected %d", names[i], part, pe, ns, want[pe])
				}
			}
			checkTree(t, names[i], src, got)
		}
	}
}

// TestTimeBeforeThreads: in the part of a run before its first thread the PEs schedule, as they do in the whole.
func TestTimeBeforeThreads(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "dts/one", Substrate: "dts", Mode: tracer.Live, PEs: 1})
	s := m.Stream(tracer.StreamInfo{Name: "PE 0", Clock: tracer.Monotonic})
	for _, e := range []tracer.Event{
		{Time: 0, Kind: tracer.Idle, Peer: tracer.None},
		{Time: 10, Kind: tracer.Busy, Peer: tracer.None},
		{Time: 50, Kind: tracer.Start, Task: 1, Peer: tracer.None},
		{Time: 90, Kind: tracer.End, Task: 1, Peer: tracer.None},
		{Time: 100, Kind: tracer.Idle, Peer: tracer.None},
	} {
		*s.Slot() = e
	}
	for _, part := range [][2]int64{{0, 30}, {20, 40}, {0, 60}, {0, 100}} {
		got, err := cut.Time(m, part[0], part[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := busy(t, got, part[0], part[1])[0], max(min(part[1], 90)-50, 0); got != want {
			t.Errorf("%v: PE 0 is busy for %d ns, expected %d", part, got, want)
		}
	}
}

// TestTimeWithoutStates: parts of traces that tell the states of PEs by steps, with and without costs, or by threads say when each PE works, also where
// nothing happens on it.
func TestTimeWithoutStates(t *testing.T) {
	vista, err := open.Files([]string{filepath.Join("..", "..", "..", "testdata", "traces", "quicksort.vista")}, "", open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer vista.Close()
	made := func(events ...tracer.Event) tracer.Source {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: 3})
		s := m.Stream(tracer.StreamInfo{})
		for _, e := range events {
			e.Peer = tracer.None
			*s.Slot() = e
		}
		return m
	}
	for _, c := range []struct {
		name string
		src  tracer.Source
	}{
		{"clock ticks", vista},
		{"costs", made(tracer.Event{Time: 0, Kind: tracer.Reduce, Task: 1, Value: 30}, tracer.Event{Time: 80, Kind: tracer.Reduce, Task: 2, Ref: 1, PE: 1, Value: 15}, tracer.Event{Time: 100, Kind: tracer.Mark})},
		{"threads", made(tracer.Event{Kind: tracer.Mark}, tracer.Event{Time: 10, Kind: tracer.Start, Task: 1, PE: 1}, tracer.Event{Time: 90, Kind: tracer.End, Task: 1, PE: 1}, tracer.Event{Time: 100, Kind: tracer.Mark})},
	} {
		first, last := c.src.Span()
		for _, part := range [][2]int64{{0, 100}, {25, 75}, {50, 100}, {45, 55}, {90, 91}, {97, 100}} {
			from, to := first+(last-first)*part[0]/100, first+(last-first)*part[1]/100
			got, err := cut.Time(c.src, from, to, nil)
			if err != nil {
				t.Fatal(err)
			}
			a, err := activity.Build(got, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if a.Basis != account.States || len(a.Lanes) != c.src.Meta().PEs {
				t.Errorf("%s %v: %d of %d PEs have states", c.name, part, len(a.Lanes), c.src.Meta().PEs)
			}
			want := busy(t, c.src, from, to)
			for pe, ns := range busy(t, got, from, to) {
				if ns != want[pe] {
					t.Errorf("%s %v: PE %d is busy for %d ns, expected %d", c.name, part, pe, ns, want[pe])
				}
			}
		}
	}
}

// checkTree checks that each task of a part has the ancestors that it has in the whole.
func checkTree(t *testing.T, name string, whole, part tracer.Source) {
	t.Helper()
	a, err := spawntree.Grow(whole, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := spawntree.Grow(part, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b.Orphans > a.Orphans {
		t.Errorf("%s: the part has %d orphans, the whole %d", name, b.Orphans, a.Orphans)
	}
	index := a.Index()
	for i := range b.Len() {
		n := index.Node(b.Task.At(i))
		if n < 0 {
			t.Errorf("%s: task %d is not in the whole tree", name, b.Task.At(i))
			continue
		}
		if a.Level.At(int(n)) != b.Level.At(i) {
			t.Errorf("%s: task %d is at level %d, in the whole at %d", name, b.Task.At(i), b.Level.At(i), a.Level.At(int(n)))
		}
	}
}

// TestSelect compares the work of the PEs that are selected with that of the whole trace, and finds none on the others.
func TestSelect(t *testing.T) {
	names, all := traces(t)
	for i, src := range all {
		got, err := cut.Select(src, cut.Selection{What: "PE 1", States: true, Keep: func(e *tracer.Event, _ uint32) bool { return e.PE == 1 }}, nil)
		if err != nil {
			t.Fatal(err)
		}
		before, err := account.Compute(src)
		if err != nil {
			t.Fatal(err)
		}
		after, err := account.Compute(got)
		if err != nil {
			t.Fatal(err)
		}
		for pe := range before.PEs {
			work, want := after.Row(pe).Times[account.Work], before.Row(pe).Times[account.Work]
			if pe != 1 {
				want = 0
			}
			if work != want {
				t.Errorf("%s: PE %d works for %d ns, expected %d", names[i], pe, work, want)
			}
		}
		if after.Row(1).Times[account.Work] == 0 {
			t.Errorf("%s: PE 1 does not work, so the test shows nothing", names[i])
		}
		checkTree(t, names[i], src, got)
	}
}

// TestSelectCode compares the work of one code with that of the whole trace, and finds none of others.
func TestSelectCode(t *testing.T) {
	_, all := traces(t)
	src := all[0] // of goals: the states of PEs do not say which task works
	before, err := account.Compute(src)
	if err != nil {
		t.Fatal(err)
	}
	codes := src.Dict().Codes()
	for _, part := range before.Functions(codes) {
		got, err := cut.Select(src, cut.Selection{What: "one", Keep: func(_ *tracer.Event, code uint32) bool { return tracer.Owner(codes, code) == part.Owner }}, nil)
		if err != nil {
			t.Fatal(err)
		}
		after, err := account.Compute(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range after.Functions(codes) {
			want := int64(0)
			if p.Owner == part.Owner {
				want = part.Work
			}
			if p.Work != want {
				t.Errorf("%s in a part with %s: %d ns, expected %d", codes[p.Owner].Name, codes[part.Owner].Name, p.Work, want)
			}
		}
	}
}

func TestSelectNothing(t *testing.T) {
	_, all := traces(t)
	for _, src := range all {
		got, err := cut.Select(src, cut.Selection{What: "nothing", Keep: func(*tracer.Event, uint32) bool { return false }}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tree, err := spawntree.Grow(got, nil, nil); err != nil || tree.Len() > 0 {
			t.Errorf("%d tasks, %v", tree.Len(), err)
		}
	}
}

// TestJoin checks that joined traces keep the work of each PE and the shape of each tree.
func TestJoin(t *testing.T) {
	_, all := traces(t)
	other := all[1].Meta()
	other.Policy, other.Machine = "steal", all[0].Meta().Machine
	all[1].(*tracer.Memory).SetMeta(other)
	got, err := cut.Join(all, nil)
	if err != nil {
		t.Fatal(err)
	}
	var nodes, height int
	var work []int64
	for _, src := range all {
		tree, err := spawntree.Grow(src, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		nodes += tree.Len()
		height = max(height, int(tree.Height))
		first, last := src.Span()
		work = append(work, busy(t, src, first, last)...)
	}
	tree, err := spawntree.Grow(got, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tree.Len() != nodes || int(tree.Height) != height {
		t.Errorf("%d nodes and height %d, expected %d and %d", tree.Len(), tree.Height, nodes, height)
	}
	if m := got.Meta(); m.Policy != "round-robin + steal" || m.Machine != all[0].Meta().Machine {
		t.Errorf("the policy is %q, the machine %q", m.Policy, m.Machine)
	}
	if got.Meta().PEs != len(work) {
		t.Errorf("%d PEs, expected %d", got.Meta().PEs, len(work))
	}
}
