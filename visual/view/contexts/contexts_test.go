package contexts

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/visual/flow"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// opened returns a graph of stages with a trace and another run to compare with.
func opened(t *testing.T, src, other tracer.Source) *flow.Graph {
	g := flow.New()
	t.Cleanup(g.Close)
	view.Trace.Set(g, src)
	view.Other.Set(g, other)
	view.OtherName.Set(g, "other")
	return g
}

// read returns the value of a stage; params are names and values of parameters in turn.
func read[T any](t *testing.T, g *flow.Graph, s *flow.Stage[T], params ...string) (T, error) {
	t.Helper()
	r := flow.NewReader[T](g, s)
	for i := 0; i < len(params); i += 2 {
		if err := r.SetParam(params[i], params[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	res, err := r.Get(context.Background(), 0)
	return res.Value, err
}

// values returns the values of a trace; params are names and values of parameters in turn.
func values(t *testing.T, src tracer.Source, params ...string) (*Values, error) {
	t.Helper()
	return read(t, opened(t, src, nil), ValuesStage, params...)
}

func must(t *testing.T, src tracer.Source, params ...string) *Values {
	t.Helper()
	v, err := values(t, src, params...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// way returns the node with a call path, given as names below the program.
func way(t *testing.T, c *Contexts, names string) int32 {
	t.Helper()
	for v := range int32(c.Nodes()) {
		var is []string
		for _, u := range c.Way(v) {
			is = append(is, c.Name(u))
		}
		if strings.Join(is, " ") == names {
			return v
		}
	}
	t.Fatalf("no context %s", names)
	return -1
}

func TestValues(t *testing.T) {
	v := must(t, viewtest.Called())
	for _, c := range []struct {
		way    string
		in, ex int64
	}{{"", 664, 0}, {"main", 664, 8}, {"main sweep", 584, 80}, {"main sweep bcast", 108, 108}, {"main output kernel", 24, 24}, {"main output", 48, 16}} {
		n := way(t, v.Contexts, c.way)
		if v.In[n] != c.in || v.Ex[n] != c.ex || v.Value(n) != c.in {
			t.Errorf("%q: %d inclusive and %d exclusive, want %d and %d", c.way, v.In[n], v.Ex[n], c.in, c.ex)
		}
	}
	some := must(t, viewtest.Called(), Processes.Name, "5-7", Value.Name, Exclusive)
	if n := way(t, some.Contexts, "main sweep bcast"); some.Value(n) != 3 || some.In[0] != 3*82 || !slices.Equal(some.PE, []int32{5, 6, 7}) || some.Process(1) != "PE 6" {
		t.Errorf("PEs 5 to 7: %d of %d, PEs %v", some.Value(n), some.In[0], some.PE)
	}
	for _, c := range [][2]string{{Metric.Name, "tick"}, {Processes.Name, "3-x"}, {Processes.Name, "9-12"}} {
		if _, err := values(t, viewtest.Called(), c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("parameter %s=%s: error %v", c[0], c[1], err)
		}
	}
}

// TestNumbersDependOnNames checks that nodes have distinct numbers, and that these are equal in runs with other codes in another order.
func TestNumbersDependOnNames(t *testing.T) {
	v := must(t, viewtest.Called())
	seen := map[uint64]bool{}
	for n := range int32(v.Nodes()) {
		id := v.ID(n)
		if back, ok := v.Node(id); !ok || back != n || v.Root(id) != n || id == 0 || id > 1<<63-1 || seen[id] {
			t.Errorf("node %d has number %d, which belongs to node %d", n, id, back)
		}
		seen[id] = true
	}
	other := tracer.NewMemory() // with other codes, another order, and folders before the files
	d := other.Dict()
	kernel := d.Add(tracer.Code{Type: tracer.Function, Name: "kernel", File: "/src/called.f90", Line: 17})
	sweep := d.Add(tracer.Code{Type: tracer.Function, Name: "sweep", File: "/src/called.f90", Line: 9})
	main := d.Add(tracer.Code{Type: tracer.Function, Name: "main", File: "/src/called.f90", Line: 1})
	again := d.Add(tracer.Code{Type: tracer.Function, Name: "kernel", File: "/src/called.f90", Line: 99})
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	path := d.AddContext(tracer.Context{Code: main})
	path = d.AddContext(tracer.Context{Parent: path, Code: sweep})
	s := other.Stream(tracer.StreamInfo{})
	for _, code := range []uint32{kernel, again} {
		*s.Slot() = tracer.Event{Kind: tracer.Sample, Ref: uint64(d.AddContext(tracer.Context{Parent: path, Code: code})), Code: ticks, Value: 5}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	w := must(t, other)
	if got, ok := w.Node(v.ID(way(t, v.Contexts, "main sweep kernel"))); !ok || w.Code[got] != kernel {
		t.Errorf("kernel in the other run: node %d, %v", got, ok)
	}
	if _, ok := w.Node(v.ID(way(t, v.Contexts, "main output kernel"))); ok {
		t.Error("the other run has no output")
	}
	if n := int32(w.Nodes()); w.ID(n-1) == w.ID(n-2) {
		t.Error("two procedures of the same name have the same number")
	}
}

// TestNumbersOfSiblings numbers 300,000 siblings of the same name. It would take minutes if each of them probed the numbers of all before it.
func TestNumbersOfSiblings(t *testing.T) {
	const n = 300_000
	codes := make([]tracer.Code, n+1)
	m := callingcontext.NewMerger()
	for i := 1; i <= n; i++ {
		codes[i] = tracer.Code{Type: tracer.Function, Name: "f", Line: int32(i)}
		m.Call(callingcontext.Root, uint32(i))
	}
	c := New(&view.Run{Codes: codes}, m.Tree())
	want := scatter(programID ^ hash(c.Run, 1))
	for v := int32(1); v <= n; v++ {
		if got := c.ID(v); got != want {
			t.Fatalf("sibling %d has number %d, want %d", v, got, want)
		}
		want = scatter(want)
		if u, ok := c.Node(c.ID(v)); !ok || u != v {
			t.Fatalf("number of sibling %d belongs to node %d", v, u)
		}
	}
}

// TestBeyond checks that sums that exceed 64 bits are noted, and that neither they nor their means are shown as negative.
func TestBeyond(t *testing.T) {
	for _, unit := range []string{"ns", "", "bytes", "seconds"} {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: 3})
		f := m.Dict().AddContext(tracer.Context{Code: m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "f"})})
		metric := m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "much", Unit: unit, Scale: 1})
		s := m.Stream(tracer.StreamInfo{})
		for pe := range int32(3) {
			*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: pe, Peer: -1, Ref: uint64(f), Code: metric, Value: callingcontext.Most}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		v := must(t, m)
		if notes := strings.Join(v.Notes(), " "); !strings.Contains(notes, "Sums above 9,223,372,036,854,775,807 are shown as this number.") {
			t.Errorf("notes of sums above 64 bits: %q", notes)
		}
		if tip := strings.Join(v.Describe(1), "; "); strings.ContainsAny(tip, "-–") || !strings.Contains(tip, v.Amount(callingcontext.Most)+" inclusive, 100 %") {
			t.Errorf("tip of a sum above 64 bits: %q", tip)
		}
		if _, err := v.Chosen("1"); err != nil {
			t.Error(err)
		}
	}
	if notes := must(t, viewtest.Called()).Notes(); len(notes) > 0 {
		t.Errorf("unexpected notes %q", notes)
	}
}

