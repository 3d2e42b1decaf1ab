package lineprofile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/tracer"
)

// sampled returns samples of a program with two procedures on three processors. MAIN calls HEAT in line 4. HEAT's loop is in lines 11 and 12; line
// 11 has two instructions. Line 12 calls a library without lines.
type sampled struct {
	*tracer.Memory
	main, heat, lib                  uint32 // codes
	call, inner, outer, body, strlen uint32 // contexts
	ticks, bytes                     uint32
}

func newSampled() *sampled {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 3, Substrate: "hpf", Source: []tracer.SourceFile{{Name: "heat.f90", Text: strings.Repeat("x\n", 20)}}})
	d := m.Dict()
	s := &sampled{Memory: m}
	s.main = d.Add(tracer.Code{Type: tracer.Function, Name: "main", File: "heat.f90", Line: 1})
	s.heat = d.Add(tracer.Code{Type: tracer.Function, Name: "heat", File: "heat.f90", Line: 9, Children: 6})
	s.lib = d.Add(tracer.Code{Type: tracer.Function, Name: "strlen", Line: 70})
	line := func(n int32, f uint32) uint32 {
		return d.Add(tracer.Code{Type: tracer.Line, File: "heat.f90", Line: n, Parent: f})
	}
	ins := func(n int32, name string, l uint32) uint32 {
		return d.Add(tracer.Code{Type: tracer.Instruction, Name: name, Line: n, Parent: l})
	}
	at := func(parent, code uint32) uint32 { return d.AddContext(tracer.Context{Parent: parent, Code: code}) }
	l4, l11, l12 := line(4, s.main), line(11, s.heat), line(12, s.heat)
	s.call = at(0, ins(2, "call heat", l4))
	s.outer = at(s.call, ins(0, "load", l11))
	s.inner = at(s.call, ins(1, "add", l11))
	s.body = at(s.call, ins(2, "store", l12))
	s.strlen = at(s.body, s.lib)
	s.ticks = d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	s.bytes = d.Add(tracer.Code{Type: tracer.Metric, Name: "bytes", Unit: "bytes", Scale: 1})
	return s
}

func (s *sampled) write(events ...tracer.Event) *sampled {
	st := s.Stream(tracer.StreamInfo{})
	for _, e := range events {
		*st.Slot() = e
	}
	if err := s.Close(); err != nil {
		panic(err)
	}
	return s
}

func (s *sampled) sample(at int64, pe int32, context uint32) tracer.Event {
	return tracer.Event{Kind: tracer.Sample, Time: at, PE: pe, Peer: tracer.None, Ref: uint64(context), Code: s.ticks, Value: 1}
}

func usual() *sampled {
	s := newSampled()
	heavy := s.sample(60, 2, s.strlen)
	heavy.Code, heavy.Value = s.bytes, 6e9
	return s.write(
		s.sample(10, 0, s.outer), s.sample(10, 1, s.outer), s.sample(10, 2, s.inner),
		s.sample(20, 0, s.inner), s.sample(20, 1, s.inner), s.sample(20, 2, s.body),
		s.sample(30, 0, s.call), s.sample(30, 1, s.body), s.sample(30, 2, s.strlen), heavy,
	)
}

func grow(t *testing.T, src tracer.Source) *Profile {
	t.Helper()
	return must.Get(Grow(src, nil, nil))(t)
}

// written formats a table as text, a line for each row.
func written(p *Profile, t *Table) string {
	var b strings.Builder
	counts := make([]int64, t.PEs)
	for i, r := range t.Rows {
		switch t.Grain {
		case ByLine:
			fmt.Fprintf(&b, "%s:%d", p.Files[r.Line.File].Name, r.Line.Line)
		case ByFunction:
			b.WriteString(p.Functions[r.Function].Name)
		default:
			fmt.Fprintf(&b, "%d %s", r.Line.Line, p.codes[r.Code].Name)
		}
		t.Fill(i, counts)
		fmt.Fprintf(&b, " %v = %d, %d on %d to %d on %d, %.2f, %.2f\n", counts, r.Total, r.Min, r.MinPE, r.Max, r.MaxPE, r.Mean, r.Variance)
	}
	fmt.Fprintf(&b, "most %d, total %d, rest %d", t.Most, t.Total, t.Rest)
	return b.String()
}

