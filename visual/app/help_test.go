package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/lesson"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/app/keys"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/share"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// TestHelpListsEveryKey opens the help in windows of several sizes: every line is there in full.
func TestHelpListsEveryKey(t *testing.T) {
	src := run(t, "qsort", 4, "")
	for _, size := range [][2]float64{{1280, 800}, {1600, 2400}, {800, 4000}} {
		d := drive(t, Options{}, size[0], size[1], 1)
		d.app.Open("qsort", src)
		d.settle()
		d.key("h", 0)
		text := strings.ReplaceAll(d.texts(), "\n", " ") // joins broken lines
		if strings.Contains(d.overTexts(), "…") {
			t.Errorf("%v: a text is cut:\n%s", size, d.overTexts())
		}
		for _, b := range d.app.keyBlocks() {
			for _, l := range b.Lines {
				if !strings.Contains(text, l.How+" "+l.Doc) {
					t.Errorf("%v: %q for %s is not in the help", size, l.How, l.Doc)
				}
			}
		}
		for _, cmd := range commands() {
			if !strings.Contains(text, cmd.doc) || !strings.Contains(text, cmd.keys[0].String()) {
				t.Errorf("%v: %s (%v) is not in the help", size, cmd.doc, cmd.keys)
			}
		}
		for _, k := range views.All {
			for _, key := range k.Keys {
				if !strings.Contains(text, key.Doc) {
					t.Errorf("%v: %s: %s is not in the help", size, k.Name, key.Doc)
				}
			}
		}
		if d.typed("zqx"); !d.shows("Nothing has these words") {
			t.Errorf("the help does not say that it found nothing:\n%s", d.overTexts())
		}
		d.key("Escape", 0)
		if d.app.help.Open || d.shows("Redo") {
			t.Error("Escape does not close the help")
		}
	}
}

// overTexts returns all texts of the topmost layer.
func (d *driver) overTexts() string {
	all := d.out.Layers
	d.out.Layers = all[len(all)-1:]
	defer func() { d.out.Layers = all }()
	return d.texts()
}

// sum describes everything in the viewer that a key may change.
func (d *driver) sum() string {
	a := d.app
	state, err := json.Marshal(a.model.State)
	if err != nil {
		d.Fatal(err)
	}
	s := fmt.Sprintf("%s %s full %d focus %d %d asks %v help %v run %v compare %v state %v what if %v note %v place %v questions %v dark %v legends %v settings %v play %v", state,
		a.model.Root.String(), a.model.Full, a.model.Focus, a.widgets.Focused(), len(d.asks), a.help.Open, a.runs.Open, a.compare.Open, a.state.Open, a.whatIf.Open, a.note.open, a.placing.Open, a.questions.Open,
		a.model.Dark, a.painter.Legends, a.settings, a.player.On)
	if doc := a.model.Focused(); doc != nil {
		from, to := d.program(doc).Selection()
		s += fmt.Sprintf(" edit %v %q %v %v ", d.program(doc).Open, d.program(doc).Text(), from, to)
		if doc.Live != nil {
			s += fmt.Sprint("reductions ", doc.Live.Status.Reductions)
		}
	}
	s += fmt.Sprint(" session ", a.session.Shown(), a.session.State(), " lessons ", a.lessons.Open)
	return s + fmt.Sprint(" runs ", len(a.model.Docs.All()), " popup ", a.pointer.Popup)
}

// steppedRun returns a run of the small program with more lines than a pane has room for.
func steppedRun() experiment.Run {
	r := smallRun()
	r.Text += strings.Repeat("% more lines than the pane has room for\n", 40)
	return r
}

// atStep returns a viewer with a small program that is paused at a reduction. The pane of a view has the keys, and a task is selected.
func atStep(t *testing.T, viewName string) (*driver, *panes.Pane) {
	d := drive(t, Options{Runner: stepper{}, Lessons: &lesson.Bundle{}, Window: func() (io.ReadWriteCloser, error) {
		here, there := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, there) }()
		return here, nil
	}, Host: func([]string, bool) (*share.Hosting, error) { return nil, io.EOF }}, 1000, 420, 1)
	doc := d.app.launcher.Begin(steppedRun())
	d.app.launcher.Steer(doc, session.Command{Do: session.StepTo, N: 11})
	d.until("reduction 11", func() bool {
		return doc.Live.Status.State == session.Paused && doc.Live.Status.Reductions == 11 && doc.Source.Counts()[tracer.Reduce] == 11
	})
	if viewName == "sweep" { // shows tables
		d.app.Open("table", must.Get(open.File("../../testdata/traces/sweep.csv"))(t))
	} else if !slices.ContainsFunc(d.app.model.State.Personal.Panes, func(p view.Pane) bool { return p.View == viewName }) {
		d.app.actions.AddPane(viewName, doc.Name, d.app.model.Focus, workspace.AsTab)
	}
	d.settle()
	p := d.paneOf(viewName)
	d.app.model.Workspace.Show(p.ID)
	d.app.actions.SetFocus(p.ID)
	d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: doc.Name, Tasks: []view.Tasks{{First: 2, Last: 2}}}})
	d.until("its picture", func() bool { return p.Picture() != nil })
	d.settle()
	return d, p
}