func TestHighlight(t *testing.T) {
	v := must(t, viewtest.Called())
	c := v.Contexts
	nodes := func(ways ...string) (out []int32) {
		for _, w := range ways {
			out = append(out, way(t, c, w))
		}
		return out
	}
	bcast := way(t, c, "main sweep bcast")
	alloc := nodes("main setup alloc", "main sweep alloc", "main output alloc")
	for _, x := range []struct {
		name string
		s    view.Selection
		want []int32
		pes  []int32
		none bool
	}{
		{name: "nothing", none: true},
		{name: "another trace", s: view.Selection{Trace: "u", Codes: []uint32{viewtest.CalledAlloc}}, none: true},
		{name: "tasks", s: view.Subtree("t", 1), none: true},
		{name: "a node", s: c.Select("t", bcast), want: []int32{bcast}},
		{name: "two nodes", s: c.Select("t", alloc[2], bcast), want: []int32{bcast, alloc[2]}},
		{name: "a procedure", s: view.Selection{Trace: "t", Codes: []uint32{viewtest.CalledAlloc}}, want: alloc},
		{name: "a line of it", s: view.Selection{Trace: "t", Lines: []view.Lines{{File: "x/called.f90", First: 26}}}, want: alloc},
		{name: "a line of it without a code", s: view.Selection{Trace: "t", Lines: []view.Lines{{File: "called.f90", First: 28}}}, want: alloc},
		{name: "lines of two", s: view.Selection{Trace: "t", Lines: []view.Lines{{File: "called.f90", First: 24, Last: 25}}}, want: append([]int32{bcast}, alloc...)},
		{name: "a line after all procedures", s: view.Selection{Trace: "t", Lines: []view.Lines{{File: "called.f90", First: 29}}}},
		{name: "a line of another file", s: view.Selection{Trace: "t", Lines: []view.Lines{{File: "called.c", First: 3}}}},
		{name: "PEs", s: view.Selection{Trace: "t", PEs: []view.Span{{First: 6, Last: 99}}}, pes: []int32{6, 7}},
		{name: "a procedure on a PE", s: view.Selection{Trace: "t", Codes: []uint32{viewtest.CalledBcast}, PEs: []view.Span{{First: 2, Last: 2}}}, want: []int32{bcast}, pes: []int32{2}},
	} {
		l := c.Highlight("t", x.s)
		slices.Sort(x.want)
		if (l == nil) != x.none || l != nil && (!slices.Equal(l.Nodes, x.want) || !slices.Equal(l.Processes, x.pes)) {
			t.Errorf("%s: %+v, want nodes %v, processes %v", x.name, l, x.want, x.pes)
		}
	}
	some := c.Only(4, 5, 6)
	if got := some.SelectProcesses("t", []int32{0, 2}); !got.Equal(view.Selection{Trace: "t", PEs: []view.Span{{First: 4, Last: 4}, {First: 6, Last: 6}}}) {
		t.Errorf("processes 0 and 2 of PEs 4 to 6: selected %+v", got)
	}
	if l := some.Highlight("t", view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 9}}}); !slices.Equal(l.Processes, []int32{1, 2}) {
		t.Errorf("PEs 5 to 9 of PEs 4 to 6: %+v, want processes 1 and 2", l)
	}
}

