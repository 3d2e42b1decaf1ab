package contexts

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestChoices checks what contexts remain by the names of functions and files, with their values, also in a time window.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		params []string
		want   map[string]int64 // inclusive values by path
	}{
		{[]string{"focus", "kernel"}, map[string]int64{"": 404, "main": 404, "main sweep kernel": 380, "main output kernel": 24, "main sweep": 380}},
		{[]string{"ignore", "kernel"}, map[string]int64{"": 260, "main": 260, "main sweep": 204}},
		{[]string{"hide", "sweep|output"}, map[string]int64{"": 664, "main": 664, "main kernel": 404, "main bcast": 108}},
		{[]string{"show", "^kernel$"}, map[string]int64{"": 664, "kernel": 404}},
		{[]string{"focus", "called.f90"}, map[string]int64{"": 664, "main sweep": 584}},
		{[]string{"focus", "kernel", "processes", "5"}, map[string]int64{"": 63, "main sweep kernel": 60}},
		{[]string{"focus", "("}, map[string]int64{"": 664}},
	} {
		v := must(t, viewtest.Called(), c.params...)
		for _, path := range slices.Sorted(maps.Keys(c.want)) {
			if got, want := v.In[way(t, v.Contexts, path)], c.want[path]; got != want {
				t.Errorf("%v: %q has %d, want %d", c.params, path, got, want)
			}
		}
		if wrong := v.Wrong(nil, nil); (wrong != nil) != slices.Contains(c.params, "(") {
			t.Errorf("%v: wrong is %v", c.params, wrong)
		}
	}
}

// TestLinksOfChoices checks that a selection in a tree with hidden functions, or in a turned one, names the contexts of the whole tree, and that
// selections made elsewhere are found.
func TestLinksOfChoices(t *testing.T) {
	src := viewtest.Called()
	whole := must(t, src)
	hidden := must(t, src, "hide", "sweep|output")
	paths := func(c *Contexts, s view.Selection) (all []string) {
		for _, v := range c.Highlight("t", s).Nodes {
			var names []string
			for _, u := range c.Way(v) {
				names = append(names, c.Name(u))
			}
			all = append(all, strings.Join(names, " "))
		}
		slices.Sort(all)
		return all
	}
	all := func(uint32) bool { return true }
	kernel := func(code uint32) bool { return whole.FunctionName(code) == "kernel" }
	for _, c := range []struct {
		name    string
		tree    *Contexts
		path    string
		sources []string // what its selection lights in the whole tree
		back    []string // what that lights in the tree
	}{
		{"hidden", hidden.Contexts, "main kernel", []string{"main output kernel", "main sweep kernel"}, []string{"main kernel"}},
		{"callers", whole.Callers(nil, ""), "kernel sweep", []string{"main sweep kernel"}, []string{"kernel sweep main"}},
		{"all callers", whole.Callers(nil, ""), "kernel", []string{"main output kernel", "main sweep kernel"}, []string{"kernel output main", "kernel sweep main"}},
		{"callers of kernel", whole.Callers(kernel, ""), "kernel output", []string{"main output kernel"}, []string{"kernel output main"}},
		{"callees of all", whole.Callees(all), "main sweep", []string{"main sweep"}, []string{"main sweep"}},
	} {
		s := c.tree.Select("t", way(t, c.tree, c.path))
		if got := paths(whole.Contexts, s); !slices.Equal(got, c.sources) {
			t.Errorf("%s: %q selects %q, want %q", c.name, c.path, got, c.sources)
		}
		if got := paths(c.tree, s); !slices.Equal(got, c.back) {
			t.Errorf("%s: %q is found as %q, want %q", c.name, c.path, got, c.back)
		}
	}
	codes := view.Selection{Trace: "t", Codes: []uint32{whole.Code[way(t, whole.Contexts, "main sweep bcast")]}}
	if got := paths(whole.Callers(nil, ""), codes); !slices.Equal(got, []string{"bcast"}) {
		t.Errorf("a function lights %q among the callers", got)
	}
}