// situations are states of the window in which some key of the help does something.
var situations = []func(d *driver, p *panes.Pane){
	func(d *driver, p *panes.Pane) {},
	func(d *driver, p *panes.Pane) { // there is a filter
		d.app.actions.Apply(view.Action{Do: view.SetFilter, Name: p.Trace, Value: "pe >= 0"})
	},
	func(d *driver, p *panes.Pane) { // there is something to redo
		d.key("L", 0)
		d.app.actions.SplitPane(workspace.Below)
		d.key("z", ui.Control)
	},
	func(d *driver, p *panes.Pane) { // there are selections before and after this one
		for n := range uint64(3) {
			d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: n + 1}}}})
		}
		d.app.actions.Apply(view.Action{Do: view.SelectBack})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // zoomed in
		for range 4 {
			d.key("+", 0)
		}
		d.key("ArrowRight", 0)
		d.key("ArrowDown", 0)
	},
	func(d *driver, p *panes.Pane) { // scrolled to the end
		d.key("End", 0)
	},
	func(d *driver, p *panes.Pane) { // in a subtree
		d.app.actions.Apply(view.Action{Do: view.EnterSubtree, Pane: d.app.model.Index(p.ID), Task: 3})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // a time is selected
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, Time: &view.Span{First: 1000, Last: 9000}}})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // a PE is selected
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, PEs: []view.Span{{First: 1, Last: 1}}}})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // a line is selected
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, Lines: []view.Lines{{File: "small.fghc", First: 2}}}})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // a procedure is selected, and all contexts are closed
		d.key("c", 0)
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, Lines: []view.Lines{{File: "small.fghc", First: 3, Last: 5}}}})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // threads are found, and all are folded into one
		if !panes.HasParam(p.Kind, view.Find) {
			return
		}
		for _, c := range []struct{ name, value string }{{view.Find, "sum"}, {"folded", "1"}} {
			d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: c.name, Value: c.value})
		}
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: 1}}}})
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // compared with another run
		d.app.Open("other", run(d.T, "qsort", 4, ""))
		for _, name := range []string{"other", p.Trace} {
			d.app.model.Docs.Get(name).Group = 1
		}
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // compared with more runs than a table has room for
		src := run(d.T, "qsort", 1, "")
		for i := range 40 {
			name := fmt.Sprint("other ", i)
			d.add(name, src, 1)
			d.app.actions.Apply(view.Action{Do: view.OpenTrace, Name: name})
		}
		d.app.model.Docs.Get(p.Trace).Group = 1
		d.settle()
		if p.Kind.Group {
			d.key("ArrowDown", 0)
		}
	},
	func(d *driver, p *panes.Pane) { // in a shared session
		r := &classroom{T: d.T, hub: share.NewHub(share.Options{Rate: 1e6})}
		d.app.Join(share.Access{Dial: func() share.Conn { return &wire{room: r, role: share.Viewer} }})
		d.until("the session", func() bool { return d.app.session.Joined() && d.shows("You follow") })
		d.settle()
	},
	func(d *driver, p *panes.Pane) { // the other colours
		for _, key := range []string{"2", "p"} {
			d.key(key, 0)
		}
	},
}

// typing are states of an editor. In each of them some key does something.
var typing = []func(d *driver, doc *documents.Document){
	func(d *driver, doc *documents.Document) {},
	func(d *driver, doc *documents.Document) { d.typed("% a note "); d.key("a", ui.Control) },
	func(d *driver, doc *documents.Document) { d.typed("% a note "); d.key("z", ui.Control) },
	func(d *driver, doc *documents.Document) { d.key("Tab", 0); d.key("a", ui.Control); d.key("Tab", 0) },
}

