package timeline

import (
	"math"
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
	"whorl/visual/view/timeplot"
)

// TestTasks shows a row for each task: those of a function together, in the order of their births.
func TestTasks(t *testing.T) {
	src := viewtest.Served(40, 4)
	kindtest.Golden(t, "served-tasks.txt", Kind(), viewtest.Served(12, 2), 700, 300, map[string]string{"rows": "task", "path": "true"})
	for _, color := range timeplot.ColorBy.Choices {
		g, _ := kindtest.Shown[*Geometry](t, Kind(), src, 900, 300, "rows", "task", "path", "true", "messages", "true", "color", color)
		kindtest.AnyFrame(t, Kind(), g)
	}
	g, f := kindtest.Shown[*Geometry](t, Kind(), src, 900, 900, "rows", "task")
	if g.Act.PEs != 43 || len(g.Rows.Groups) != 4 || g.Rows.Groups[0].Code != viewtest.ServedHandle || g.Rows.Left != 0 {
		t.Fatalf("%d rows, groups %+v", g.Act.PEs, g.Rows.Groups)
	}
	if handlers := g.Rows.Tasks[:g.Rows.Groups[1].First]; len(handlers) != 40 || !slices.IsSorted(handlers) {
		t.Errorf("the rows of the first function: %v", handlers)
	}
	// The name of a row selects its task, and the task lights its steps in that row alone.
	r := layout(f, g)
	for _, row := range []int{0, 17, 42} {
		y0, y1 := r.bar(row)
		s, ok := g.Hit(f, f.Area.X0+3, (y0+y1)/2)
		if !ok || len(s.Tasks) != 1 || s.Tasks[0].First != g.Rows.Tasks[row] || len(s.PEs) != 0 {
			t.Errorf("row %d selects %+v", row, s)
		}
		places := g.Locate(f, s)
		for _, p := range places {
			if p.Y0 != y0 || p.Y1 != y1 {
				t.Errorf("task %d lights %v, its row is from %v to %v", s.Tasks[0].First, p, y0, y1)
			}
		}
		if len(places) == 0 {
			t.Errorf("task %d lights nothing", s.Tasks[0].First)
		}
		if tip, _ := g.Tip(f, f.Area.X0+3, (y0+y1)/2); len(tip.Lines) == 0 || tip.Lines[0] != g.Rows.Name(g.Run, row) {
			t.Errorf("the tip of row %d: %v", row, tip.Lines)
		}
	}
	if places := g.Locate(f, view.Selection{Trace: "t", PEs: []view.Span{{First: 1, Last: 2}}}); places != nil {
		t.Errorf("PEs light %v in rows of tasks", places)
	}
	if a := g.Input(f, view.Input{Kind: view.Press, Key: "g"}); a[0].Name != "rows" || a[0].Value != "group" {
		t.Errorf("g: %+v", a)
	}
	if goals, _ := kindtest.Shown[*Geometry](t, Kind(), viewtest.Small(), 900, 400, "rows", "task"); goals.Rows != nil {
		t.Error("goals have rows")
	}
	kindtest.Texts(t, Kind(), map[string]string{"rows": "task"}, src, viewtest.Served(3, 2), viewtest.Small())
}

// TestAllTasks gives each of many tasks a row. The rows are folded. The tip of a fold names the number of its tasks and their functions. A click selects
// its tasks.
func TestAllTasks(t *testing.T) {
	g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Served(6000, 8), 900, 300, "rows", "all")
	r := layout(f, g)
	first, end := r.visible()
	if r.size < 16 || end-first > 200 {
		t.Errorf("%d rows of %d tasks", end-first, r.size)
	}
	y0, y1 := r.bar(1)
	tip, ok := g.Tip(f, f.Area.X0+3, (y0+y1)/2)
	if !ok || tip.Lines[0] != "64 tasks of main.(*server).handle" {
		t.Errorf("%v", tip.Lines)
	}
	s, _ := g.Hit(f, f.Area.X0+3, (y0+y1)/2)
	if len(g.Locate(f, s)) == 0 || len(s.Tasks) == 0 {
		t.Errorf("a row selects %+v", s)
	}
	if all := g.Rows.Selection("t", 0, 6000); len(all.Codes) == 0 || len(all.Tasks) != 0 {
		t.Errorf("all rows select %+v", all)
	}
}

