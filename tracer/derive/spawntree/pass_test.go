package spawntree

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/layout/radial"
)

// all draws every level.
func all(level int32) (int32, bool) { return level, true }

// byTwo is level condensing by c = 2.
func byTwo(level int32) (int32, bool) { return level / 2, level%2 == 0 }

// TestFigure6 compares the table after the 15th record of the second pass with the hash table of Figure 6, with the hash 10 pe + index and no
// entry reused. (The paper prints one row more, for the leaf (3,2), which its algorithm does not enter.)
func TestFigure6(t *testing.T) {
	trace, tasks := quickSortTrace(15)
	w := Pass{}.walk(trace)
	w.drawn, w.sk = byTwo, newSkeleton(0, 3)
	w.all = newTally(0)
	w.shown = w.all
	table := map[uint64]entry{} // including dropped entries
	_ = trace.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for i := range es {
			must.Do(t, w.event(&es[i]))
			for task, e := range table {
				if w.get(task) == nil {
					e.left = 0
					table[task] = e
				}
			}
			for _, task := range slices.Sorted(maps.Values(tasks)) {
				if e := w.get(task); e != nil {
					table[task] = *e
				}
			}
		}
		return nil
	})
	type place struct{ pe, index int }
	hash := func(p place) int { return 10*p.pe + p.index }
	places, count := map[uint64]place{}, map[int32]int{}
	for _, r := range quickSort {
		count[r.pe]++
		places[tasks[r.name]] = place{int(r.pe), count[r.pe]}
	}
	names := map[int32]string{} // of the nodes of Figure 9
	for task, e := range table {
		if e.own >= 0 {
			names[e.own] = nameOf(tasks)(task)
		}
	}
	var got strings.Builder
	waiting := 0
	rows := slices.SortedFunc(maps.Keys(table), func(a, b uint64) int { return hash(places[a]) - hash(places[b]) })
	for _, task := range rows {
		e, p := table[task], places[task]
		parent := 0
		if e.parent != 0 {
			parent = hash(places[e.parent])
		}
		fmt.Fprintf(&got, "%d %d %d %d %d %d %s\n", hash(p), p.pe, p.index, e.level, e.left, parent, names[e.node])
		if e.left > 0 {
			waiting++
		}
	}
	// Here (0,5), M in the paper, is C2, and (2,3), N, is J1.
	want := `1 0 1 0 0 0 A
2 0 2 1 0 1 A
3 0 3 2 0 2 C
4 0 4 3 0 3 C
5 0 5 4 0 4 C2
6 0 6 5 0 5 C2
11 1 1 3 3 21 E
21 2 1 2 1 2 E
22 2 2 3 0 21 E
23 2 3 4 1 22 J1
31 3 1 2 0 2 D
`
	if got.String() != want {
		t.Errorf("i pe index level ccnt hindex nodeptr\n%swant\n%s", got.String(), want)
	}
	if waiting != 3 {
		t.Errorf("%d entries with children outstanding, want 3", waiting)
	}
	// With entries reused, those three remain after the 15th record, and none after the last.
	for _, c := range []struct{ n, want int }{{14, 3}, {15, 3}, {16, 2}, {17, 2}, {18, 2}, {len(quickSort), 0}} {
		trace, _ := quickSortTrace(c.n)
		w := Pass{}.walk(trace)
		must.Do(t, w.scan(trace))
		if w.rows.Len() != c.want || len(w.table) > 6 {
			t.Errorf("after record %d the table has %d entries, %d at most; want %d", c.n, w.rows.Len(), len(w.table), c.want)
		}
	}
}

