package app

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"whorl/dts"
	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// lists names the lists of a selection that are not empty.
func lists(s view.Selection) string {
	var names []string
	for _, l := range []struct {
		name string
		n    int
	}{{"tasks", len(s.Tasks)}, {"codes", len(s.Codes)}, {"lines", len(s.Lines)}, {"pes", len(s.PEs)}, {"contexts", len(s.Contexts)}} {
		if l.n > 0 {
			names = append(names, l.name)
		}
	}
	if s.Time != nil {
		names = append(names, "time")
	}
	return strings.Join(names, "+")
}

// inTabs returns a driver of a window in which all views that fit a trace are tabs of one pane.
func inTabs(t *testing.T, src tracer.Source) (d *driver, names []string) {
	d = drive(t, Options{}, 1000, 800, 1)
	d.add("t", src, 0)
	d.app.actions.Edit(func(w *workspace.Workspace) error {
		if err := w.Apply(view.Action{Do: view.OpenTrace, Name: "t"}); err != nil {
			return err
		}
		for _, k := range views.All {
			if k.CanOpen(src) != nil || k.Group {
				continue
			}
			names = append(names, k.Name)
			if _, err := w.OpenAt(k.Name, "t", 1, workspace.AsTab); err != nil {
				return err
			}
		}
		return nil
	})
	d.settle()
	return d, names
}

// before brings a view to the front.
func (d *driver) before(name string) *panes.Pane {
	d.Helper()
	p := d.paneOf(name)
	d.app.model.Workspace.Show(p.ID)
	d.app.actions.SetFocus(p.ID)
	d.app.out.Redraw()
	d.settle()
	if p.Picture() == nil {
		d.Fatalf("%s has no picture: %v", name, p.Err)
	}
	return p
}

// A thing is something in the picture of a view that a click selects.
type thing struct {
	x, y float64
	s    view.Selection
}

// things returns one thing of each kind of selection in the picture in front.
func (d *driver) things(p *panes.Pane) (all []thing) {
	linked, ok := p.Picture().(view.Linked)
	if !ok {
		return nil
	}
	f := d.app.cameras.Frame(p)
	for y := p.Area.Y0 + 4; y < p.Area.Y1; y += 9 {
		for x := p.Area.X0 + 4; x < p.Area.X1; x += 9 {
			s, hit := linked.Hit(f, x, y)
			if hit && !slices.ContainsFunc(all, func(o thing) bool { return lists(o.s) == lists(s) }) {
				all = append(all, thing{x, y, s})
			}
		}
	}
	return all
}

// marks returns the overlay of a picture with a selection and a hovered thing.
func marks(f *view.Frame, p view.Picture, selected, hovered view.Selection) uint64 {
	st := *f.State
	st.Shared.Selection, st.Personal.Hover = selected, hovered
	g := *f
	g.State = &st
	var out scene.List
	view.Overlay(p, &g, &out)
	return out.Sum()
}

// A linkTable has, for each view and each kind of selection, whether the view showed all such things, none or some.
type linkTable struct {
	views, kinds []string
	shown, lacks map[string]int // by view and kind
}

func (l *linkTable) add(to, kind string, lacks bool) {
	if !slices.Contains(l.kinds, kind) {
		l.kinds = append(l.kinds, kind)
	}
	if lacks {
		l.lacks[to+" "+kind]++
	} else {
		l.shown[to+" "+kind]++
	}
}

// write writes the table in Markdown.
func (l *linkTable) write(b *strings.Builder) {
	slices.Sort(l.kinds)
	b.WriteString("| view | " + strings.Join(l.kinds, " | ") + " |\n|---" + strings.Repeat("|---", len(l.kinds)) + "|\n")
	for _, v := range l.views {
		b.WriteString("| " + v)
		for _, k := range l.kinds {
			shown, lacks := l.shown[v+" "+k], l.lacks[v+" "+k]
			cell := "some"
			switch {
			case shown+lacks == 0:
				cell = ""
			case lacks == 0:
				cell = "yes"
			case shown == 0:
				cell = "no"
			}
			b.WriteString(" | " + cell)
		}
		b.WriteString(" |\n")
	}
}

