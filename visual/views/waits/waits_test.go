package waits

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "served.txt", Kind(), viewtest.Served(12, 2), 900, 420, map[string]string{"opened": "3,4", "chain": "9 40000 90000"})
	kindtest.Golden(t, "tasks-dark.txt", Kind(), viewtest.Served(12, 2), 500, 300, map[string]string{"list": "task", "sort": "name", "background": "dark"})
}

func TestTexts(t *testing.T) {
	kindtest.Texts(t, Kind(), nil, viewtest.Small(), viewtest.Served(30, 3), viewtest.Many(200, 4, 1000, 1, 1))
	kindtest.Texts(t, Kind(), map[string]string{"list": "task", "opened": "4,5", "chain": "9 40000 90000", "find": "accept"}, viewtest.Served(30, 3))
}

func TestAnyFrame(t *testing.T) {
	for _, src := range []tracer.Source{viewtest.Small(), viewtest.Served(20, 3)} {
		for _, params := range [][]string{nil, {"opened", "1,2,3,4"}, {"list", "task", "opened", "1,4,77", "chain", "9 40000 90000", "find", "l"}} {
			g, _ := shown(t, src, 500, 300, params...)
			kindtest.AnyFrame(t, Kind(), g)
		}
	}
}

// TestSums: the rows add up to all of waits.Waits, and the causes of a row to its blocked time, by function and by task.
func TestSums(t *testing.T) {
	src := viewtest.Served(200, 4)
	var totals []waits.Times
	for _, by := range []string{byFunction, byTask} {
		open := "1,2,3,4"
		if by == byTask {
			open = ""
			for task := range uint64(203) {
				open += "," + string(appendNumber(nil, task+1))
			}
		}
		g, _ := shown(t, src, 500, 300, "list", by, "opened", open)
		var sum waits.Times
		blocked, causes := int64(0), int64(0)
		for i := range g.rows {
			e := g.entry(g.rows[i].entry)
			if k := g.rows[i].cause; k >= 0 {
				causes += g.causesOf(&e)[k].Time
				continue
			}
			if e.times[waits.Blocked] > 0 && !g.rows[i].open {
				t.Errorf("%s is closed", g.name(&e))
			}
			blocked += e.times[waits.Blocked]
			sum.Add(e.times)
		}
		if totals = append(totals, sum); sum != g.waits.All.Times || blocked != causes || blocked == 0 || g.waits.Lost != 0 {
			t.Errorf("%s: rows %v, all %v, blocked %d, causes %d", by, sum, g.waits.All.Times, blocked, causes)
		}
	}
	if totals[0] != totals[1] {
		t.Errorf("%v", totals)
	}
}

func appendNumber(b []byte, n uint64) []byte {
	if n >= 10 {
		b = appendNumber(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

// TestOrder sorts by each column.
func TestOrder(t *testing.T) {
	for _, by := range sorts {
		for _, reverse := range []string{"false", "true"} {
			g, _ := shown(t, viewtest.Served(60, 3), 500, 300, "list", byTask, "sort", by, "reverse", reverse)
			ok := slices.IsSortedFunc(g.rows, func(a, b row) int {
				x, y := g.entry(a.entry), g.entry(b.entry)
				c := int(g.key(&y) - g.key(&x))
				if by == sortName {
					c = strings.Compare(g.run.Name(x.code), g.run.Name(y.code))
				}
				if reverse == "true" {
					c = -c
				}
				return c
			})
			if !ok || len(g.rows) != 63 {
				t.Errorf("by %s, reverse %s: %d rows are not sorted", by, reverse, len(g.rows))
			}
		}
	}
}

// click clicks on row i and returns the actions.
func click(g *Geometry, f *view.Frame, i int, dx float64) []view.Action {
	s := layout(f, g)
	r := s.Row(i)
	return g.Input(f, view.Input{Kind: view.Click, X: s.x0 + dx, Y: (r.Y0 + r.Y1) / 2})
}

// TestChain: a click on a row selects its function and shows the chain of its longest wait, which ends where the wait ends.
func TestChain(t *testing.T) {
	src := viewtest.Served(60, 4)
	g, f := shown(t, src, 900, 500)
	acts := click(g, f, 0, 40)
	if len(acts) != 2 || acts[0].Do != view.Select || !slices.Equal(acts[0].Selection.Codes, []uint32{viewtest.ServedHandle}) || acts[1].Name != "chain" {
		t.Fatalf("%+v", acts)
	}
	g, f = shown(t, src, 900, 500, "chain", acts[1].Value)
	c := g.chain
	at := c.span.To
	for _, s := range c.segments {
		if s.to != at || s.from >= s.to {
			t.Errorf("a segment from %d to %d, until %d expected", s.from, s.to, at)
		}
		at = s.from
	}
	if at != c.span.From || len(c.segments) < 3 || c.segments[0].task == c.span.Task || g.codeOf(c.segments[0].task) != viewtest.ServedHandle {
		t.Errorf("%d segments until %d of %+v", len(c.segments), at, c.span)
	}
	narrow, nf := shown(t, src, 260, 500, "chain", acts[1].Value)
	out := scene.New(260, 500)
	narrow.Base(nf, out)
	if number := " " + string(appendNumber(nil, c.segments[0].task)); !slices.ContainsFunc(viewtest.Strings(out), func(s string) bool {
		return strings.Contains(s, "…") && strings.HasSuffix(s, number)
	}) {
		t.Errorf("no name ends with the task%s: %q", number, viewtest.Strings(out))
	}
	s := layout(f, g)
	box := s.segment(1)
	sel, ok := g.Hit(f, s.x0+20, box.Y0+3)
	if !ok || len(sel.Tasks) != 1 || sel.Tasks[0].First != c.segments[1].task {
		t.Errorf("a line of the chain selects %+v", sel)
	}
	if again := click(g, f, 0, 40); len(again) != 1 {
		t.Errorf("the chain is shown again: %+v", again)
	}
	if closed := g.Input(f, view.Input{Kind: view.Click, X: s.x1 - 3, Y: s.chain.Y0 + 3}); len(closed) != 1 || closed[0].Name != "chain" || closed[0].Value != "" {
		t.Errorf("the cross: %+v", closed)
	}
	if _, err := parseChain("1 2"); err == nil {
		t.Error("a chain of two numbers is accepted")
	}
}

// TestWindow counts the part of the waits in a time window.
func TestWindow(t *testing.T) {
	src := viewtest.Served(60, 4)
	o := kindtest.Open(t, Kind(), src)
	whole, err := o.Geometry(t.Context(), 0, 300)
	if err != nil {
		t.Fatal(err)
	}
	all := whole.Value.(*Geometry).waits.All
	from, to := src.Span()
	middle := (from + to) / 2
	var sum waits.Times
	for _, w := range []view.Span{{First: from, Last: middle - 1}, {First: middle, Last: to}} {
		if !o.SetCounted(&w) {
			t.Fatal("the view does not count in a window")
		}
		r, err := o.Geometry(t.Context(), 0, 300)
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(&r.Value.(*Geometry).waits.All.Times)
	}
	if sum != all.Times {
		t.Errorf("%v, whole %v", sum, all.Times)
	}
}

// TestSelection: tasks light their functions, a function its tasks and the causes that it ends.
func TestSelection(t *testing.T) {
	src := viewtest.Served(40, 4)
	g, f := shown(t, src, 900, 900, "opened", "3")
	if places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: 7}}}); len(places) != 1 {
		t.Errorf("a task lights %d rows", len(places))
	}
	if places := g.Locate(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.ServedHandle}}); len(places) != 2 {
		t.Errorf("a function lights %d rows", len(places))
	}
	if places := g.Locate(f, view.Subtree("t", 2)); len(places) != 2 { // accept, and the handlers that it makes
		t.Errorf("a subtree lights %d rows", len(places))
	}
	if places := g.Locate(f, view.Selection{Trace: "u", Codes: []uint32{viewtest.ServedHandle}}); places != nil {
		t.Errorf("a function of another trace lights %d rows", len(places))
	}
	g, f = shown(t, src, 900, 200, "list", byTask)
	kindtest.Rows(t, g, f, 43, func() (first, end int) { s := layout(f, g); return s.Shown() }, g.selection("t", 0))
}