func TestPassesOfQuickSort(t *testing.T) {
	trace, tasks := quickSortTrace(len(quickSort))
	shape, err := measure(Pass{}, trace)
	if want := (Shape{Nodes: 23, Height: 6, Roots: 1}); err != nil || shape != want {
		t.Errorf("first pass: %+v, %v; want %+v", shape, err, want)
	}
	tree := must.Get(Pass{}.Condense(trace, 6, byTwo))(t)
	if got, want := text(tree, nameOf(tasks)), "A(C(C2(C4)) D E(J1 K1 K2 K3 L1 L2 L3))"; got != want || tree.Len() != 13 || tree.Height != 3 {
		t.Errorf("condensed by 2: %s (%d nodes, height %d), want %s (13, 3)", got, tree.Len(), tree.Height, want)
	}
	e := Pass{Task: tasks["E"]}
	shape, err = measure(e, trace)
	if want := (Shape{Nodes: 12, Height: 3, Roots: 1}); err != nil || shape != want {
		t.Errorf("first pass below E: %+v, %v; want %+v", shape, err, want)
	}
	sub := must.Get(e.Condense(trace, shape.Height, all))(t)
	if got, want := text(sub, nameOf(tasks)), "E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))"; got != want || sub.Height != 3 {
		t.Errorf("subtree %s, want %s", got, want)
	}
	if none, err := (Pass{Task: 99}).Condense(trace, -1, all); err != nil || none.Len() != 0 || none.Height != -1 {
		t.Errorf("subtree of no node: %d nodes, %v", none.Len(), err)
	}
}

// TestPassesAgree checks that the passes give the same tree as Grow, with omitted levels the same as the condensing of the layout, and for a
// task the same as Subtree.
func TestPassesAgree(t *testing.T) {
	for _, live := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			p := plans(60, live, true).Draw(t, "plan")
			full := build(t, p.trace)
			shape, err := measure(Pass{}, p.trace)
			if want := (Shape{Nodes: int64(full.Len()), Height: full.Height, Roots: 1}); err != nil || shape != want {
				t.Fatalf("first pass: %+v, %v; want %+v", shape, err, want)
			}
			got := passes(t, full, Pass{}, p.trace)
			must.Do(t, sameTally(full, got.Condensed.Tally))
			most := rapid.Int32Range(0, 2*full.Height).Draw(t, "most")
			once, tree, err := Pass{Task: full.Task.At(0)}.Measure(p.trace, most)
			if err != nil || once != shape || (tree != nil) != (full.Height <= most) {
				t.Fatalf("one pass for %d levels: %+v, a tree: %v, %v", most, once, tree != nil, err)
			}
			if tree != nil {
				must.Do(t, errors.Join(same(full, tree), sameTally(full, tree.Condensed.Tally)))
			}
			at := rapid.IntRange(0, full.Len()-1).Draw(t, "subtree")
			sub := full.Subtree(at)
			got = passes(t, sub, Pass{Task: full.Task.At(at)}, p.trace)
			must.Do(t, errors.Join(sameTally(sub, got.Condensed.Tally), sameTally(full, got.Tally())))

			ring := radial.Tree{Parent: full.Parent, Size: full.Size, Level: full.Level}
			fit := radial.Fit(rapid.Float64Range(1, 80).Draw(t, "window"), 4, full.Height, 0)
			want := radial.Condense(ring, fit)
			for _, keepAll := range []bool{false, true} {
				got = must.Get(Pass{KeepAll: keepAll}.Condense(p.trace, full.Height, fit.Drawn))(t)
				if !slices.Equal(got.Parent, want.Parent) || !slices.Equal(got.Size, want.Size) || !slices.Equal(got.Level.Numbers(), want.Level.Numbers()) {
					t.Fatalf("%+v: condensed to\n%+v want\n%+v", fit, got, want.Tree)
				}
				for i := range want.Len() {
					f := want.Original(int32(i))
					if got.Task.At(i) != full.Task.At(int(f)) || got.Time.At(i) != full.Time.At(int(f)) || got.PE.At(i) != full.PE.At(int(f)) {
						t.Fatalf("%+v: node %d is task %d, want %d", fit, i, got.Task.At(i), full.Task.At(int(f)))
					}
				}
			}
		})
	}
}

