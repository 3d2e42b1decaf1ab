package callingcontext

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/tracer/testdata/tracertest"
)

// text formats a tree: a line for each node, with exclusive/inclusive values by process.
func text(t *Tree, d *tracer.Dict, metric int) string {
	var b strings.Builder
	depth := make([]int, t.Nodes())
	for v := range t.Code {
		name := "-"
		if t.Code[v] != 0 {
			name = d.Code(t.Code[v]).Name
		}
		if v > 0 {
			depth[v] = depth[t.Parent[v]] + 1
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", depth[v]), name)
		ex, in := t.Values(int32(v), metric, false, nil), t.Values(int32(v), metric, true, nil)
		for p := range ex {
			fmt.Fprintf(&b, " %d/%d", ex[p], in[p])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func memory(d func(*tracer.Dict), pes int, events ...tracer.Event) *tracer.Memory {
	m := tracertest.Trace(events...)
	m.SetMeta(tracer.Meta{PEs: pes})
	d(m.Dict())
	return m
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestSamples checks that samples of lines and instructions count for the procedures of their stacks.
func TestSamples(t *testing.T) {
	var outer, inner, lib uint32
	sample := func(pe int32, context *uint32, n int64) tracer.Event {
		return tracer.Event{Kind: tracer.Sample, PE: pe, Ref: uint64(*context), Code: 1, Value: n}
	}
	dict := func(d *tracer.Dict) {
		d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
		main := d.Add(tracer.Code{Type: tracer.Function, Name: "main"})
		heat := d.Add(tracer.Code{Type: tracer.Function, Name: "heat"})
		malloc := d.Add(tracer.Code{Type: tracer.Function, Name: "malloc"})
		l4 := d.Add(tracer.Code{Type: tracer.Line, Line: 4, Parent: main})
		l5 := d.Add(tracer.Code{Type: tracer.Line, Line: 5, Parent: main})
		l9 := d.Add(tracer.Code{Type: tracer.Line, Line: 9, Parent: heat})
		add := d.Add(tracer.Code{Type: tracer.Instruction, Name: "add", Parent: l9})
		outer = d.AddContext(tracer.Context{Code: l4})
		inner = d.AddContext(tracer.Context{Parent: outer, Code: add})
		lib = d.AddContext(tracer.Context{Parent: d.AddContext(tracer.Context{Code: l5}), Code: malloc})
	}
	dict(tracer.NewMemory().Dict()) // the next dictionary has the same ids
	x := memory(dict, 3, sample(0, &outer, 2), sample(0, &inner, 3), sample(2, &inner, 5), sample(1, &lib, 7), sample(2, &lib, 1),
		tracer.Event{Kind: tracer.Sample, PE: 1, Ref: 99, Code: 1, Value: 1})
	tree := must.Get(Grow(x, nil, nil, nil))(t)
	same(t, text(tree, x.Dict(), 0), `
- 0/5 0/7 0/6
  main 2/5 0/7 0/6
    heat 3/3 0/0 5/5
    malloc 0/0 7/7 1/1`)
	if tree.Dropped != 1 || tree.Metrics[0] != (Metric{Name: "ticks", Unit: "ticks", Scale: 1}) {
		t.Errorf("%d dropped, %+v", tree.Dropped, tree.Metrics)
	}
}

// TestMetrics checks that events of metrics beyond the limit are counted as dropped.
func TestMetrics(t *testing.T) {
	m := tracer.NewMemory()
	d, s := m.Dict(), m.Stream(tracer.StreamInfo{})
	at := uint64(d.AddContext(tracer.Context{Code: d.Add(tracer.Code{Type: tracer.Function, Name: "main"})}))
	var first uint32
	for i := range maxMetric + 3 {
		k := d.Add(tracer.Code{Type: tracer.Metric, Name: fmt.Sprint("m", i), Unit: "u", Scale: 1})
		if i == 0 {
			first = k
		}
		*s.Slot() = tracer.Event{Kind: tracer.Sample, Ref: at, Code: k, Value: 2}
	}
	*s.Slot() = tracer.Event{Kind: tracer.Sample, Ref: at, Code: first, Value: 5}
	must.Do(t, m.Close())
	tree := must.Get(Grow(m, nil, nil, nil))(t)
	if len(tree.Metrics) != maxMetric || tree.Dropped != 3 || tree.Total(Root, 0, true) != 7 || tree.Total(Root, maxMetric-1, true) != 2 {
		t.Errorf("%d metrics, %d dropped, %d of the first", len(tree.Metrics), tree.Dropped, tree.Total(Root, 0, true))
	}
}

// TestGoals checks that goals spend the costs of their tries and reductions, and that a recursive procedure is one node.
func TestGoals(t *testing.T) {
	dict := func(d *tracer.Dict) {
		for _, name := range []string{"main/0", "fib/2", "add/3"} {
			p := d.Add(tracer.Code{Type: tracer.Procedure, Name: name})
			d.Add(tracer.Code{Type: tracer.Clause, Name: name, Parent: p})
		}
	}
	goal := func(kind tracer.Kind, pe int32, task, parent uint64, code uint32, cost int64) tracer.Event {
		return tracer.Event{Kind: kind, PE: pe, Task: task, Ref: parent, Code: code, Value: cost}
	}
	x := memory(dict, 2,
		goal(tracer.Reduce, 0, 1, 0, 2, 10), goal(tracer.Reduce, 0, 2, 1, 4, 20), goal(tracer.Suspend, 1, 3, 2, 5, 1),
		goal(tracer.Reduce, 1, 4, 2, 4, 20), goal(tracer.Reduce, 0, 5, 4, 4, 20), goal(tracer.Reduce, 1, 3, 2, 6, 5))
	tree := must.Get(Grow(x, nil, nil, nil))(t)
	same(t, text(tree, x.Dict(), tree.Metric("time")), `
- 0/50 0/26
  main/0 10/50 0/26
    fib/2 40/40 20/26
      add/3 0/0 6/6`)
	same(t, text(tree, x.Dict(), tree.Metric("reductions")), `
- 0/3 0/2
  main/0 1/3 0/2
    fib/2 2/2 1/2
      add/3 0/0 1/1`)
}

// TestUnnamedWork checks that work outside the steps of goals is time of the program, also on a PE without goals, in trees and in logs.
func TestUnnamedWork(t *testing.T) {
	dict := func(d *tracer.Dict) { d.Add(tracer.Code{Type: tracer.Procedure, Name: "main/0"}) }
	x := memory(dict, 0,
		tracer.Event{Kind: tracer.Busy}, tracer.Event{Kind: tracer.Busy, PE: 1}, tracer.Event{Time: 3, Kind: tracer.Reduce, Task: 1, Code: 1, Value: 10},
		tracer.Event{Time: 20, Kind: tracer.Idle}, tracer.Event{Time: 30, Kind: tracer.Mark})
	tree := must.Get(Grow(x, nil, nil, nil))(t)
	same(t, text(tree, x.Dict(), tree.Metric("time")), `
- 10/20 30/30
  main/0 10/10 0/0`)
	part := must.Get(must.Get(Record(x, nil, nil, nil))(t).Between(x, 10, 24, nil))(t)
	same(t, text(part, x.Dict(), part.Metric("time")), `
- 7/10 15/15
  main/0 3/3 0/0`)
}

// TestThreads checks that threads spend the time that PEs run them, without the time of threads they wait for, inline or on other PEs.
func TestThreads(t *testing.T) {
	dict := func(d *tracer.Dict) {
		d.Add(tracer.Code{Type: tracer.Function, Name: "main"})
		d.Add(tracer.Code{Type: tracer.Function, Name: "work"})
		d.Add(tracer.Code{Type: tracer.Function, Name: "leaf"})
	}
	at := func(time int64, kind tracer.Kind, pe int32, task, ref uint64, peer int32, code uint32) tracer.Event {
		return tracer.Event{Time: time, Kind: kind, PE: pe, Task: task, Ref: ref, Peer: peer, Code: code}
	}
	x := memory(dict, 2,
		at(0, tracer.Start, 0, 1, 0, -1, 1),
		at(10, tracer.Fork, 0, 2, 1, 0, 2), at(12, tracer.Fork, 0, 3, 1, 0, 3),
		at(15, tracer.Start, 1, 2, 0, 0, 2), // stolen
		at(20, tracer.Start, 0, 3, 0, tracer.Inline, 3), at(27, tracer.End, 0, 3, 0, tracer.Inline, 3),
		at(30, tracer.JoinBegin, 0, 1, 2, -1, 0), at(45, tracer.End, 1, 2, 0, -1, 2), at(45, tracer.JoinEnd, 0, 1, 2, 1, 0),
		at(50, tracer.End, 0, 1, 0, -1, 1))
	tree := must.Get(Grow(x, nil, nil, nil))(t)
	same(t, text(tree, x.Dict(), tree.Metric("time")), `
- 0/35 0/30
  main 28/35 0/30
    work 0/0 30/30
    leaf 7/7 0/0`)
	same(t, text(tree, x.Dict(), tree.Metric("threads")), `
- 0/2 0/1
  main 1/2 0/1
    work 0/0 1/1
    leaf 1/1 0/0`)
}

// TestTimesOfTheAccount checks that tasks spend the time of their work: a thread not that of the operating system, and goals of one PE no time twice.
func TestTimesOfTheAccount(t *testing.T) {
	dict := func(d *tracer.Dict) {
		d.Add(tracer.Code{Type: tracer.Function, Name: "main"})
		d.Add(tracer.Code{Type: tracer.Reason, Name: "off cpu"})
	}
	for _, c := range []struct {
		name   string
		events []tracer.Event
		want   int64
	}{
		{
			"a thread without its core", []tracer.Event{
				{Kind: tracer.Busy},
				{Kind: tracer.Start, Task: 1, Peer: -1, Code: 1},
				{Time: 10, Kind: tracer.Idle, Code: 2},
				{Time: 16, Kind: tracer.Busy},
				{Time: 20, Kind: tracer.End, Task: 1},
			}, 14,
		},
		{
			"a reduction recorded during another", []tracer.Event{{Kind: tracer.Reduce, Task: 1, Code: 1, Value: 20}, {Time: 5, Kind: tracer.Reduce, Task: 2, Ref: 1, Code: 1, Value: 20}}, 25,
		},
		{"a reduction until the end", []tracer.Event{{Kind: tracer.Reduce, Task: 1, Code: 1, Value: 20}}, 20},
	} {
		src := memory(dict, 1, c.events...)
		tree := must.Get(Grow(src, nil, nil, nil))(t)
		if got := tree.Total(Root, tree.Metric("time"), true); got != c.want {
			t.Errorf("%s: %d ns, want %d", c.name, got, c.want)
		}
		for _, tree := range times(t, src, 0, math.MaxInt64) {
			if got := tree.Total(Root, tree.Metric("time"), true); got != c.want {
				t.Errorf("%s: %d ns in an interval, want %d", c.name, got, c.want)
			}
		}
	}
}

// TestGrows checks that the tree of a growing trace equals the tree of the whole trace.
func TestGrows(t *testing.T) {
	dict := func(d *tracer.Dict) {
		d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks"})
		context := uint32(0)
		for k := range 5 {
			f := d.Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprint("f", k)})
			context = d.AddContext(tracer.Context{Parent: context, Code: f})
			d.AddContext(tracer.Context{Code: f})
		}
	}
	var events []tracer.Event
	for k := range 200 {
		events = append(events, tracer.Event{Time: int64(k), Kind: tracer.Sample, PE: int32(k % 7), Ref: uint64(k*k%9 + 1), Code: 1, Value: int64(k)})
	}
	src := memory(dict, 8, events...)
	var prev *Tree
	onwardtest.Replay(t, src, []int{0, 3, 90, 91, 150}, func(n int, now *store.File) {
		grown := must.Get(Grow(now, prev, nil, nil))(t)
		whole := must.Get(Grow(now, nil, nil, nil))(t)
		if len(whole.Processes) != 8 || n > 0 && whole.Total(0, 0, true) != int64(n*(n-1)/2) {
			t.Errorf("%d events: %d processes", n, len(whole.Processes))
		}
		if diff := cmp.Diff(whole, grown, cmpopts.IgnoreUnexported(Tree{})); diff != "" {
			t.Errorf("after %d events: %s", n, diff)
		}
		if own := must.Get(BuildOwn(now, nil))(t); n > 0 && own.Total(Root, 0, true) != whole.Total(Root, 0, true) {
			t.Errorf("after %d events: %d in all without inclusive values of contexts", n, own.Total(Root, 0, true))
		}
		prev = grown
	})
}

// TestFlat checks that a recursive function is counted once in the flat profile.
func TestFlat(t *testing.T) {
	m := NewMerger()
	m.Process(Process{})
	time := m.Metric(Metric{Name: "time"})
	a := m.Call(Root, 1)
	b := m.Call(a, 2)
	aa := m.Call(b, 1)
	other := m.Call(Root, 2)
	for k, n := range []int32{a, b, aa, other} {
		m.Add(0, n, time, int64(1)<<k)
	}
	tree := m.Tree()
	want := []Function{{Code: 2, Exclusive: 10, Inclusive: 14}, {Code: 1, Exclusive: 5, Inclusive: 7}}
	got := tree.Flat(Root, func(node int32, inclusive bool) int64 { return tree.Total(node, time, inclusive) })
	for i := range got {
		f := got[i]
		if in := tree.FlatValues(&f, time, true, nil); in[0] != f.Inclusive {
			t.Errorf("function %d: %d by process, %d in all", f.Code, in[0], f.Inclusive)
		}
		got[i].Nodes, got[i].Outermost = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSpread checks that the thirds have equal widths about the mean, not equal numbers of processes.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []int64
		want   [3]int
		equal  bool
	}{
		{[]int64{5, 5, 5, 5}, [3]int{0, 4, 0}, true},
		{[]int64{0, 0, 0, 0}, [3]int{0, 4, 0}, true},
		{[]int64{0, 9, 9, 9, 9, 9, 9, 9, 9}, [3]int{1, 8, 0}, false},
		{[]int64{0, 0, 0, 10, 10, 10, 10, 10}, [3]int{3, 0, 5}, false},
		{[]int64{1, 4, 5, 6, 9}, [3]int{1, 3, 1}, false},
	} {
		m := NewMerger()
		time := m.Metric(Metric{Name: "time"})
		node := m.Call(Root, 1)
		for _, v := range c.values {
			m.Add(m.Process(Process{}), node, time, v)
		}
		s := m.Tree().Spread(node, time, true)
		if s.Thirds != c.want || s.Equal != c.equal || s.Thirds[0]+s.Thirds[1]+s.Thirds[2] != len(c.values) {
			t.Errorf("%v: %+v", c.values, s)
		}
	}
}

// TestOnly checks that the tree of some processes equals the tree of their events alone, except that it keeps all nodes.
func TestOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, some := NewMerger(), NewMerger()
		metrics := []Metric{{Name: "a"}, {Name: "b"}}
		for _, x := range metrics {
			m.Metric(x)
			some.Metric(x)
		}
		keep := rapid.SliceOfN(rapid.Bool(), 5, 5).Draw(t, "kept")
		number := make([]int32, 5)
		for p := range number {
			m.Process(Process{Name: fmt.Sprint(p)})
			if keep[p] {
				number[p] = some.Process(Process{Name: fmt.Sprint(p)})
			}
		}
		for range rapid.IntRange(0, 60).Draw(t, "values") {
			code, up := rapid.Uint32Range(1, 3).Draw(t, "code"), rapid.Int32Range(0, int32(len(m.code)-1)).Draw(t, "caller")
			node := m.Call(up, code)
			some.Call(up, code)
			p, k, x := rapid.Int32Range(0, 4).Draw(t, "process"), rapid.IntRange(0, 1).Draw(t, "metric"), rapid.Int64Range(-9, 9).Draw(t, "value")
			m.Add(p, node, k, x)
			if keep[p] {
				some.Add(number[p], node, k, x)
			}
		}
		if diff := cmp.Diff(some.Tree(), m.Tree().Only(keep), cmpopts.IgnoreUnexported(Tree{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