// TestKeys opens and closes rows and goes from match to match.
func TestKeys(t *testing.T) {
	src := viewtest.Served(40, 4)
	g, f := shown(t, src, 900, 500, "find", "network", "opened", "2")
	press := func(key string) view.Action { return g.Input(f, view.Input{Kind: view.Press, Key: key})[0] }
	if g.found != 1 {
		t.Errorf("%d rows match", g.found)
	}
	if a := press("n"); a.Do != view.Select || !slices.Equal(a.Selection.Codes, []uint32{viewtest.ServedAccept}) {
		t.Errorf("%+v", a)
	}
	if a := press("x"); a.Name != "opened" || a.Value != "2,3,1,4" && strings.Count(a.Value, ",") != 3 {
		t.Errorf("%+v", a)
	}
	if a := press("g"); a.Name != "list" || a.Value != "task" {
		t.Errorf("%+v", a)
	}
	if a := click(g, f, 0, 2)[0]; a.Name != "opened" || a.Value != "2,3" {
		t.Errorf("a click on the sign of the first row: %+v", a)
	}
	g, _ = shown(t, src, 900, 500, "find", "net(work")
	if g.Wrong() == nil {
		t.Error("no error for an invalid expression")
	}
}

// TestTables compares the cells of the table and of its CSV form with the rows, of functions and of tasks, with causes.
func TestTables(t *testing.T) {
	src := viewtest.Served(40, 4)
	for by, opened := range map[string]string{byFunction: "2", byTask: "5"} {
		g, _ := shown(t, src, 900, 500, "list", by, "opened", opened)
		_, headings, rows := g.Table()
		records := must.Get(csv.NewReader(strings.NewReader(g.CSV())).ReadAll())(t) // an error if a record has another number of fields
		if len(rows) != len(g.rows) || len(records) != len(g.rows)+1 || len(g.rows) == len(g.order) {
			t.Fatalf("%d rows in the table, %d in the CSV form, want %d; %d are entries", len(rows), len(records)-1, len(g.rows), len(g.order))
		}
		blocked, column := slices.Index(headings, "blocked"), slices.Index(records[0], "blocked_ns")
		for i, r := range g.rows {
			e := g.entry(r.entry)
			cause, ns := "", e.times[waits.Blocked]
			if r.cause >= 0 {
				b := &g.causesOf(&e)[r.cause]
				cause, ns = g.cause(b), b.Time
			}
			row, record := rows[i], records[i+1]
			if len(row) != len(headings) || row[1] != cause || row[blocked] != figures.Duration(ns) {
				t.Errorf("%v: want the cause %q and %s blocked", row, cause, figures.Duration(ns))
			}
			if record[0] != g.run.Name(e.code) || record[2] != cause || record[column] != fmt.Sprint(ns) {
				t.Errorf("%v: want the cause %q and %d ns blocked", record, cause, ns)
			}
		}
	}
}