// TestHighlightOneText checks that lines belong to all procedures that begin at the last line before, such as the instances of a template.
func TestHighlightOneText(t *testing.T) {
	m := tracer.NewMemory()
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	s := m.Stream(tracer.StreamInfo{})
	for i, line := range []int32{5, 9, 9, 9, 30} {
		code := d.Add(tracer.Code{Type: tracer.Function, Name: "f" + strconv.Itoa(i), File: "a.cc", Line: line})
		*s.Slot() = tracer.Event{Kind: tracer.Sample, Ref: uint64(d.AddContext(tracer.Context{Code: code})), Code: ticks, Value: 1}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	l := must(t, m).Highlight("t", view.Selection{Trace: "t", Lines: []view.Lines{{File: "a.cc", First: 12}}})
	if want := []int32{2, 3, 4}; !slices.Equal(l.Nodes, want) {
		t.Errorf("nodes %v, want %v", l.Nodes, want)
	}
}

// TestWithin compares within with a search of each span in turn; spans are in any order and may overlap.
func TestWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.SliceOfNDistinct(rapid.Int32Range(0, 40), 0, 20, rapid.ID[int32]).Draw(t, "pes")
		slices.Sort(pes)
		var spans []view.Span
		for range rapid.IntRange(0, 6).Draw(t, "spans") {
			first := rapid.Int64Range(-3, 45).Draw(t, "first")
			spans = append(spans, view.Span{First: first, Last: first + rapid.Int64Range(-1, 9).Draw(t, "more")})
		}
		want := []int32{}
		for i, pe := range pes {
			if slices.ContainsFunc(spans, func(s view.Span) bool { return s.Contains(int64(pe)) }) {
				want = append(want, int32(i))
			}
		}
		asked := slices.Clone(spans)
		if got := (&Contexts{PE: pes}).within(spans); !slices.Equal(got, want) || !slices.Equal(spans, asked) {
			t.Errorf("PEs %v within %v: %v, want %v", pes, asked, got, want)
		}
	})
}

func TestSearch(t *testing.T) {
	c := must(t, viewtest.Called()).Contexts
	for _, x := range []struct {
		find string
		n    int
	}{{"", 0}, {"alloc", 3}, {"^S", 0}, {"^s", 2}, {"al|bc", 4}, {"nothing", 0}, {" KERNEL ", 0}} {
		if got, err := c.Search(x.find); err != nil || len(got) != x.n {
			t.Errorf("%q matches %v, error %v; want %d matches", x.find, got, err, x.n)
		}
	}
	if _, err := c.Search("alloc("); err == nil || !strings.Contains(err.Error(), "alloc(") || strings.Contains(err.Error(), "(?i)") {
		t.Errorf("error of an invalid expression: %v", err)
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"", ""}, {" 3", "3"}, {"0-31, 64", "0-31,64"}, {"5-5", "5"}, {"3-1", "1-3"}} {
		s, err := ParseSpans("processes", c.text)
		if err != nil || FormatSpans(s) != c.want {
			t.Errorf("%q: spans %v, error %v; want %s", c.text, s, err, c.want)
		}
	}
	for _, text := range []string{"x", "-4", "1-", "99999999999"} {
		if _, err := ParseSpans("processes", text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestGrowing checks that nodes keep their numbers while a trace grows, and that two views share one tree.
func TestGrowing(t *testing.T) {
	g := opened(t, nil, nil)
	get := func(now tracer.Source) *Values {
		v, err := read(t, g, ValuesStage)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	var before *Values
	onwardtest.Replay(t, viewtest.Called(), []int{20, 50}, func(_ int, now *store.File) {
		view.Trace.Set(g, now)
		v := get(now)
		if get(now) != v {
			t.Error("two views of a trace do not share one tree")
		}
		if before != nil {
			for n := range int32(before.Nodes()) {
				if now, ok := v.Node(before.ID(n)); !ok || v.Name(now) != before.Name(n) {
					t.Errorf("the number of %s has changed", before.Name(n))
				}
			}
		}
		before = v
	})
	if before.In[0] != 664 {
		t.Errorf("%d ticks in total, want 664", before.In[0])
	}
}