// TestLinkTable selects a thing of each kind in each view of the registry. Every other view, when it comes to the front, has it in sight, and marks it
// when it is only hovered; or it lacks the thing, and the bar of its pane says so. The test writes docs/links.md. The time window and the palette
// reach every view too.
func TestLinkTable(t *testing.T) {
	r := experiment.Defaults("small.fghc")
	r.Text, r.Goal, r.PEs, r.Policy = small, "main(X)", 3, "static"
	plan, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	goals, threads := tracer.NewMemory(), tracer.NewMemory()
	if _, err := plan.Run(t.Context(), goals, nil); err != nil {
		t.Fatal(err)
	}
	text := must.Get(os.ReadFile("linkthreads_test.go"))(t) // in tests built with -trimpath the path in the program does not lead there
	opts := dts.Options{
		Sources: []tracer.SourceFile{{Name: "linkthreads_test.go", Text: string(text)}}, Mode: dts.Sim, PEs: 3, Machine: "modern", Policy: "steal",
		Recorder: threads, Program: "splitting",
	}
	if _, err := dts.Run(t.Context(), opts, func(w *dts.Worker) int { return splitting(w, 6) }); err != nil {
		t.Fatal(err)
	}
	codes := threads.Dict().Codes()
	for i := range codes { // the same in all folders
		codes[i].File = path.Base(codes[i].File)
	}
	meta := threads.Meta()
	meta.Source = opts.Sources
	threads.SetMeta(meta)
	var b strings.Builder
	b.WriteString("# What each view shows of a selection\n\nA selection made in one view is shown in all others: those in front at once, hidden ones when they come to the front. A view that " +
		"has nothing of it\nsays so by a sign in the bar of its pane. The tables say which views show which kinds of selections: yes, no, or some of those that other " +
		"views\nmake. A test selects things of each kind in each view, looks at every other view, and writes this page\n(`go test ./visual/app -run LinkTable -update`).\n\n" +
		"A filter (`&`, for what is selected) applies to all views of the trace: each shows only the part that it selects, and the bar of its pane names the\nfilter. " +
		"The same test filters a PE and looks at every view, with the filter and without it. The time window and the palette reach every view too.\n")
	for _, c := range []struct {
		name string
		src  tracer.Source
	}{
		{"A run of goals", goals}, {"A run of threads", threads}, {"A sampled run", viewtest.Sampled()}, {"A profile with calling contexts", viewtest.Called()},
	} {
		t.Run(c.name, func(t *testing.T) {
			fmt.Fprintf(&b, "\n## %s\n\n", c.name)
			linkAll(t, c.src).write(&b)
		})
	}
	const page = "../../docs/links.md"
	if *update {
		must.Do(t, os.WriteFile(page, []byte(b.String()), 0o644))
	}
	if old := must.Get(os.ReadFile(page))(t); string(old) != b.String() {
		t.Error("docs/links.md is out of date: run go test ./visual/app -run LinkTable -update, and look at what has changed")
	}
}

// linkAll selects things of a trace in each view and looks at all others.
func linkAll(t *testing.T, src tracer.Source) *linkTable {
	d, names := inTabs(t, src)
	table := &linkTable{views: names, shown: map[string]int{}, lacks: map[string]int{}}
	for _, from := range names {
		for _, x := range d.things(d.before(from)) {
			d.before(from)
			d.app.actions.Apply(view.Action{Do: view.Select})
			d.in.Now += 1e9 // no double click
			d.move(x.x, x.y)
			d.press(x.x, x.y, ui.Main, 0)
			if got := d.app.model.State.Shared.Selection; !got.Equal(x.s) {
				continue // a control of the view, which does something else
			}
			for _, to := range names {
				if to != from {
					table.add(to, lists(x.s), d.look(from, to, x.s))
				}
			}
		}
	}
	from, to := src.Span()
	for _, name := range names {
		p := d.before(name)
		d.app.actions.Apply(view.Action{Do: view.SetPalette, Name: "safe"})
		d.settle()
		if panes.HasParam(p.Kind, view.Palette.Name) && p.Values()[view.Palette.Name] != "safe" {
			t.Errorf("%s has the palette %q", name, p.Values()[view.Palette.Name])
		}
		d.app.actions.Apply(view.Action{Do: view.SetPalette})
		f := d.app.cameras.Frame(p)
		free := marks(f, p.Picture(), view.Selection{}, view.Selection{})
		d.app.actions.Apply(view.Action{Do: view.SetWindow, Window: &view.Span{First: from + (to-from)/4, Last: from + (to-from)/2}})
		d.settle()
		f = d.app.cameras.Frame(p)
		if dims := marks(f, p.Picture(), view.Selection{}, view.Selection{}) != free; to > from && !dims && f.Window == nil && !p.Kind.Whole {
			t.Errorf("%s neither counts in the time window nor dims the rest", name)
		}
		d.app.actions.Apply(view.Action{Do: view.SetWindow})
	}
	d.filtered(names)
	return table
}

