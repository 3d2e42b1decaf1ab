package spawntree

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/visual/layout/radial"
)

// all draws every level.
func all(level int32) (int32, bool) { return level, true }

// byTwo is level condensing by c = 2.
func byTwo(level int32) (int32, bool) { return level / 2, level%2 == 0 }

// kept is a table in which entries stay when they are dropped, to be looked at.
type kept map[uint64]*Entry

func (k kept) Put(task uint64, e Entry) { k[task] = &e }
func (k kept) Get(task uint64) *Entry   { return k[task] }
func (k kept) Drop(uint64)              {}

// Figure 6: the hash table after the 15th record of the second pass, with the hash 10 pe + index and no entry used again. (The paper
// prints one row more, for (3,2), a leaf, which its algorithm does not enter.)
func TestFigure6(t *testing.T) {
	trace, tasks := quickSortTrace(15)
	table := kept{}
	if _, err := (Pass{Table: table}).Condensed(trace, byTwo); err != nil {
		t.Fatal(err)
	}
	type place struct{ pe, index int }
	hash := func(p place) int { return 10*p.pe + p.index }
	places, count := map[uint64]place{}, map[int32]int{}
	for _, r := range quickSort {
		count[r.pe]++
		places[tasks[r.name]] = place{int(r.pe), count[r.pe]}
	}
	names := map[int32]string{} // of the nodes of Figure 9
	for task, e := range table {
		if e.Own {
			names[e.Node] = nameOf(tasks)(task)
		}
	}
	var got strings.Builder
	waiting := 0
	rows := slices.SortedFunc(maps.Keys(table), func(a, b uint64) int { return hash(places[a]) - hash(places[b]) })
	for _, task := range rows {
		e, p := table[task], places[task]
		parent := 0
		if e.Parent != 0 {
			parent = hash(places[e.Parent])
		}
		fmt.Fprintf(&got, "%d %d %d %d %d %d %s\n", hash(p), p.pe, p.index, e.Level, e.Left, parent, names[e.Node])
		if e.Left > 0 {
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
	// With entries used again, those three are all that is left after the 15th record, and none after the last.
	for n, want := range map[int]int{14: 3, 15: 3, 16: 2, 17: 2, 18: 2, len(quickSort): 0} {
		trace, _ := quickSortTrace(n)
		h := &Hash{}
		if _, err := (Pass{Table: h}).Height(trace); err != nil {
			t.Fatal(err)
		}
		if h.Len() != want || h.Most() > 6 {
			t.Errorf("after record %d the table has %d entries, %d at most; want %d", n, h.Len(), h.Most(), want)
		}
	}
}

func TestPassesOfQuickSort(t *testing.T) {
	trace, tasks := quickSortTrace(len(quickSort))
	shape, err := Pass{}.Height(trace)
	if want := (Shape{Nodes: 23, Height: 6, Roots: 1}); err != nil || shape != want {
		t.Errorf("first pass: %+v, %v; want %+v", shape, err, want)
	}
	tree, err := Pass{}.Condensed(trace, byTwo)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(tree, nameOf(tasks)), "A(C(C2(C4)) D E(J1 K1 K2 K3 L1 L2 L3))"; got != want || tree.Len() != 13 || tree.Height != 3 {
		t.Errorf("condensed by 2: %s (%d nodes, height %d), want %s (13, 3)", got, tree.Len(), tree.Height, want)
	}
	sub, err := Pass{}.Subtree(trace, tasks["E"])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(sub, nameOf(tasks)), "E(J(J1(J2)) K(K1 K2 K3) L(L1 L2 L3))"; got != want || sub.Height != 3 {
		t.Errorf("subtree %s, want %s", got, want)
	}
	if none, err := (Pass{}).Subtree(trace, 99); err != nil || none.Len() != 0 || none.Height != -1 {
		t.Errorf("subtree of no node: %d nodes, %v", none.Len(), err)
	}
}

// The passes give the tree that is built in memory; condensed, the one that the layout's condensing leaves of it; and of a subtree, the
// same as cutting it out.
func TestPassesAgree(t *testing.T) {
	for _, live := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			p := plans(60, live, true).Draw(t, "plan")
			full := build(t, p.trace)
			shape, err := Pass{}.Height(p.trace)
			if want := (Shape{Nodes: int64(full.Len()), Height: full.Height, Roots: 1}); err != nil || shape != want {
				t.Fatalf("first pass: %+v, %v; want %+v", shape, err, want)
			}
			h := &Hash{}
			got, err := Pass{Table: h}.Condensed(p.trace, all)
			if err == nil {
				err = same(full, got)
			}
			if err != nil || h.Len() != 0 {
				t.Fatalf("second pass: %v; %d entries left", err, h.Len())
			}
			at := rapid.IntRange(0, full.Len()-1).Draw(t, "subtree")
			got, err = Pass{}.Subtree(p.trace, full.Task[at])
			if err == nil {
				err = same(full.Subtree(at), got)
			}
			if err != nil {
				t.Fatalf("subtree: %v", err)
			}

			ring := radial.Tree{Parent: full.Parent, Size: full.Size, Level: full.Level}
			fit := radial.Fit(rapid.Float64Range(1, 80).Draw(t, "window"), 4, full.Height, 0)
			want := radial.Condense(ring, fit, new(radial.Numbers))
			for _, keepAll := range []bool{false, true} {
				got, err = Pass{KeepAll: keepAll}.Condensed(p.trace, fit.Drawn)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Parent, want.Parent) || !slices.Equal(got.Size, want.Size) || !slices.Equal(got.Level, want.Level) {
					t.Fatalf("%+v: condensed to\n%+v want\n%+v", fit, got, want.Tree)
				}
				for i, f := range want.From {
					if got.Task[i] != full.Task[f] || got.Time[i] != full.Time[f] || got.PE[i] != full.PE[f] {
						t.Fatalf("%+v: node %d is task %d, want %d", fit, i, got.Task[i], full.Task[f])
					}
				}
			}
		})
	}
}