// TestPassesWithStuckGoals checks that goals that never reduce, so that counts are too large, only cost memory.
func TestPassesWithStuckGoals(t *testing.T) {
	trace, _ := quickSortTrace(15)
	full := build(t, trace)
	passes(t, full, Pass{}, trace)
}

func TestLostParent(t *testing.T) {
	m := tracer.NewMemory()
	ids := clauses(m.Dict())
	s := m.Stream(tracer.StreamInfo{})
	for i, r := range [][2]uint64{{1, 0}, {2, 1}, {3, 1}} {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(i), Task: r[0], Ref: r[1], Code: ids["query"]} // a clause with one child
	}
	_ = m.Close()
	_, err := measure(Pass{}, m)
	var lost *LostParentError
	if !errors.As(err, &lost) || lost.Task != 3 || lost.Parent != 1 || lost.Time != 2 || lost.Code != "query" {
		t.Fatalf("a child too many: %v", err)
	}
	for _, want := range []string{"task 3", "query", "task 1", "child counts"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	for _, c := range []struct {
		name string
		f    func() (*Tree, error)
	}{
		{"condensed", func() (*Tree, error) { return Pass{}.Condense(m, 9, all) }},
		{"subtree", func() (*Tree, error) { return Pass{Task: 1}.Condense(m, 1, all) }},
	} {
		if _, err := c.f(); !errors.As(err, &lost) {
			t.Errorf("%s: a child too many: %v", c.name, err)
		}
	}
	shape, err := measure(Pass{KeepAll: true}, m)
	if want := (Shape{Nodes: 3, Height: 1, Roots: 1}); err != nil || shape != want {
		t.Errorf("keeping all entries: %+v, %v; want %+v", shape, err, want)
	}
}

// TestBeginning checks that a pass over the first events makes the tree of a trace that ends there, and tells whether more events follow.
func TestBeginning(t *testing.T) {
	trace, _ := quickSortTrace(15)
	total := int64(0)
	for _, n := range trace.Counts() {
		total += n
	}
	for events := int64(1); events <= total; events++ {
		short := tracer.NewMemory()
		for _, c := range trace.Dict().Codes()[1:] {
			short.Dict().Add(c)
		}
		s, last := short.Stream(tracer.StreamInfo{}), int64(0)
		_ = trace.Scan(kinds, func(es []tracer.Event) error {
			for _, e := range es[:min(int64(len(es)), events-last)] {
				*s.Slot() = e
				last++
			}
			return nil
		})
		must.Do(t, short.Close())
		_, want, err := Pass{}.Measure(short, 100)
		must.Do(t, err)
		var done, of int64
		_, got, err := Pass{Events: events, Tick: func(d, n int64) error { done, of = d, n; return nil }}.Measure(trace, 100)
		must.Do(t, err)
		if err := same(want, got); err != nil {
			t.Errorf("%d events: %v", events, err)
		}
		_, until := short.Span()
		if c := got.Condensed; c.Part != (events < total) || c.Until != until || !c.Part && (done != total || of != total) {
			t.Errorf("%d of %d events: a part: %t, until %d, want %d; progress %d of %d", events, total, c.Part, c.Until, until, done, of)
		}
	}
}

// TestSkeletonStaysSmall checks that a chain with one drawn level in a thousand leaves no links, with and without small side branches.
func TestSkeletonStaysSmall(t *testing.T) {
	for _, c := range []struct {
		height int32
		arms   bool
	}{{19, false}, {20, true}} { // the last arm reaches level 20,001
		m := tracer.NewMemory()
		leaf := m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "leaf"})
		one := m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "one", Children: 1})
		two := m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "two", Children: 2})
		s := m.Stream(tracer.StreamInfo{})
		put := func(task, ref uint64, code uint32) {
			*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: task, Ref: ref, Code: code}
		}
		const n = 20_000
		for i := uint64(1); i <= n; i++ {
			task, ref := 3*i, 3*(i-1)
			if !c.arms {
				put(task, ref, one)
				continue
			}
			put(task, ref, two)
			put(task+1, task, one) // an arm of two goals
			put(task+2, task+1, leaf)
		}
		_ = m.Close()
		w := Pass{}.walk(m)
		w.sk, w.drawn = newSkeleton(0, c.height), func(level int32) (int32, bool) { return level / 1000, level%1000 == 0 }
		tree := must.Get(w.tree(m))(t)
		if tree.Height != c.height || len(w.sk.joints) > 2*tree.Len() {
			t.Errorf("arms %v: height %d and %d joints for %d nodes; want height %d and few", c.arms, tree.Height, len(w.sk.joints), tree.Len(), c.height)
		}
	}
}