// filtered selects a PE and shows only that: every view shows another picture or says what the part lacks, and its bar says so; without the filter it
// shows what it has shown before.
func (d *driver) filtered(names []string) {
	d.Helper()
	draw := func(p *panes.Pane) uint64 {
		var out scene.List
		if p.Picture() != nil {
			f := d.app.cameras.Frame(p)
			still := *f.State
			still.Personal.Hover = view.Selection{} // whatever is under the pointer
			f.State = &still
			p.Picture().Base(f, &out)
			view.Overlay(p.Picture(), f, &out)
		}
		return out.Sum()
	}
	pe := &view.Selection{Trace: "t", PEs: []view.Span{{First: 1, Last: 1}}}
	before, empty := map[string]uint64{}, map[string]bool{}
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: pe})
	for _, name := range names { // where a view moves to the PE, it stays
		p := d.before(name)
		empty[name] = name == "efficiency" && d.app.actions.Lacks(p) // it has nothing to show of samples
	}
	d.app.actions.Apply(view.Action{Do: view.Select})
	for _, name := range names {
		before[name] = draw(d.before(name))
	}
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: pe})
	d.key("&", 0)
	d.until("the part", func() bool { return d.app.filters.Shown("t") != "" })
	for _, name := range names {
		p := d.paneOf(name)
		d.app.model.Workspace.Show(p.ID)
		d.app.actions.SetFocus(p.ID)
		d.settle()
		if p.Err == nil && !empty[name] && draw(p) == before[name] {
			d.Errorf("%s shows all of the trace in spite of the filter", name)
		}
		if !slices.ContainsFunc(d.app.controls, func(a ui.Accessible) bool { return a.Name == filterText("pe = 1") }) {
			d.Errorf("the bar of %s does not name the filter", name)
		}
	}
	d.key("*", 0)
	for _, name := range names {
		if p := d.before(name); draw(p) != before[name] && name != "modules" { // which shows how long they have worked
			d.Errorf("%s shows something else without the filter than before it", name)
		}
	}
}

// look brings a view to the front and reports whether it lacks a selection.
func (d *driver) look(from, to string, s view.Selection) bool {
	d.Helper()
	p := d.before(to)
	f := d.app.cameras.Frame(p)
	seen, lacks := len(drawtest.Locate(p.Picture(), f, s)) > 0, d.app.actions.Lacks(p)
	said := slices.ContainsFunc(d.app.controls, func(a ui.Accessible) bool { return a.Name == panes.LacksText })
	if seen == lacks || lacks != said {
		d.Errorf("%s selects %s; %s: in sight %v, lacks it %v, says so %v", from, lists(s), to, seen, lacks, said)
	}
	st := *f.State
	st.Shared.Selection = view.Selection{}
	f.State = &st
	if none := marks(f, p.Picture(), view.Selection{}, view.Selection{}); len(drawtest.Locate(p.Picture(), f, s)) > 0 && marks(f, p.Picture(), view.Selection{}, s) == none {
		d.Errorf("%s hovers over %s; %s does not mark it", from, lists(s), to)
	}
	return lacks
}
