package workspace

import (
	"errors"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/view"
)

// kinds are views with positions in all arrangements.
var kinds = []*view.Kind{
	{Name: "tree", Positions: []view.Position{{In: view.Goals}, {In: view.Threads, Rank: 1}, {In: view.Compared}}},
	{Name: "bodies", Positions: []view.Position{{In: view.Goals, Rank: 1, Needs: tracer.Kinds(tracer.Send)}, {In: view.Compared, Rank: 1, Needs: tracer.Kinds(tracer.Send)}}},
	{Name: "threads", Positions: []view.Position{{In: view.Threads}}},
	{Name: "time", Positions: []view.Position{{In: view.Goals, Slot: view.Right}, {In: view.Compared, Slot: view.Under}}},
	{Name: "text", Positions: []view.Position{{In: view.Goals, Slot: view.Corner}, {In: view.Compared, Slot: view.Right}}},
	{Name: "lines", Positions: []view.Position{{In: view.Samples}}},
	{Name: "one", Positions: []view.Position{{In: view.Samples, Slot: view.Under}}},
	{Name: "two", Positions: []view.Position{{In: view.Samples, Slot: view.Right}}},
	{Name: "far", Positions: []view.Position{{In: view.Samples, Slot: view.Far}}},
	{Name: "halo", Positions: []view.Position{{In: view.Processes}}},
	{Name: "none"},
}

// arranged is an arranger with its traces by name and its workspace.
type arranged struct {
	*testing.T
	Arranger
	Workspace
	traces map[string]*Trace
}

func arrangedFor(t *testing.T) *arranged {
	a := &arranged{T: t, Workspace: Workspace{Next: 1}, traces: map[string]*Trace{}}
	a.Arranger = Arranger{Kinds: kinds, Trace: func(name string) *Trace { return a.traces[name] }}
	return a
}

// open opens a trace with events of some kinds; views named in unfit cannot show it.
func (a *arranged) open(name string, pes, group int, events tracer.KindSet, unfit string) {
	a.Helper()
	t := &Trace{Meta: tracer.Meta{PEs: pes}, Group: group, Fits: func(k *view.Kind) error {
		if strings.Contains(unfit, k.Name) {
			return errors.New("does not fit")
		}
		return nil
	}}
	for k := range tracer.NumKinds {
		if events.Contains(k) {
			t.Counts[k] = 1
		}
	}
	a.traces[name] = t
	must.Do(a, a.Arranger.Open(&a.Workspace, name))
}

// leaves describes the leaves: the trace of each and its views, the front view first.
func (a *arranged) leaves() string {
	var all []string
	for _, n := range a.Root.Leaves() {
		var names []string
		for _, id := range n.Panes {
			names = append(names, a.Pane(id).View)
		}
		all = append(all, a.Pane(n.Shown).Trace+":"+strings.Join(names, "+"))
	}
	return strings.Join(all, " ")
}