// TestLongestTasks: of many tasks, the longest have rows of their own, and the others of each function share one, which says how many it has.
func TestLongestTasks(t *testing.T) {
	src := viewtest.Served(6000, 8)
	w := must.Get(waits.Build(src, nil))(t)
	g, f := kindtest.Shown[*Geometry](t, Kind(), src, 900, 900, "rows", "task")
	length := map[uint64]int64{}
	for i := range w.Tasks {
		length[w.Tasks[i].ID] = w.Tasks[i].Sum() - w.Tasks[i].Times[waits.Blocked] - w.Tasks[i].Times[waits.Ready]
	}
	shown, apart, least, most := 0, 0, int64(math.MaxInt64), int64(0)
	rest := -1
	for row := range g.Act.PEs {
		members := g.Rows.Members(row)
		shown += len(members)
		for _, task := range members {
			if len(members) == 1 {
				least = min(least, length[task])
			} else {
				most = max(most, length[task])
			}
		}
		if len(members) == 1 {
			apart++
		} else {
			rest = row
		}
	}
	if shown != len(w.Tasks) || apart < 48 || apart > 52 || rest < 0 {
		t.Fatalf("%d of %d tasks in %d rows, %d of them apart", shown, len(w.Tasks), g.Act.PEs, apart)
	}
	if least < most && apart == 48 {
		t.Errorf("a task of %d ns has a row of its own, one of %d ns has not", least, most)
	}
	r := layout(f, g)
	y0, y1 := r.bar(rest)
	members := g.Rows.Members(rest)
	tip, _ := g.Tip(f, f.Area.X0+3, (y0+y1)/2)
	if want := figures.Count(int64(len(members))) + " main.(*server).handle"; len(tip.Lines) == 0 || tip.Lines[0] != want {
		t.Errorf("the tip of the shared row: %q, expected %q", tip.Lines, want)
	}
	// Any of its tasks lights it, and so does the function.
	for _, s := range []view.Selection{
		{Trace: "t", Tasks: []view.Tasks{{First: members[len(members)/2]}}},
		{Trace: "t", Codes: []uint32{viewtest.ServedHandle}},
	} {
		if !slices.ContainsFunc(g.Locate(f, s), func(p scene.Rect) bool { return p.Y0 == y0 && p.Y1 == y1 }) {
			t.Errorf("%+v lights %v, the row of its task is from %v to %v", s, g.Locate(f, s), y0, y1)
		}
	}
	if s, ok := g.Hit(f, f.Area.X0+3, (y0+y1)/2); !ok || !slices.Equal(s.Codes, []uint32{viewtest.ServedHandle}) {
		t.Errorf("the shared row selects %+v", s)
	}
	y0, y1 = r.bar(0)
	if s, ok := g.Hit(f, f.Area.X0+3, (y0+y1)/2); !ok || len(s.Tasks) != 1 || s.Tasks[0].First != g.Rows.Members(0)[0] {
		t.Errorf("the first row selects %+v", s)
	}
	kindtest.Golden(t, "served-longest.txt", Kind(), viewtest.Served(200, 4), 700, 700, map[string]string{"rows": "task"})
	kindtest.AnyFrame(t, Kind(), g)
}

// TestFunctions shows a row for each function. Its name says how many tasks it has, and a click selects it.
func TestFunctions(t *testing.T) {
	kindtest.Golden(t, "served-groups.txt", Kind(), viewtest.Served(12, 2), 700, 300, map[string]string{"rows": "group", "path": "true"})
	g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Served(40, 4), 900, 300, "rows", "group")
	if g.Act.PEs != 4 {
		t.Fatalf("%d rows", g.Act.PEs)
	}
	y0, y1 := layout(f, g).bar(0)
	s, ok := g.Hit(f, f.Area.X0+3, (y0+y1)/2)
	if !ok || !slices.Equal(s.Codes, []uint32{viewtest.ServedHandle}) {
		t.Errorf("the name of the first row selects %+v", s)
	}
	if tip, _ := g.Tip(f, f.Area.X0+3, (y0+y1)/2); len(tip.Lines) == 0 || tip.Lines[0] != "40 main.(*server).handle" {
		t.Errorf("its tip: %q", tip.Lines)
	}
	if places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: g.Rows.Tasks[7]}}}); len(places) != 1 || places[0].Y0 != y0 || places[0].Y1 != y1 {
		t.Errorf("a task of the function lights %v, its row is from %v to %v", places, y0, y1)
	}
	if a := g.Input(f, view.Input{Kind: view.Press, Key: "g"}); a[0].Name != "rows" || a[0].Value != "pe" {
		t.Errorf("g: %+v", a)
	}
	for _, color := range timeplot.ColorBy.Choices {
		g, _ := kindtest.Shown[*Geometry](t, Kind(), viewtest.Served(40, 4), 900, 300, "rows", "group", "path", "true", "messages", "true", "color", color)
		kindtest.AnyFrame(t, Kind(), g)
	}
	kindtest.Texts(t, Kind(), map[string]string{"rows": "group"}, viewtest.Served(40, 4), viewtest.Served(3, 2), viewtest.Small())
}

// TestExits: the rows of tasks leave out the ends of PEs, and the legend does not call that a fault of the trace.
func TestExits(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1, Clock: tracer.Aligned})
	m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "main"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Fork, Task: 1, Code: 1},
		{Kind: tracer.Start, Task: 1, Code: 1},
		{Kind: tracer.End, Time: 9, Task: 1, Code: 1},
		{Kind: tracer.Exit, Time: 9, Peer: tracer.None},
	} {
		*s.Slot() = e
	}
	must.Do(t, m.Close())
	g, f := kindtest.Shown[*Geometry](t, Kind(), m, 700, 300, "rows", "task")
	notes := layout(f, g).notes()
	if g.Act.Ignored != 1 || slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, "outside the machine") }) {
		t.Errorf("%d events left out, %q", g.Act.Ignored, notes)
	}
}