func TestTables(t *testing.T) {
	p := grow(t, usual())
	if p.PEs != 3 || p.From != 10 || p.To != 60 || !p.Stacks || p.Dropped != 0 {
		t.Errorf("%+v", p)
	}
	for _, c := range []struct {
		name  string
		grain Grain
		query Query
		want  string
	}{
		{"lines", ByLine, Query{}, `
heat.f90:4 [1 0 0] = 1, 0 on 1 to 1 on 0, 0.33, 0.22
heat.f90:11 [2 2 1] = 5, 1 on 2 to 2 on 0, 1.67, 0.22
heat.f90:12 [0 1 1] = 2, 0 on 0 to 1 on 1, 0.67, 0.22
functions without lines:1 [0 0 1] = 1, 0 on 0 to 1 on 2, 0.33, 0.22
most 2, total 9, rest 0`},
		{"lines with what they call", ByLine, Query{Inclusive: true}, `
heat.f90:4 [3 3 3] = 9, 3 on 0 to 3 on 0, 3.00, 0.00
heat.f90:11 [2 2 1] = 5, 1 on 2 to 2 on 0, 1.67, 0.22
heat.f90:12 [0 1 2] = 3, 0 on 0 to 2 on 2, 1.00, 0.67
functions without lines:1 [0 0 1] = 1, 0 on 0 to 1 on 2, 0.33, 0.22
most 3, total 9, rest 0`},
		{"functions", ByFunction, Query{}, `
main [1 0 0] = 1, 0 on 1 to 1 on 0, 0.33, 0.22
heat [2 3 2] = 7, 2 on 0 to 3 on 1, 2.33, 0.22
strlen [0 0 1] = 1, 0 on 0 to 1 on 2, 0.33, 0.22
most 3, total 9, rest 0`},
		{"instructions", ByInstruction, Query{}, `
4 call heat [1 0 0] = 1, 0 on 1 to 1 on 0, 0.33, 0.22
11 load [1 1 0] = 2, 0 on 2 to 1 on 0, 0.67, 0.22
11 add [1 1 1] = 3, 1 on 0 to 1 on 0, 1.00, 0.00
12 store [0 1 1] = 2, 0 on 0 to 1 on 1, 0.67, 0.22
most 1, total 9, rest 1`},
		{"a time", ByLine, Query{Time: &Span{15, 20}}, `
heat.f90:11 [1 1 0] = 2, 0 on 2 to 1 on 0, 0.67, 0.22
heat.f90:12 [0 0 1] = 1, 0 on 0 to 1 on 2, 0.33, 0.22
most 1, total 3, rest 0`},
		{"another metric", ByFunction, Query{Metric: metric(t, p, "bytes")}, `
strlen [0 0 6000000000] = 6000000000, 0 on 0 to 6000000000 on 2, 2000000000.00, 8000000000000000000.00
most 6000000000, total 6000000000, rest 0`},
		{"another metric of a time", ByFunction, Query{Metric: metric(t, p, "bytes"), Time: &Span{60, 60}}, `
strlen [0 0 6000000000] = 6000000000, 0 on 0 to 6000000000 on 2, 2000000000.00, 8000000000000000000.00
most 6000000000, total 6000000000, rest 0`},
		{"no metric", ByLine, Query{Metric: 7}, `
most 0, total 0, rest 0`},
	} {
		if d := cmp.Diff(strings.TrimPrefix(c.want, "\n"), written(p, p.Sum(c.grain, c.query))); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

func TestPlaces(t *testing.T) {
	p := grow(t, usual())
	var got []string
	for _, f := range p.Functions {
		got = append(got, fmt.Sprint(f.Name, " ", f.File, " ", f.First, "-", f.Last))
	}
	if d := cmp.Diff([]string{"main 0 1-8", "heat 0 9-14", "strlen 1 1-1"}, got); d != "" {
		t.Error(d)
	}
	for _, c := range []struct{ line, want int32 }{{1, 0}, {8, 0}, {9, 1}, {14, 1}, {15, -1}, {20, -1}} {
		if f := p.FunctionAt(Line{0, c.line}); f != c.want {
			t.Errorf("line %d is of function %d, want %d", c.line, f, c.want)
		}
	}
	var names []string
	for _, c := range p.Instructions(0, 11, 12) {
		names = append(names, p.codes[c].Name)
	}
	if d := cmp.Diff([]string{"load", "add", "store"}, names); d != "" {
		t.Error(d)
	}
	table := p.Sum(ByLine, Query{})
	for _, c := range []struct{ first, last, from, end int32 }{{1, 20, 0, 3}, {5, 11, 1, 2}, {5, 10, 1, 1}, {13, 99, 3, 3}} {
		if from, end := table.Lines(0, c.first, c.last); from != int(c.from) || end != int(c.end) {
			t.Errorf("lines %d to %d are rows %d to %d", c.first, c.last, from, end)
		}
	}
}

// TestBare checks that functions without known lines have a line each, those with most ticks first, that a function with a known first line has
// that line, and that instructions have the line of their function.
func TestBare(t *testing.T) {
	m := tracer.NewMemory()
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	function := func(c tracer.Code) uint32 {
		c.Type = tracer.Function
		return d.Add(c)
	}
	start := function(tracer.Code{Name: "start"})
	memcpy := function(tracer.Code{Name: "memcpy", File: "string.c"})
	known := function(tracer.Code{Name: "known", File: "k.c", Line: 30})
	lined := function(tracer.Code{Name: "lined", File: "k.c"}) // its first line is unknown, but another line is known
	st := m.Stream(tracer.StreamInfo{})
	for i, code := range []uint32{
		start, memcpy, d.Add(tracer.Code{Type: tracer.Instruction, Name: "rep movs", Parent: memcpy}), known,
		d.Add(tracer.Code{Type: tracer.Instruction, Name: "ret", Parent: known}), d.Add(tracer.Code{Type: tracer.Line, File: "k.c", Line: 8, Parent: lined}),
	} {
		*st.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(i), Ref: uint64(d.AddContext(tracer.Context{Code: code})), Code: ticks, Value: 1}
	}
	must.Do(t, m.Close())
	p := grow(t, m)
	want := `string.c:0 bare false
k.c:30 bare false
functions without lines:2 bare true
k.c:8 [1] = 1, 1 on 0 to 1 on 0, 1.00, 0.00
k.c:30 [2] = 2, 2 on 0 to 2 on 0, 2.00, 0.00
functions without lines:1 [2] = 2, 2 on 0 to 2 on 0, 2.00, 0.00
functions without lines:2 [1] = 1, 1 on 0 to 1 on 0, 1.00, 0.00
most 2, total 6, rest 0`
	got := ""
	for _, f := range p.Files {
		got += fmt.Sprintf("%s:%d bare %v\n", f.Name, f.Lines, f.Bare)
	}
	got += written(p, p.Sum(ByLine, Query{}))
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		line Line
		want uint32
	}{{Line{1, 8}, lined}, {Line{1, 30}, known}, {Line{2, 1}, memcpy}, {Line{2, 2}, start}} {
		if f := p.FunctionAt(c.line); f < 0 || p.Functions[f].Code != c.want {
			t.Errorf("%v is of function %d", c.line, f)
		}
	}
	if n := len(p.Instructions(2, 1, 1)); n != 1 {
		t.Errorf("memcpy has %d instructions", n)
	}
}

// metric returns the index of a metric that the profile has.
func metric(t *testing.T, p *Profile, name string) int {
	t.Helper()
	k, err := p.Metric(name)
	must.Do(t, err)
	return k
}

func TestUnknownMetric(t *testing.T) {
	p := &Profile{Metrics: []Metric{{Name: "ticks"}, {Name: "bytes"}}}
	if _, err := p.Metric("foo"); err == nil || err.Error() != `unknown metric "foo"; known are ticks, bytes` {
		t.Errorf("error %v", err)
	}
}
