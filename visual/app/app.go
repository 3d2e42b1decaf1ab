package app

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/visual/app/clock"
	"whorl/visual/app/keys"
	"whorl/visual/app/runs"
	"whorl/visual/app/settings"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// Options configure a viewer.
type Options struct {
	Text   scene.Measurer // that of the painter: glyph.New()
	Runner Runner         // nil if programs cannot be run
	Views  []*view.Kind   // nil for all
	Dark   bool
}

// An App is the viewer: the model, and around it the bars, menus, panels and dialogs, each with its own state. Only one goroutine uses it
// at a time.
type App struct {
	*model
	painter painter
	hearing hearing

	commands   []command
	settings   settings.Bars
	runs       runs.Panel
	compare    runs.Comparison
	state      runs.State
	placing    runs.Placing
	sources    sourceEditor
	note       note
	menu       nodeMenu
	help       keys.Help
	saving     saving
	pointer    pointer
	keyRing    bool   // the focused pane shows a ring, until the pointer is used
	spentKey   string // the key that has run a command; its text is not typed into a dialog that the command has opened
	turn       int    // the pane that computes first in the next step
	spots      []spot // of the last layout
	widgets    ui.State
	chrome     scene.List
	popups     scene.List
	sums       [2]uint64 // of the two lists
	grounds    [2]uint64 // revisions of the two
	nextPass   time.Duration
	cursor     Cursor
	popup      bool // a menu or dialog is open
	typing     bool // the widget with the focus takes text
	lastLayers []Layer
}

// New returns a viewer without any traces.
func New(o Options) *App {
	m := &model{text: o.Text, scale: 1, changed: true, panes: map[int]*pane{}, programs: map[*documents.Document]*runs.Edited{}}
	m.History = workspace.New(o.Dark)
	m.clock = clock.Clock{State: &m.State, Docs: &m.docs}
	m.arranger = workspace.Arranger{Kinds: o.Views, Trace: m.facts}
	if o.Views == nil {
		m.arranger.Kinds = views.All
	}
	m.docs.Runner = o.Runner
	m.links = links{model: m, stretches: map[int]stretch{}}
	return &App{
		model: m, painter: painter{model: m, legends: true}, hearing: hearing{model: m}, settings: settings.New(), runs: runs.NewPanel(),
		compare: runs.NewComparison(), sources: sourceEditor{model: m}, saving: saving{model: m},
		commands: commands(), nextPass: -1,
	}
}

// Open shows a trace that lies in memory or grows there.
func (a *App) Open(name string, src tracer.Source) { a.show(name, documents.New(src)) }

// OpenFile begins to open a file as if it had been dropped.
func (a *App) OpenFile(f *File) {
	if f == nil || f.Path == "" && f.Read == nil {
		a.fail(errors.New("there is no file to open"))
		return
	}
	a.docs.Load(f, "", "")
}

// Watch shows a run that was started elsewhere (whorl run --open). The viewer closes the session when it closes.
func (a *App) Watch(s Session, r experiment.Run) { a.show(runs.Name(r), documents.NewLive(s, r)) }

// Close stops all runs and closes all traces. The viewer is not used afterwards.
func (a *App) Close() { a.docs.Close() }

// Step handles the input and returns the picture of the window.
func (a *App) Step(in Input) Output {
	a.now = in.Now
	a.resize(in)
	for _, got := range a.docs.Receive() {
		a.opened(got)
	}
	a.pump()
	a.animate()
	if len(in.Events) > 0 || a.changed || a.nextPass >= 0 && a.now >= a.nextPass {
		a.handle(in.Events)
	}
	more := a.work(workTime())
	a.hearing.overhear()
	a.revealed()
	a.draw()
	if a.changed { // a new result may change the bars, which may move the pictures
		a.handle(nil)
		a.draw()
	}
	return a.output(more)
}

// workTime is how long a step waits for the stages. Where they go on without it, that is only long enough for quick ones.
func workTime() time.Duration {
	if flow.Threads {
		return 4 * time.Millisecond
	}
	return 12 * time.Millisecond
}

// resize sets the size and the scale of the window. A window with an impossible size counts as having none.
func (a *App) resize(in Input) {
	scale, w, h := in.Scale, in.W, in.H
	if !(scale > 0 && scale <= 16) {
		scale = 1
	}
	if !(w > 0 && h > 0 && w*scale < 1<<15 && h*scale < 1<<15) {
		w, h = 0, 0
	}
	if scale == a.scale && w == a.w && h == a.h {
		return
	}
	if scale != a.scale { // cameras count device pixels
		a.Zoom(scale / a.scale)
	}
	a.scale, a.w, a.h = scale, w, h
	a.changed = true
}