// Where goals never reduce the counts are too large, which does no harm.
func TestPassesWithStuckGoals(t *testing.T) {
	trace, _ := quickSortTrace(15)
	full := build(t, trace)
	got, err := Pass{}.Condensed(trace, all)
	if err == nil {
		err = same(full, got)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestLostParent(t *testing.T) {
	m := tracer.NewMemory()
	ids := clauses(m.Dict())
	s := m.Stream(tracer.StreamInfo{})
	for i, r := range [][2]uint64{{1, 0}, {2, 1}, {3, 1}} {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(i), Task: r[0], Ref: r[1], Code: ids["query"]} // which has one child
	}
	_ = m.Close()
	_, err := Pass{}.Height(m)
	var lost *LostParentError
	if !errors.As(err, &lost) || lost.Task != 3 || lost.Parent != 1 || lost.Time != 2 || lost.Code != "query" {
		t.Fatalf("a child too many: %v", err)
	}
	for _, want := range []string{"task 3", "query", "task 1", "child counts"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	for name, f := range map[string]func() (*Tree, error){
		"condensed": func() (*Tree, error) { return Pass{}.Condensed(m, all) },
		"subtree":   func() (*Tree, error) { return Pass{}.Subtree(m, 1) },
	} {
		if _, err := f(); !errors.As(err, &lost) {
			t.Errorf("%s: a child too many: %v", name, err)
		}
	}
	shape, err := Pass{KeepAll: true}.Height(m)
	if want := (Shape{Nodes: 3, Height: 1, Roots: 1}); err != nil || shape != want {
		t.Errorf("keeping all entries: %+v, %v; want %+v", shape, err, want)
	}
}

// A chain of which one level in a thousand is drawn leaves no links behind, with or without small arms on its way.
func TestSkeletonStaysSmall(t *testing.T) {
	for height, arms := range map[int32]bool{19: false, 20: true} { // the last arm reaches level 20,001
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
			if !arms {
				put(task, ref, one)
				continue
			}
			put(task, ref, two)
			put(task+1, task, one) // an arm of two goals
			put(task+2, task+1, leaf)
		}
		_ = m.Close()
		w := Pass{}.walk(m)
		w.sk, w.drawn = &skeleton{}, func(level int32) (int32, bool) { return level / 1000, level%1000 == 0 }
		tree, err := w.tree(m)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Height != height || len(w.sk.joints) > 2*tree.Len() {
			t.Errorf("arms %v: height %d and %d joints for %d nodes; want height %d and few", arms, tree.Height, len(w.sk.joints), tree.Len(), height)
		}
	}
}

// The hash table does what a map does, whatever the tasks.
func TestHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, m := &Hash{}, map[uint64]int32{}
		task := rapid.OneOf(rapid.Uint64Range(1, 40), rapid.Uint64Range(1, 1<<63))
		most := 0
		for i := range rapid.IntRange(0, 300).Draw(t, "steps") {
			k := task.Draw(t, "task")
			if e := h.Get(k); e == nil != (m[k] == 0) || e != nil && e.Level != m[k] {
				t.Fatalf("entry of %d is %+v, want level %d", k, e, m[k])
			}
			if m[k] == 0 {
				m[k] = int32(i + 1)
				h.Put(k, Entry{Level: m[k]})
			} else if rapid.Bool().Draw(t, "drop") {
				delete(m, k)
				h.Drop(k)
			}
			most = max(most, len(m))
		}
		if h.Len() != len(m) || h.Most() != most {
			t.Fatalf("%d entries, %d at most; want %d, %d", h.Len(), h.Most(), len(m), most)
		}
		for k, level := range m {
			if e := h.Get(k); e == nil || e.Level != level {
				t.Fatalf("entry of %d is %+v, want level %d", k, e, level)
			}
		}
	})
}

// Whatever a trace says, the tree is a tree, the passes that keep all entries agree with it, and those that do not give it or an error.
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
				kind = rapid.SampledFrom([]tracer.Kind{tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd}).Draw(t, "kind")
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
		kept, err := Pass{KeepAll: true}.Condensed(m, all)
		if err == nil {
			err = same(tree, kept)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []Pass{{}, {KeepAll: true}} {
			for level := int32(1); level < 4; level++ {
				if _, err := p.Condensed(m, func(l int32) (int32, bool) { return l / level, l%level == 0 }); err != nil {
					var lost *LostParentError
					if !errors.As(err, &lost) {
						t.Fatal(err)
					}
				}
			}
		}
	})
}
