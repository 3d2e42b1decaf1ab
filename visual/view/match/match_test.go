package match

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/packed"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

type fataler interface {
	Helper()
	Fatal(...any)
}

func open(t fataler, src tracer.Source) (*view.Run, *Index, *spawntree.Tree) {
	t.Helper()
	act, err := activity.Build(src, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := spawntree.Grow(src, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	index, err := NewIndex(act, NewNodes(tree), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &view.Run{Codes: src.Dict().Codes()}, index, tree
}

func TestNodes(t *testing.T) {
	_, x, tree := open(t, viewtest.Small())
	for i, task := range tree.Task.All() {
		if got := x.Nodes.Node(task); got != int32(i) {
			t.Errorf("task %d is node %d, want %d", task, got, i)
		}
	}
	for _, task := range []uint64{0, 5, 1 << 60} {
		if got := x.Nodes.Node(task); got != -1 {
			t.Errorf("task %d is node %d", task, got)
		}
	}
	far := NewNodes(&spawntree.Tree{Task: packed.Pack[uint64](7, 1<<50, 3)})
	if far.Node(7) != 0 || far.Node(1<<50) != 1 || far.Node(3) != 2 || far.Node(1<<40) != -1 {
		t.Error("distant task numbers are mapped to wrong nodes")
	}
}

// TestStoppedIndex ends an index at each of its ticks in turn.
func TestStoppedIndex(t *testing.T) {
	_, x, tree := open(t, viewtest.Small())
	full := errors.New("stopped")
	for stop := 1; ; stop++ {
		n := 0
		tick := func(int64, int64) error {
			if n++; n == stop {
				return full
			}
			return nil
		}
		again, err := NewIndex(x.act, NewNodes(tree), nil, tick)
		if err == nil {
			err = again.fill(tick)
		}
		switch {
		case err == nil:
			if n != 2*len(x.act.Lanes) {
				t.Errorf("%d ticks for %d lanes", n, len(x.act.Lanes))
			}
			return
		case !errors.Is(err, full):
			t.Fatal(err)
		case again != nil && again.placed != nil:
			t.Errorf("stopped at tick %d, the index has its nodes", stop)
		}
	}
}

// TestPlacesOfTheRest: the index of a trace has its nodes at once, also after the beginning of the trace was shown. That of a trace which grows has them
// when they are asked for.
func TestPlacesOfTheRest(t *testing.T) {
	for _, missing := range []string{"", "the rest is being read"} {
		g := flow.New()
		defer g.Close()
		r := flow.NewReader[*Index](g, IndexStage)
		for k, want := range []bool{true, missing != ""} {
			m := viewtest.Small()
			if meta := m.Meta(); k == 0 && missing != "" {
				meta.Extra = append(meta.Extra, tracer.KV{Key: tracer.MissingKey, Value: missing})
				m.SetMeta(meta)
			}
			view.Trace.Set(g, m)
			x := must.Get(r.Get(t.Context(), 0))(t).Value
			if (x.placed != nil) != want {
				t.Errorf("missing %q, state %d: the index has its nodes: %v", missing, k, !want)
			}
		}
	}
}

func TestNoSteps(t *testing.T) {
	run, x, _ := open(t, viewtest.Small())
	for _, s := range []view.Selection{{}, {Trace: "t"}, {Trace: "t", Contexts: []uint64{3}}, view.Subtree("u", 1)} {
		if New(run, x, "t", s) != nil {
			t.Errorf("selection %+v has steps, want none", s)
		}
	}
}

// chosen reports whether a selection contains a step. It follows the parents in the tree.
func chosen(run *view.Run, tree *spawntree.Tree, s view.Selection, pe int, st account.Step) bool {
	in := len(s.Tasks) == 0
	for _, t := range s.Tasks {
		if st.Task == t.First || !t.Subtree && st.Task >= t.First && st.Task <= max(t.Last, t.First) {
			in = true
		}
		if t.Subtree {
			for n := tree.Task.Index(st.Task); n >= 0; n = int(tree.Parent[n]) {
				in = in || tree.Task.At(n) == t.First
			}
		}
	}
	if len(s.Codes) > 0 {
		in = in && (slices.Contains(s.Codes, st.Code) || slices.Contains(s.Codes, run.Owner(st.Code)))
	}
	if len(s.PEs) > 0 {
		in = in && slices.ContainsFunc(s.PEs, func(p view.Span) bool { return p.Contains(int64(pe)) })
	}
	return in && (s.Time == nil || s.Time.Contains(st.Time))
}

// TestAgrees compares Steps with a search of all steps, for random trees and selections.
func TestAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: 3})
		for i := range 70 {
			parent := uint32(0)
			if i > 2 {
				parent = uint32(i%3) + 1
			}
			m.Dict().Add(tracer.Code{Type: []tracer.CodeType{tracer.Procedure, tracer.Clause}[min(i/3, 1)], Name: string(rune('a' + i)), Parent: parent, Line: int32(i)})
		}
		s := m.Stream(tracer.StreamInfo{})
		n := rapid.IntRange(0, 1500).Draw(t, "steps")
		codes := rapid.SampledFrom([]uint64{1, 3, mostParts, mostParts + 1, 70}).Draw(t, "kinds of steps")
		rnd := rapid.Uint64().Draw(t, "seed")
		next := func(k uint64) uint64 { rnd = rnd*6364136223846793005 + 1442695040888963407; return rnd >> 33 % k }
		for i := range n {
			e := tracer.Event{Kind: tracer.Reduce, Time: int64(i), Task: uint64(i + 1), Ref: next(uint64(i + 1)), PE: int32(next(3)), Peer: -1, Code: uint32(next(codes) + 1), Value: 1}
			if next(5) == 0 {
				e.Kind = tracer.Suspend
				e.Task = next(uint64(n)) + 1
			}
			*s.Slot() = e
		}
		_ = m.Close()
		run, x, tree := open(t, m)
		sel := view.Selection{Trace: "t"}
		for range rapid.IntRange(0, 3).Draw(t, "tasks") {
			task := view.Tasks{First: rapid.Uint64Range(0, 650).Draw(t, "task"), Subtree: rapid.Bool().Draw(t, "subtree")}
			if rapid.Bool().Draw(t, "range") && !task.Subtree {
				task.Last = rapid.Uint64Range(0, 650).Draw(t, "last")
			}
			sel.Tasks = append(sel.Tasks, task)
		}
		sel.Codes = rapid.SliceOfN(rapid.Uint32Range(0, 75), 0, 3).Draw(t, "codes")
		if rapid.Bool().Draw(t, "with PEs") {
			sel.PEs = []view.Span{{First: rapid.Int64Range(-1, 3).Draw(t, "first"), Last: rapid.Int64Range(-1, 3).Draw(t, "last")}}
		}
		if rapid.Bool().Draw(t, "with time") {
			sel.Time = &view.Span{First: rapid.Int64Range(-5, 600).Draw(t, "from"), Last: rapid.Int64Range(-5, 600).Draw(t, "to")}
		}
		steps := New(run, x, "t", sel)
		if sel.Empty() != (steps == nil) {
			t.Fatalf("%+v gives %v", sel, steps)
		}
		if steps == nil {
			return
		}
		for pe := range x.act.Lanes {
			lane := &x.act.Lanes[pe]
			var got, want []int
			if steps.PE(pe, pe) {
				for i := steps.Next(pe, steps.First(pe)); i < lane.Steps.Len(); i = steps.Next(pe, i+1) {
					got = append(got, i)
				}
			}
			for i := range lane.Steps.Len() {
				if chosen(run, tree, sel, pe, lane.Steps.Step(i)) {
					want = append(want, i)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("PE %d, %+v: steps %v, want %v", pe, sel, got, want)
			}
			if steps.PE(pe, pe) {
				visited(t, steps, lane, pe, want)
			}
		}
	})
}