// opened shows the trace, the workspace or the program of a file, or the error.
func (a *App) opened(got documents.Loaded) {
	a.changed = true
	name := got.File.Name
	switch d := got.Trace; {
	case got.Err != nil && a.awaits(got.As):
		a.fail(fmt.Errorf("%w; the trace %s waits for another file to be dropped", got.Err, got.As))
	case got.Err != nil:
		a.fail(got.Err)
	case d != nil && got.As != "" && !a.awaits(got.As): // it was closed or dropped meanwhile
		d.Discard()
	case d != nil:
		if d.Missing != "" {
			a.warn(name + ": " + d.Missing)
		}
		a.warnOfFonts(name, d)
		base := workspace.TraceName(name)
		switch {
		case got.As != "":
			a.saving.fill(got.As, d)
		case a.awaits(base):
			a.saving.fill(base, d)
		default:
			a.show(base, d)
		}
	case got.Workspace:
		path := got.File.Path
		if path == "" {
			path = name
		}
		a.saving.open(path, got.Text)
	default:
		a.runs.Edit(name, got.Text)
	}
}

// warnOfFonts warns of characters in the names and the program of a trace that no font here has.
func (a *App) warnOfFonts(name string, d *documents.Document) {
	fonts, ok := a.text.(interface {
		Lacks(text string) (rune, bool)
	})
	if !ok {
		return
	}
	_, program := d.Program()
	if r, lacks := fonts.Lacks(name + program); lacks {
		a.warn(fmt.Sprintf("%s: no font here has %U and maybe others: boxes stand for them", name, r))
	}
}

// pump takes the events that the runs have recorded since the last step.
func (a *App) pump() {
	p := a.docs.Pump(a.now)
	a.changed = a.changed || p.Changed
	for _, err := range p.Errors {
		a.fail(err)
	}
	for _, d := range p.Finished {
		a.finished(d)
	}
}

// animate moves a time that plays, and plays its sounds.
func (a *App) animate() {
	if !a.play.on {
		return
	}
	passed := min(a.now-a.play.last, time.Second)
	if passed <= 0 {
		return
	}
	a.play.last = a.now
	if !a.hearing.ready() {
		return
	}
	after, until, over := a.clock.Advance(passed)
	a.until(until, true)
	a.hearing.addTones(after, until, passed)
	if over {
		a.play.on = false
	}
}

// work lets the visible panes compute, one after the other. It reports whether there is more to do.
func (a *App) work(budget time.Duration) bool {
	seen := a.visible()
	a.supply(seen)
	more := false
	for i := range seen {
		p := seen[(i+a.turn)%len(seen)]
		if w, d := a.Pane(p.id), a.document(p); w != nil && d != nil {
			a.feed(p, w, d)
		}
		if more = p.update(budget) || more; more {
			a.turn = (i + a.turn) % len(seen) // it goes on in the next step
			if i+1 < len(seen) {
				a.turn++
			}
			break
		}
	}
	return a.links.compareContexts() || more
}

// draw draws the panes that have changed.
func (a *App) draw() {
	a.painter.ring = 0
	if a.keyRing && !a.widgets.ShowFocus() {
		a.painter.ring = a.focus
	}
	a.painter.draw()
}

// output collects the layers.
func (a *App) output(more bool) Output {
	out := Output{Next: -1, Cursor: a.cursor, Title: "Whorl", Asks: a.requests}
	if w := a.Pane(a.focus); w != nil {
		out.Title = w.Trace + " · Whorl"
	}
	out.Sounds, out.Ear = a.hearing.sounds()
	a.requests = nil
	out.Layers = a.layers()
	out.Changed = !slices.EqualFunc(out.Layers, a.lastLayers, func(l, m Layer) bool { return l.Rect == m.Rect && l.Revision == m.Revision })
	a.lastLayers = out.Layers
	wake := func(at time.Duration) {
		if at = max(at, a.now); out.Next < 0 || at < out.Next {
			out.Next = at
		}
	}
	if more || a.changed {
		wake(a.now)
	}
	if a.play.on {
		wake(a.now + playEvery)
	}
	if a.docs.Loading() {
		wake(a.now + documents.PollEvery)
	}
	if a.nextPass >= 0 {
		wake(a.nextPass)
	}
	if at, ok := a.docs.Pumps(a.now); ok {
		wake(at)
	}
	for _, p := range a.visible() {
		if d := a.document(p); d != nil {
			if at, ok := p.waits(d); ok {
				wake(at)
			}
			if p.motion.from != nil {
				wake(a.now + motionEvery)
			}
		}
	}
	return out
}

// layers lists the layers of the window, from back to front.
func (a *App) layers() (all []Layer) {
	full := scene.Rect{X1: math.Round(a.w * a.scale), Y1: math.Round(a.h * a.scale)}
	if full.X1 < 1 || full.Y1 < 1 {
		return nil
	}
	all = append(all, Layer{full, a.grounds[0], &a.chrome, true})
	for _, p := range a.visible() {
		if p.base.list == nil || p.body.W() <= 0 || p.body.H() <= 0 {
			continue
		}
		r := pixels(p.body, a.scale)
		all = append(all, Layer{r, p.base.revision, p.base.list, true})
		if p.over.list.Len() > 2 { // more than a clip
			all = append(all, Layer{r, p.over.revision, p.over.list, false})
		}
	}
	if a.popups.Len() > 0 {
		all = append(all, Layer{full, a.grounds[1], &a.popups, false})
	}
	return all
}
