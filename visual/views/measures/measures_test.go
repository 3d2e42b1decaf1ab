package measures

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shown(t testing.TB, src tracer.Source, w, h float64) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h)
}

// text formats the first n rows of a table.
func (t *table) text(n int) string {
	var b strings.Builder
	line := func(name string, cell func(column) string) {
		b.WriteString(name)
		for _, c := range t.columns {
			b.WriteString("|" + cell(c))
		}
		b.WriteByte('\n')
	}
	line(t.title, func(c column) string { return c.title })
	from := 0
	if t.sums {
		from = -1
	}
	for i := from; i < min(t.n, n); i++ {
		line(t.name(i), func(c column) string { return c.cell(i) })
	}
	return b.String()
}

const smallTables = `Run|
elapsed|100 ns
work|105 ns
span|80 ns
parallelism|1.31
PEs at work|1.05
parallel efficiency|35.0 %
load balance|53.8 %
serialisation|72.2 %
transfer|90.0 %
idle|61.7 %
overhead|3.3 %
PEs|3
PEs that worked|2
tasks|4
reductions|4
suspensions|1
resumptions|1
moves|1
bytes moved|64
messages|1
bytes sent|64
events|19
Procedure|reductions|suspensions|time, ns|share
all|4|1|105|100.0 %
work/1|3|1|85|81.0 %
main/0|1|0|20|19.0 %
PEs waited for|waits|time, ns|share
all|1|35|100.0 %
binding by work/1|1|35|100.0 %
Blocked|waits|time, ns|share
all|1|35|100.0 %
work/1 by work/1|1|35|100.0 %
PE|reductions|suspensions|sent|received|busy, ns|overhead, ns|idle, ns|busy
all|4|1|1|1|105|10|185|35.0 %
0|3|1|1|0|65|0|35|65.0 %
1|1|0|0|1|40|10|50|40.0 %
2|0|0|0|0|0|0|100|0.0 %
Task|work, ns|waiting, ns|messages|share
all|105|35|1|100.0 %
3 work/1|40|0|1|38.1 %
4 work/1|25|35|0|23.8 %
1 main/0|20|0|0|19.0 %
2 work/1|20|0|0|19.0 %
`

func TestTables(t *testing.T) {
	g, _ := shown(t, viewtest.Small(), 600, 400)
	var b strings.Builder
	for i := range g.tables {
		b.WriteString(g.tables[i].text(99))
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(smallTables, "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d: %q, want %q", i+1, lineOf(got, i), lineOf(want, i))
		}
	}
}

// TestUnknownCode checks the row of work without steps.
func TestUnknownCode(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1})
	m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "p/0"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Busy, Peer: -1}, {Kind: tracer.Reduce, Peer: -1, Task: 1, Code: 1, Value: 30}, {Kind: tracer.Idle, Peer: -1, Time: 40}, {Kind: tracer.Exit, Time: 50},
	} {
		*s.Slot() = e
	}
	_ = m.Close()
	g, f := shown(t, m, 600, 700)
	want := "Procedure|reductions|time, ns|share\nall|1|40|100.0 %\np/0|1|30|75.0 %\nunknown|0|10|25.0 %\n"
	if got := g.tables[1].text(9); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := layout(f, g).names(g.Locate(f, view.Subtree("t", 1))); !slices.Equal(got, []string{"1 p/0", "PE 0", "p/0"}) {
		t.Errorf("lit: %q", got)
	}
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "the end"
}

// TestRowsAddUp checks for random traces that the rows of each table add up to its first row, and the PEs' states to the whole time.
func TestRowsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: 4})
		for _, name := range []string{"p/0", "q/0", "r/0"} {
			m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: name})
		}
		s := m.Stream(tracer.StreamInfo{})
		var free [4]int64
		now := int64(0)
		for range rapid.IntRange(1, 50).Draw(t, "events") {
			e := tracer.Event{
				Kind: rapid.SampledFrom([]tracer.Kind{tracer.Reduce, tracer.Suspend, tracer.Fail}).Draw(t, "kind"), Peer: -1,
				PE: rapid.Int32Range(0, 3).Draw(t, "pe"), Task: rapid.Uint64Range(1, 9).Draw(t, "task"), Code: rapid.Uint32Range(0, 4).Draw(t, "code"),
				Value: rapid.Int64Range(0, 3_000_000).Draw(t, "cost"),
			}
			e.Time = max(now, free[e.PE])
			now, free[e.PE] = e.Time, e.Time+e.Value
			*s.Slot() = e
		}
		_ = m.Close()
		o, err := view.Open(Kind(), m, kindtest.Glyphs)
		if err != nil {
			t.Skip("no reduction")
		}
		defer o.Close()
		r, err := o.Geometry(context.Background(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		g := r.Value.(*Geometry)
		var sum account.Code
		for _, x := range g.procedures.rows {
			sum.Add(&x.Code)
		}
		if len(g.procedures.rows) > 0 && (sum != g.procedures.all || sum.Reductions != g.totals.Reductions || sum.Suspensions != g.totals.Suspensions ||
			sum.Failures != g.totals.Failures || sum.Work != g.times.Total()[account.Work]) {
			t.Fatalf("procedures add up to %+v, the first row says %+v, the totals %+v", sum, g.procedures.all, g.totals)
		}
		whole := g.act.To - g.act.From
		for pe := range 4 {
			if s := g.act.Total(pe); s.Busy+s.Over+s.Idle != whole {
				t.Fatalf("PE %d: %+v of %d ns", pe, s, whole)
			}
		}
	})
}

