package selector

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/fault"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/view"
)

const sum = `% Sums of a list, halves in parallel.
main(X) :- true | sum([1,2,3,4], A)@node(1), sum([5,6], B)@node(2), add(A, B, X).
sum([], S) :- true | S = 0.
sum([H|T], S) :- true | sum(T, R), add(H, R, S).
add(A, B, C) :- integer(A), integer(B) | C := A + B.
`

// recorded returns the trace of a run on three PEs.
func recorded(t *testing.T, name, text, goal string) *tracer.Memory {
	t.Helper()
	r := experiment.Defaults(name)
	r.Text, r.Goal, r.PEs = text, goal, 3
	if goal != "" {
		r.Policy = "static"
	}
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	src := tracer.NewMemory()
	if _, err := p.Run(t.Context(), src, nil); err != nil {
		t.Fatal(err)
	}
	return src
}

// reductions returns the reductions of a trace that a condition selects, ordered by task.
func reductions(t *testing.T, src tracer.Source, selects func(e tracer.Event) bool) (tasks []uint64) {
	t.Helper()
	err := src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		for _, e := range es {
			if selects(e) {
				tasks = append(tasks, e.Task)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(tasks)
	return tasks
}

// members returns the tasks of lists without subtrees.
func members(list []view.Tasks) (tasks []uint64) {
	for _, r := range list {
		for task := r.First; task <= max(r.First, r.Last); task++ {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// TestSelect: expressions become the lists of a selection, and tasks where no list says the same.
func TestSelect(t *testing.T) {
	src := recorded(t, "sum.fghc", sum, "main(X)")
	s := New("t", src, nil)
	code := func(typ tracer.CodeType, line int32) uint32 {
		return uint32(slices.IndexFunc(src.Dict().Codes(), func(c tracer.Code) bool { return c.Type == typ && c.Line == line }))
	}
	procedure := func(name string) uint32 {
		return uint32(slices.IndexFunc(src.Dict().Codes(), func(c tracer.Code) bool { return c.Type == tracer.Procedure && c.Name == name }))
	}
	from, to := src.Span()
	for _, c := range []struct {
		text string
		want view.Selection
	}{
		{"", view.Selection{}},
		{"pe in 1..2", view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}},
		{"pe != 1", view.Selection{PEs: []view.Span{{First: 0, Last: 0}, {First: 2, Last: 2}}}},
		{"pe >= 1 and pe < 2", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}},
		{"procedure ~ /^s/ and pe = 1", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}, Codes: []uint32{procedure("sum/2")}}},
		{"procedure = sum or procedure = add", view.Selection{Codes: []uint32{procedure("sum/2"), procedure("add/3")}}},
		{`procedure = sum and line > 3`, view.Selection{Codes: []uint32{procedure("sum/2")}, Lines: []view.Lines{{File: "sum.fghc", First: 4, Last: 6}}}},
		{`clause = "sum.fghc":4`, view.Selection{Codes: []uint32{code(tracer.Clause, 4)}}},
		{`line in {"sum.fghc":3..4, 1}`, view.Selection{Lines: []view.Lines{{File: "sum.fghc", First: 1}, {File: "sum.fghc", First: 3, Last: 4}}}},
		{"begin > 10us and begin <= 30us", view.Selection{Time: &view.Span{First: 10001, Last: 30000}}},
		{"begin >= 5us", view.Selection{Time: &view.Span{First: 5000, Last: to}}},
		{"begin < 5us", view.Selection{Time: &view.Span{First: from, Last: 4999}}},
		{"task in {subtree(1), 5..7, 3}", view.Selection{Tasks: []view.Tasks{{First: 1, Subtree: true}, {First: 3}, {First: 5, Last: 7}}}},
		{"context in {0xff00000000000000, 3}", view.Selection{Contexts: []uint64{0xff00000000000000, 3}}},
	} {
		got, err := s.Select(c.text)
		if c.text != "" {
			c.want.Trace = "t"
		}
		if err != nil || !got.Equal(c.want) || got.Expr != c.text {
			t.Errorf("%s selects %+v, %v; want %+v", c.text, got, err, c.want)
		}
		if again, err := s.Select(s.Text(c.want)); err != nil || !again.Equal(c.want) {
			t.Errorf("%s is written as %s, which selects %+v, %v", c.text, s.Text(c.want), again, err)
		}
	}
	parent := map[uint64]uint64{}
	reductions(t, src, func(e tracer.Event) bool { parent[e.Task] = e.Ref; return true })
	sumCode := procedure("sum/2")
	owner := func(e tracer.Event) uint32 { return tracer.Owner(src.Dict().Codes(), e.Code) }
	for _, c := range []struct {
		text    string
		selects func(e tracer.Event) bool
	}{
		{"time > 5us", func(e tracer.Event) bool { return e.Value > 5000 }},
		{"procedure = sum and time > 5us", func(e tracer.Event) bool { return owner(e) == sumCode && e.Value > 5000 }},
		{"pe = 1 or procedure = sum", func(e tracer.Event) bool { return e.PE == 1 || owner(e) == sumCode }},
		{"not (task in subtree(1)) or pe = 2", func(e tracer.Event) bool { return e.PE == 2 }},
		{"depth = 1", func(e tracer.Event) bool { return parent[e.Task] == 1 }},
		{"descendants > 0 and parent = 1", func(e tracer.Event) bool {
			return parent[e.Task] == 1 && len(reductions(t, src, func(x tracer.Event) bool { return x.Ref == e.Task })) > 0
		}},
	} {
		got, err := s.Select(c.text)
		want := reductions(t, src, c.selects)
		if err != nil || !slices.Equal(members(got.Tasks), want) || len(want) == 0 {
			t.Errorf("%s selects the tasks %v, %v; want %v", c.text, members(got.Tasks), err, want)
		}
	}
}

// TestSelectErrors: what cannot be selected says why.
func TestSelectErrors(t *testing.T) {
	goals, samples := recorded(t, "sum.fghc", sum, "main(X)"), recorded(t, "hpf/lu", "", "")
	for _, c := range []struct {
		src  tracer.Source
		text string
		want string
	}{
		{goals, "time > 2 ", "expression:1:6: a time and a plain number cannot be combined"},
		{goals, "task in subtree(9999)", "expression:1:17: there is no task 9999"},
		{goals, "proc = sum", "expression:1:1: there is no field of selections \"proc\"; did you mean procedure?"},
		{goals, "context > 3", "expression:1:1: a range of contexts"},
		{goals, "pe = 0 and (context = 3 or pe = 1)", "expression:1:13: context stands in a part of its own"},
		{goals, "begin in {1us, 3us}", "expression:1:1: a selection has one range of times"},
		{samples, "pe = 1 or procedure ~ /lu/", "expression:1:1: the trace has no tasks"},
		{samples, "time > 2ms", "expression:1:1: there is no field of selections \"time\""},
	} {
		_, err := New("t", c.src, nil).Select(c.text)
		if wrong := new(fault.Error); !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	for _, text := range []string{"pe > 7", "time > 100s", "begin > 100s", "line > 1000", "procedure = sum and procedure = add", "task in 7..3"} {
		if _, err := New("t", goals, nil).Select(text); !errors.Is(err, errEmpty) {
			t.Errorf("%s: %v, want that nothing fulfils it", text, err)
		}
	}
	failing := New("t", goals, func() (*spawntree.Tree, error) { return nil, errors.New("stopped") })
	if _, err := failing.Select("time > 1us"); err == nil || err.Error() != "stopped" {
		t.Errorf("without a tree: %v", err)
	}
}

// TestSamples: a trace of samples selects PEs, lines and procedures.
func TestSamples(t *testing.T) {
	src := recorded(t, "hpf/lu", "", "")
	s := New("t", src, nil)
	for _, text := range []string{"pe = 1", "procedure ~ /./", "line ~ /./ and line in 3..9", "file ~ /hpf/"} {
		got, err := s.Select(text)
		if err != nil || got.Empty() {
			t.Errorf("%s selects %+v, %v", text, got, err)
			continue
		}
		got.Expr = ""
		if again, err := s.Select(s.Text(got)); err != nil || !again.Equal(got) {
			t.Errorf("%s: %+v is written as %s, which selects %+v, %v", text, got, s.Text(got), again, err)
		}
	}
}

// TestText: codes with equal names are written by their numbers.
func TestText(t *testing.T) {
	m := tracer.NewMemory()
	for i := range 3 {
		m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "f", File: fmt.Sprint("f", i/2, ".go"), Line: int32(i + 1)})
	}
	s := New("t", m, nil)
	for _, c := range []struct {
		sel  view.Selection
		want string
	}{
		{view.Selection{Codes: []uint32{1}}, "code = 1"},
		{view.Selection{Codes: []uint32{3, 1, 2}}, `procedure = "f"`},
		{view.Selection{Expr: "pe = 3", PEs: []view.Span{{First: 3, Last: 3}}}, "pe = 3"},
		{view.Selection{PEs: []view.Span{{First: 3, Last: 4}, {First: 7, Last: 7}}, Time: &view.Span{First: 1500, Last: 2e6}}, "pe in {3..4, 7} and begin in 1.5us..2ms"},
		{view.Selection{}, ""},
	} {
		if got := s.Text(c.sel); got != c.want {
			t.Errorf("%+v is written as %s, want %s", c.sel, got, c.want)
		}
	}
}

// TestMost: an expression that selects too many ranges says how many.
func TestMost(t *testing.T) {
	m := tracer.NewMemory()
	stream := m.Stream(tracer.StreamInfo{})
	for i := range uint64(2*Most + 10) {
		*stream.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 2*i + 1, Value: 7, Peer: tracer.None}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := New("t", m, nil).Select("time > 1ns"); err == nil || !strings.Contains(err.Error(), "it selects 20,010 separate ranges") {
		t.Errorf("%v", err)
	}
}