// idle returns the keys that do nothing in a view in any situation. It opens a new window only after a key has done something.
func idle(t *testing.T, viewName string, all []keys.Key) []keys.Key {
	for _, prepare := range situations {
		var d *driver
		var p *panes.Pane
		asked := func() time.Duration { // when the program of the pane got its last command
			if live := d.app.model.Docs.Get(p.Trace).Live; live != nil {
				return live.Asked
			}
			return 0
		}
		all = slices.DeleteFunc(all, func(key keys.Key) bool {
			if d == nil {
				d, p = atStep(t, viewName)
				prepare(d, p)
			}
			before, last := d.sum(), asked()
			d.key(key.Name, key.Mods)
			now := d.sum()
			if now == before && asked() != last { // the program has got a command
				d.until("the command "+key.String(), func() bool { now = d.sum(); return now != before })
			}
			if now == before {
				return false
			}
			d.app.Close()
			d = nil
			return true
		})
		if d != nil {
			d.app.Close()
		}
	}
	return all
}

// TestHelpRowsWork presses every key of the help in each situation until it does something. A key that is in no row does nothing in any
// of them.
func TestHelpRowsWork(t *testing.T) {
	edits := func(key keys.Key, then string) bool {
		for _, prepare := range typing {
			d, _ := atStep(t, "kaleidoscope")
			d.key("E", 0)
			doc := d.app.model.Focused()
			prepare(d, doc)
			before := d.sum()
			d.key(key.Name, key.Mods)
			if then != "" {
				d.key(then, 0)
			}
			now := d.sum()
			d.app.Close()
			if now != before {
				return true
			}
		}
		return false
	}
	controls := func(key keys.Key) bool {
		for _, name := range []string{"run", "until"} {
			d, _ := atStep(t, "kaleidoscope")
			d.app.actions.Apply(view.Action{Do: view.SetUntil, Until: new(int64)})
			d.app.widgets.Focus(usertest.Name(name))
			before := d.sum()
			d.key(key.Name, key.Mods)
			now := d.sum()
			d.app.Close()
			if now != before {
				return true
			}
		}
		return false
	}
	if nothing := (keys.Key{Name: "F9"}); len(idle(t, "timeline", []keys.Key{nothing})) == 0 || edits(nothing, "") || controls(nothing) {
		t.Error("the key F9, which has no meaning, does something")
	}
	a := New(Options{Text: glyphs})
	defer a.Close()
	rows := 0
	for _, b := range a.keyBlocks() {
		var dead, all []keys.Key
		for _, l := range b.Lines {
			all = append(all, l.Keys...)
		}
		rows += len(all)
		switch {
		case b.Title == "Editing a program":
			for _, key := range all {
				then := ""
				if key.Name == "Escape" {
					then = "Tab"
				}
				if !edits(key, then) {
					dead = append(dead, key)
				}
			}
		case b.Title == "Controls":
			dead = slices.DeleteFunc(all, controls)
		case b.View == "":
			dead = idle(t, "comparison", idle(t, "threadgraph", idle(t, "kaleidoscope", all)))
		default:
			dead = idle(t, b.View, all)
		}
		if len(dead) > 0 {
			t.Errorf("%s: the keys %v do nothing", b.Title, dead)
		}
	}
	if rows < 60 {
		t.Errorf("%d keys were pressed, want 60 or more", rows)
	}
}

// TestHelpMouseWorks does what the rows of the help for the mouse describe.
func TestHelpMouseWorks(t *testing.T) {
	hands := map[string]func(d *driver, p *panes.Pane, x, y float64){
		"move":         func(d *driver, p *panes.Pane, x, y float64) { d.move(x, y); d.settle() },
		"click":        func(d *driver, p *panes.Pane, x, y float64) { d.click(x, y) },
		"double click": func(d *driver, p *panes.Pane, x, y float64) { d.doubleClick(x, y) },
		"drag":         func(d *driver, p *panes.Pane, x, y float64) { d.drag(x, y, x+30, y+40) },
		"wheel": func(d *driver, p *panes.Pane, x, y float64) {
			d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 2})
			d.settle()
		},
		"right click": func(d *driver, p *panes.Pane, x, y float64) { d.press(x, y, ui.Secondary, 0); d.settle() },
	}
	a := New(Options{Text: glyphs})
	defer a.Close()
	for _, b := range a.keyBlocks() {
		for _, l := range b.Lines {
			if len(l.Keys) > 0 {
				continue
			}
			d, p := atStep(t, "kaleidoscope")
			at := d.locate(p, view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: 3}}})
			if len(at) != 1 || hands[l.How] == nil {
				t.Fatalf("%q: the node is at %v, or the test does not know the gesture", l.How, at)
			}
			x, y := d.middle(at[0])
			before := d.sum()
			hands[l.How](d, p, x, y)
			if d.sum() == before {
				t.Errorf("the gesture %q for %q does nothing", l.How, l.Doc)
			}
		}
	}
}