// names returns the names of the rows of rectangles.
func (s *sheet) names(places []scene.Rect) (names []string) {
	for _, r := range places {
		p, i, ok := s.rowAt((r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
		switch {
		case !ok || s.rect(p, i) != r:
			names = append(names, fmt.Sprint("no row at ", r))
		case p.states:
			names = append(names, "PE "+p.table.name(i))
		default:
			names = append(names, p.table.name(i))
		}
	}
	slices.Sort(names)
	return names
}

func TestLocate(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 900, 900)
	s := layout(f, g)
	for _, c := range []struct {
		name string
		s    view.Selection
		want []string
	}{
		{"nothing", view.Selection{}, nil},
		{"PE 1", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, []string{"PE 1", "work/1"}},
		{"PE 2, which never works", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, []string{"PE 2"}},
		{"main", view.Selection{Codes: []uint32{viewtest.Main}}, []string{"PE 0", "main/0"}},
		{"a clause of work that ran on PE 1 alone", view.Selection{Codes: []uint32{viewtest.WorkB}}, []string{"PE 1", "work/1"}},
		{"a code that nothing ran", view.Selection{Codes: []uint32{viewtest.NoWork}}, nil},
		{"task 1", view.Selection{Tasks: []view.Tasks{{First: 1}}}, []string{"1 main/0", "PE 0", "main/0"}},
		{"the subtree of 3", view.Subtree("", 3), []string{"3 work/1", "4 work/1", "PE 0", "PE 1", "work/1"}},
		{"everything", view.Subtree("", 1), []string{"1 main/0", "2 work/1", "3 work/1", "4 work/1", "PE 0", "PE 1", "main/0", "work/1"}},
		{"the first ns", view.Selection{Time: &view.Span{First: 0, Last: 19}}, []string{"PE 0", "main/0"}},
		{"a time in which nothing begins", view.Selection{Time: &view.Span{First: 50, Last: 70}}, nil},
		{"a subtree on a PE", view.Selection{Tasks: []view.Tasks{{First: 1, Subtree: true}}, PEs: []view.Span{{First: 1, Last: 2}}}, []string{"1 main/0", "2 work/1", "3 work/1", "4 work/1", "PE 1", "work/1"}},
		{"no such task", view.Subtree("", 77), nil},
	} {
		c.s.Trace = "t"
		if got := s.names(g.Locate(f, c.s)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		c.s.Trace = "another"
		if got := g.Locate(f, c.s); len(got) != 0 {
			t.Errorf("%s in another trace: %v", c.name, got)
		}
	}
}

// TestClick hits each row and locates its selection in the same row.
func TestClick(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 900, 900)
	s := layout(f, g)
	got := map[string]view.Selection{}
	for k := range s.parts {
		p := &s.parts[k]
		first, end, more := s.rows(p)
		if more > 0 {
			t.Fatalf("%s: %d rows have no room", p.title, more)
		}
		for i := first; i < end; i++ {
			r := s.rect(p, i)
			as := g.Input(f, view.Input{Kind: view.Click, X: r.X0 + 3, Y: (r.Y0 + r.Y1) / 2})
			if len(as) == 1 && as[0].Do == view.Select && as[0].Selection != nil {
				got[p.title+" "+p.table.name(i)] = *as[0].Selection
			}
		}
	}
	want := map[string]view.Selection{
		"Procedure main/0": {Trace: "t", Codes: []uint32{viewtest.Main}}, "Procedure work/1": {Trace: "t", Codes: []uint32{viewtest.Work}},
		"PEs waited for binding by work/1": {Trace: "t", Codes: []uint32{viewtest.Work}}, "Blocked work/1 by work/1": {Trace: "t", Codes: []uint32{viewtest.Work}},
	}
	for pe := range int64(3) {
		want["PE "+figures.Count(pe)] = view.Selection{Trace: "t", PEs: []view.Span{{First: pe, Last: pe}}}
	}
	for task, name := range []string{"main/0", "work/1", "work/1", "work/1"} {
		id := uint64(task) + 1
		want[fmt.Sprint("Task ", id, " ", name)] = view.Selection{Trace: "t", Tasks: []view.Tasks{{First: id}}}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows select something, want %d", len(got), len(want))
	}
	for name, w := range want {
		if !got[name].Equal(w) {
			t.Errorf("%s selects %+v, want %+v", name, got[name], w)
		}
	}
	r := s.rect(&s.parts[1], 0)
	tip, ok := g.Tip(f, r.X0+3, r.Y0+3)
	if lines := strings.Join(tip.Lines, "|"); !ok || lines != "work/1|procedure at small.fghc:2|81 % of the work" {
		t.Errorf("tip %q", lines)
	}
}

// TestSampledLines checks the tables of a program whose work samples name, and of tasks beyond the first hundred.
func TestSampledLines(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1, Substrate: "hpf"})
	main := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "main", File: "a.hpf", Line: 1})
	line := m.Dict().Add(tracer.Code{Type: tracer.Line, File: "a.hpf", Line: 3, Parent: main})
	context := m.Dict().AddContext(tracer.Context{Code: m.Dict().Add(tracer.Code{Type: tracer.Instruction, Name: "add", Parent: line})})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Busy, Peer: -1}, {Kind: tracer.Sample, Time: 30, Ref: uint64(context), Value: 1}, {Kind: tracer.Exit, Time: 40},
	} {
		*s.Slot() = e
	}
	_ = m.Close()
	g, f := shown(t, m, 900, 700)
	got := g.tables[1].text(9) + g.tables[2].text(9)
	if want := "Procedure|time, ns|share\nall|40|100.0 %\nmain|30|75.0 %\nunknown|10|25.0 %\nLine|time, ns|share\nall|40|100.0 %\na.hpf:3|30|75.0 %\nunknown|10|25.0 %\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	sheet := layout(f, g)
	sel := view.Selection{Trace: "t", Lines: []view.Lines{{File: "a.hpf", First: 3}}}
	if got := sheet.names(g.Locate(f, sel)); !slices.Equal(got, []string{"a.hpf:3", "main"}) {
		t.Errorf("lit: %q", got)
	}
	r := sheet.rect(&sheet.parts[2], 0)
	if hit, ok := g.Hit(f, r.X0+3, r.Y0+3); !ok || !hit.Equal(sel) {
		t.Errorf("a click selects %+v", hit)
	}
	if tip, _ := g.Tip(f, r.X0+3, r.Y0+3); strings.Join(tip.Lines, "|") != "main|a.hpf:3|75 % of the work" {
		t.Errorf("tip %q", tip.Lines)
	}
}