// TestManySources bounds the contexts of a selection.
func TestManySources(t *testing.T) {
	m := tracer.NewMemory()
	d := m.Dict()
	leaf := d.Add(tracer.Code{Type: tracer.Function, Name: "leaf"})
	metric := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	s := m.Stream(tracer.StreamInfo{})
	const n = 2 * mostNodes
	for k := range n {
		f := d.AddContext(tracer.Context{Code: d.Add(tracer.Code{Type: tracer.Function, Name: "f", Line: int32(k + 1)})})
		*s.Slot() = tracer.Event{Kind: tracer.Sample, Ref: uint64(d.AddContext(tracer.Context{Parent: f, Code: leaf})), Code: metric, Value: int64(k + 1)}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	whole := must(t, m)
	callers := whole.Callers(nil, "")
	sel := callers.Select("t", 1)
	if len(sel.Contexts) != mostNodes {
		t.Fatalf("%d contexts are selected, want %d", len(sel.Contexts), mostNodes)
	}
	for _, id := range sel.Contexts {
		if v, _ := whole.Node(id); whole.Ex[v] <= n-mostNodes {
			t.Fatalf("a context of %d is selected, and one of %d is not", whole.Ex[v], n-mostNodes+1)
		}
	}
}

// TestChoicesOfBothRuns checks that a comparison chooses the same contexts in the other run: a run differs nowhere from itself.
func TestChoicesOfBothRuns(t *testing.T) {
	src := viewtest.Called()
	for _, choice := range [][2]string{{"focus", "kernel"}, {"ignore", "kernel"}, {"hide", "sweep"}, {"show", "kernel"}} {
		d, err := read(t, opened(t, src, src), DifferenceStage, Against.Name, AgainstTrace, choice[0], choice[1])
		if err != nil || d.Wrong != nil || !d.Compared() || d.Most != 0 || d.Missing != 0 {
			t.Errorf("%v: the largest difference is %g, %d contexts are missing, %v, %v", choice, d.Most, d.Missing, d.Wrong, err)
		}
	}
}

// TestLabels checks what contexts remain by the labels of samples, labels as frames, and both in a time window and while the trace grows.
func TestLabels(t *testing.T) {
	m := tracer.NewMemory()
	d := m.Dict()
	serve, parse := d.Add(tracer.Code{Type: tracer.Function, Name: "serve"}), d.Add(tracer.Code{Type: tracer.Function, Name: "parse"})
	metric := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	outer := d.AddContext(tracer.Context{Code: serve})
	inner := d.AddContext(tracer.Context{Parent: outer, Code: parse})
	s := m.Stream(tracer.StreamInfo{})
	record := func(at int64, context uint32, job string, value int64) {
		e := tracer.Event{Kind: tracer.Sample, Time: at, Peer: tracer.None, Ref: uint64(context), Code: metric, Value: value}
		if job != "" {
			e.Peer = int32(d.AddContext(tracer.Context{Code: d.AddLabel(tracer.LabelValue{Key: "job", Text: job})}))
		}
		*s.Slot() = e
		s.Sync()
	}
	record(1, outer, "build", 1)
	record(2, inner, "build", 2)
	record(3, inner, "test", 4)
	record(4, outer, "", 8)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		params []string
		want   map[string]int64 // inclusive values by path
	}{
		{[]string{"tagfocus", "job=build"}, map[string]int64{"": 3, "serve": 3, "serve parse": 2}},
		{[]string{"tagignore", "job:build"}, map[string]int64{"": 12, "serve": 12, "serve parse": 4}},
		{[]string{"tagroot", "job"}, map[string]int64{"": 15, "job:build": 3, "job:build serve parse": 2, "job:test serve": 4, "no job serve": 8}},
		{[]string{"tagleaf", "job"}, map[string]int64{"": 15, "serve": 15, "serve job:build": 1, "serve parse job:build": 2, "serve no job": 8}},
		{[]string{"tagroot", "job", "focus", "job:test"}, map[string]int64{"": 4, "job:test serve parse": 4}},
		{[]string{"tagroot", "job", view.Counted, "2 3"}, map[string]int64{"": 6, "job:build serve parse": 2, "job:test serve parse": 4}},
		{[]string{"tagfocus", "job=build", view.Counted, "2 3"}, map[string]int64{"": 2, "serve parse": 2}},
		{[]string{"tagroot", "jobs"}, map[string]int64{"": 15, "serve": 15}},
	} {
		v := must(t, m, c.params...)
		for _, path := range slices.Sorted(maps.Keys(c.want)) {
			if got, want := v.In[way(t, v.Contexts, path)], c.want[path]; got != want {
				t.Errorf("%v: %q has %d, want %d", c.params, path, got, want)
			}
		}
		if wrong := v.Wrong(nil, nil); (wrong != nil) != slices.Contains(c.params, "jobs") {
			t.Errorf("%v: wrong is %v", c.params, wrong)
		}
	}
}

// TestNothingLeft checks that expressions that leave no context are named.
func TestNothingLeft(t *testing.T) {
	for _, c := range []struct{ param, value, want string }{
		{"focus", "nowhere", `no context is left of focus "nowhere"`}, {"ignore", "main", `no context is left of ignore "main"`}, {"focus", "kernel", ""},
	} {
		all, err := read(t, opened(t, viewtest.Called(), nil), All, c.param, c.value)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := all.Wrong(nil, nil); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.param, c.value, got, c.want)
		}
	}
}