// TestArrangements opens single traces of several types.
func TestArrangements(t *testing.T) {
	for _, c := range []struct {
		what   string
		pes    int
		events tracer.KindSet
		unfit  string
		want   string
	}{
		{"goals", 4, tracer.Kinds(tracer.Reduce), "", "a:tree a:time a:text"},
		{"goals that send", 4, tracer.Kinds(tracer.Reduce, tracer.Send), "", "a:tree+bodies a:time a:text"},
		{"goals without text", 4, tracer.Kinds(tracer.Reduce), "text", "a:tree a:time"},
		{"no tree", 4, tracer.Kinds(tracer.Send), "tree", "a:bodies a:time a:text"},
		{"threads", 4, tracer.Kinds(tracer.Fork), "", "a:threads+tree"},
		{"samples", 4, tracer.Kinds(tracer.Sample), "", "a:lines a:one a:two a:far"},
		{"samples of many processes", 64, tracer.Kinds(tracer.Sample), "", "a:halo"},
		{"many processes without a tree of calls", 64, tracer.Kinds(tracer.Sample), "halo", "a:lines a:one a:two a:far"},
		{"no view fits", 4, 0, "tree bodies threads time text lines one two far halo none", "a:tree"},
	} {
		a := arrangedFor(t)
		a.open("a", c.pes, 0, c.events, c.unfit)
		if got := a.leaves(); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestOthersGoRight opens traces that are not compared. Each gets one view at the right.
func TestOthersGoRight(t *testing.T) {
	a := arrangedFor(t)
	a.open("a", 4, 0, tracer.Kinds(tracer.Reduce), "")
	a.open("b", 4, 0, tracer.Kinds(tracer.Reduce), "")
	if got := a.leaves(); got != "a:tree a:time a:text b:tree" {
		t.Error(got)
	}
}

// TestCompared opens traces of a group. Each gets a column; the text is beside the columns, and below them if there are four or more.
func TestCompared(t *testing.T) {
	a := arrangedFor(t)
	a.open("a", 4, 0, tracer.Kinds(tracer.Reduce), "")
	a.traces["a"].Group = 1
	want := "a:tree a:time a:text"
	for _, name := range []string{"b", "c", "d"} {
		a.open(name, 4, 1, tracer.Kinds(tracer.Reduce), "")
		want = strings.TrimSuffix(want, " a:text") + " " + name + ":tree " + name + ":time a:text"
		if got := a.leaves(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if stacked := a.Root.Split == Rows; stacked != (name == "d") {
			t.Errorf("with %s the text is below: %v", name, stacked)
		}
	}
	// The text follows the run of the user's pane unless keep holds.
	if a.Attend(&a.Workspace, "c", func(*Node) bool { return true }) || strings.Contains(a.leaves(), "c:text") {
		t.Error("a kept leaf shows another run")
	}
	if !a.Attend(&a.Workspace, "c", func(*Node) bool { return false }) || !strings.Contains(a.leaves(), "c:text") {
		t.Errorf("the text does not follow: %s", a.leaves())
	}
	if a.Attend(&a.Workspace, "c", func(*Node) bool { return false }) {
		t.Error("the text follows twice")
	}
	// In a window arranged by the user, a new run goes to the right.
	b := arrangedFor(t)
	b.open("a", 4, 1, tracer.Kinds(tracer.Reduce), "")
	b.Workspace.Move(b.IDs[2], b.IDs[0], Below)
	b.open("b", 4, 1, tracer.Kinds(tracer.Reduce), "tree time text") // no view fits its column
	if got := b.leaves(); got != "a:tree a:text a:time b:bodies" {
		t.Error(got)
	}
}

// TestNotes finds the notes of a trace by its path, by its name, or as the only ones.
func TestNotes(t *testing.T) {
	const two = "version = 1\n[[trace]]\nname = \"a\"\npath = \"x/one.whorl\"\n[[trace]]\nname = \"b\"\n[shared]\n" +
		"[[shared.annotation]]\ntrace = \"a\"\ntask = \"1\"\ntext = \"first\"\n[[shared.annotation]]\ntrace = \"b\"\ntask = \"2\"\ntext = \"second\"\n"
	for _, c := range []struct{ text, trace, name, err string }{
		{two, "/w/x/one.whorl", "a", ""},
		{two, "/other/b.whorl", "b", ""},
		{two, "/other/c.whorl", "", "only for a, b"},
		{"version = 1\n[[trace]]\nname = \"a\"\nglow = 1\n", "a.whorl", "", "has no notes: Kept unknown keys: trace.glow"},
		{"nonsense", "a.whorl", "", "/w/mine.toml"},
	} {
		notes, name, err := Notes(c.text, "/w/mine.toml", c.trace)
		if err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)) || err == nil && (name != c.name || len(notes) != 1) {
			t.Errorf("%s: %v, %q, %v", c.trace, notes, name, err)
		}
	}
}

// TestFileReports checks that Report lists the invalid values of a file, and that unknown keys are kept.
func TestFileReports(t *testing.T) {
	f := must.Get(Read("version = 3\ndark = 1\n[[trace]]\nname = \"a\"\n[trace.run]\nprogram = \"p\"\npes = 3\nargs = [\"1\"]\nquantum = true\n"+
		"[[pane]]\nview = \"v\"\ntrace = \"a\"\n[pane.camera]\nx = 1\nscale = 2.5\nturn = 10\nfog = 1\n[pane.params]\ncolor = \"pe\"\n[[pane]]\nview = \"w\"\ntrace = \"a\"\n"+
		"[layout]\nsplit = \"rows\"\nshare = 7\n[layout.a]\npanes = [1, 1]\nshown = 1\n[layout.b]\npanes = [9]\n"+
		"[shared]\nuntil = 5\nwindow = [3, 1]\nspeed = 99\nparts = true\n[[shared.annotation]]\ntrace = \"a\"\ntask = \"x\"\n", 2, 10))(t)
	for _, want := range []string{"later version (3)", "dark is a int64", "layout.a.panes: pane 1 has a place already", "layout.b.panes: there is no pane 9", "ends before it begins", `invalid task "x"`, "trace.run"} {
		if !strings.Contains(f.Report(), want) {
			t.Errorf("%q is not in the report: %s", want, f.Report())
		}
	}
	if got := f.Root.String(); got != "(1 0.50 [10] 10 [11] 11)" || f.Pane(10).Camera.Scale != 5 || f.Next != 12 {
		t.Errorf("the layout is %s, the camera %+v, the next id %d", got, f.Pane(10).Camera, f.Next)
	}
	e := f.Entry("a")
	if e.Run == nil || e.Run.PEs != 3 || len(e.Run.Args) != 1 || f.Entry("b").Run != nil {
		t.Errorf("the entry is %+v", e)
	}
	back := string(f.Write(f.Workspace, f.Traces, 2))
	for _, want := range []string{"quantum = true", "fog = 1", "turn = 10.0", "color = \"pe\"", "until = 5", "scale = 2.5"} {
		if !strings.Contains(back, want) {
			t.Errorf("%q is lost:\n%s", want, back)
		}
	}
}