// TestManyTasks checks the row of the tasks that are not listed.
func TestManyTasks(t *testing.T) {
	g, f := shown(t, viewtest.Many(1000, 4, 100, 1, 1), 900, 4000)
	p := &g.tables[len(g.tables)-1]
	if p.title != "Task" || p.n != account.MostTasks+1 || !strings.HasSuffix(p.name(p.n-1), " others") {
		t.Fatalf("%s: %d rows, the last is %s", p.title, p.n, p.name(p.n-1))
	}
	sheet := layout(f, g)
	part := &sheet.parts[len(sheet.parts)-1]
	r := sheet.rect(part, p.n-1)
	if sel, ok := g.Hit(f, r.X0+3, r.Y0+3); ok {
		t.Errorf("a click on the others selects %+v", sel)
	}
	r = sheet.rect(part, 0)
	if tip, ok := g.Tip(f, r.X0+3, r.Y0+3); !ok || !strings.Contains(strings.Join(tip.Lines, "|"), "of the work") {
		t.Errorf("tip %q", tip.Lines)
	}
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "small.scene", Kind(), viewtest.Small(), 1000, 800, nil)
}

func TestTexts(t *testing.T) {
	kindtest.Texts(t, Kind(), nil, viewtest.Small(), viewtest.Many(6400, 64, 1000, 1, 1), viewtest.Many(8192, 4096, 1e6, 1, 1))
}

func BenchmarkLocate(b *testing.B) {
	g, f := shown(b, viewtest.Many(10_000_000, 64, 1000, 1, 1), 1900, 1000)
	for _, c := range []struct {
		name string
		s    view.Selection
	}{
		{"task", view.Selection{Trace: "t", Tasks: []view.Tasks{{First: 5_000_000}}}}, {"subtree", view.Subtree("t", 77)}, {"pe", view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 3}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				g.Locate(f, c.s)
			}
		})
	}
}