// TestAnyEvents checks that any events give a tree, that passes that keep all entries give the same tree, and that other passes give the tree or an
// error.
func TestAnyEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		s := m.Stream(tracer.StreamInfo{})
		for k := range int32(3) {
			m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: fmt.Sprint("c", k), Children: k})
		}
		task := rapid.OneOf(rapid.Uint64Range(0, 12), rapid.SampledFrom([]uint64{1 << 20, 1 << 50, 1<<64 - 1}))
		for i := range rapid.IntRange(0, 60).Draw(t, "events") {
			kind := tracer.Reduce
			if rapid.Bool().Draw(t, "thread") {
				kind = rapid.SampledFrom([]tracer.Kind{tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Wait, tracer.Wake}).Draw(t, "kind")
			}
			*s.Slot() = tracer.Event{
				Kind: kind, Time: int64(i), Task: task.Draw(t, "task"), Ref: task.Draw(t, "ref"), PE: 1, Peer: rapid.Int32Range(-2, 1).Draw(t, "peer"),
				Code: rapid.Uint32Range(0, 5).Draw(t, "code"), Value: rapid.Int64Range(0, 2).Draw(t, "value"),
			}
		}
		_ = m.Close()
		tree := build(t, m)
		ring := radial.Tree{Parent: tree.Parent, Size: tree.Size, Level: tree.Level}
		if err := ring.Check(); err != nil || ring.Height() != tree.Height {
			t.Fatalf("height %d: %v", tree.Height, err)
		}
		passes(t, tree, Pass{KeepAll: true}, m)
		for _, p := range []Pass{{}, {KeepAll: true}} {
			for level := int32(1); level < 4; level++ {
				if _, err := p.Condense(m, tree.Height, func(l int32) (int32, bool) { return l / level, l%level == 0 }); err != nil {
					var lost *LostParentError
					if !errors.As(err, &lost) {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

// TestCount compares the counts of nodes with those of the tree.
func TestCount(t *testing.T) {
	goals, _ := quickSortTrace(len(quickSort))
	threads := tracer.NewMemory()
	s := threads.Stream(tracer.StreamInfo{})
	for i, e := range []tracer.Event{
		{Kind: tracer.Start, Task: 1, Peer: tracer.None, Code: 1},
		{Kind: tracer.Fork, Task: 2, Ref: 1, Peer: 1, Code: 2},
		{Kind: tracer.Start, Task: 2, PE: 1, Code: 2},
		{Kind: tracer.Fork, Task: 3, Ref: 7, Peer: 1, Code: 2}, // its parent is lost
		{Kind: tracer.End, Task: 2, PE: 1, Peer: tracer.None},
		{Kind: tracer.End, Task: 1, Peer: tracer.None},
	} {
		e.Time = int64(10 * i)
		*s.Slot() = e
	}
	_ = threads.Close()
	for _, src := range []*tracer.Memory{goals, threads, tracer.NewMemory()} {
		got, want := must.Get(Count(src, func(done, total int64) error { return nil }))(t), must.Get(Grow(src, nil, nil))(t)
		if got.Len() != 0 || !reflect.DeepEqual(got.Tally(), want.Tally()) {
			t.Errorf("%+v, want %+v", got.Tally(), want.Tally())
		}
	}
}