// visited checks that Visit finds the selected steps of a lane before a time, their time and their codes, whether its blocks are taken or not.
func visited(t *rapid.T, m *Steps, lane *activity.Lane, pe int, selected []int) {
	before := rapid.Int64Range(0, 1600).Draw(t, "before")
	var spent, want int64
	codes, wanted := map[uint32]bool{}, map[uint32]bool{}
	for _, i := range selected {
		if s := lane.Steps.Step(i); s.Time < before {
			want += s.End - s.Time
			wanted[s.Code] = true
		}
	}
	taken := rapid.Uint64().Draw(t, "blocks that are taken")
	m.Visit(pe, m.First(pe), before, func(b Block) bool {
		taken = taken>>1 | taken<<63
		if taken&1 == 0 || b.To > before || b.Parts == nil {
			return false
		}
		spent += b.Spent
		for _, p := range b.Parts {
			if len(m.s.Codes) == 0 || m.Code(p.Code) {
				codes[p.Code] = true
			}
		}
		return true
	}, func(s account.Step) {
		spent += s.End - s.Time
		codes[s.Code] = true
	})
	if spent != want || !maps.Equal(codes, wanted) {
		t.Fatalf("PE %d, %+v before %d: %d ns of the codes %v, want %d ns of %v", pe, m.s, before, spent, codes, want, wanted)
	}
}
