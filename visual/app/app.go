package app

import (
	"errors"
	"math"
	"slices"
	"time"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// Options say what a viewer has to work with.
type Options struct {
	Text   scene.Measurer // that of the painter: glyph.New()
	Runner Runner         // nil: programs cannot be run here
	Views  []*view.Kind   // nil for all
	Dark   bool
}

// An App is the viewer. One goroutine uses it at a time.
type App struct {
	workspace.History
	arranger workspace.Arranger
	text     scene.Measurer
	runner   Runner
	views    []*view.Kind

	docs    map[string]*document
	batch   int // the group of the files that are opened together, 0 for none
	groups  int // of documents that are compared, so far
	panes   map[int]*pane
	focus   int // the pane that the keys go to
	loading []*loading
	legends bool

	stretches map[int]stretch     // the time that a group shows, where it is not all
	ranges    map[string]ui.Range // of the sliders of panes, by pane and parameter

	commands []command
	help     bool
	play     playing
	hearing  hearing
	running  bool // the panel for a run is open
	form     runForm
	program  program // the user's own
	compare  comparison

	menu      nodeMenu
	note      note
	placing   placing
	stateOpen bool // the panel that tells how a run stands is open
	standing  standing
	goToText  string
	keys      keys
	file      workspace.File // the one that was opened last
	groupOf   map[string]int // by trace of that file, those that are compared
	settings  map[int]bool   // the panes whose settings are shown
	finding   int            // the pane whose field for finding is to have the keys, 0 for none

	now      time.Duration
	w, h     float64 // of the window, in points
	scale    float64
	changed  bool   // something is to be looked at before the step ends
	revision uint64 // the last one that a layer had
	marks    uint64 // changes whenever overlays may
	turn     int    // the pane that computes first in the next step

	widgets  ui.State
	chrome   scene.List
	popups   scene.List
	sums     [2]uint64 // of the two
	grounds  [2]uint64 // their revisions
	uiNext   time.Duration
	cursor   Cursor
	popup    bool
	typing   bool
	asks     []Ask
	spots    []spot // of the last layout
	pointer  pointer
	lastSeen []Layer
}

// New returns a viewer that shows nothing yet.
func New(o Options) *App {
	a := &App{
		text: o.Text, runner: o.Runner, views: o.Views, docs: map[string]*document{}, panes: map[int]*pane{}, legends: true, scale: 1,
		changed: true, uiNext: -1, commands: commands(), settings: map[int]bool{}, stretches: map[int]stretch{}, ranges: map[string]ui.Range{},
		form: newRunForm(), compare: newComparison(),
	}
	if a.views == nil {
		a.views = views.All
	}
	a.History = workspace.New(o.Dark)
	a.arranger = workspace.Arranger{Kinds: a.views, Trace: a.facts}
	a.program.name = "program" + programEndings[0]
	return a
}

// Open shows a trace that lies in memory or grows there.
func (a *App) Open(name string, src tracer.Source) { a.show(a.nameFor(name), &document{src: src}) }

// Close stops everything that runs and gives back what is held. The viewer is not used afterwards.
func (a *App) Close() {
	for _, d := range a.docs {
		d.end()
	}
}

// Step takes what has happened and returns what to show.
func (a *App) Step(in Input) Output {
	a.now = in.Now
	a.resize(in)
	a.receive()
	a.pump()
	a.animate()
	if len(in.Events) > 0 || a.changed || a.uiNext >= 0 && a.now >= a.uiNext {
		a.handle(in.Events)
	}
	more := a.work(workTime())
	a.overhear()
	a.revealed()
	a.drawPanes()
	if a.changed { // what was computed changes what is around it, and that may leave the pictures another place
		a.handle(nil)
		a.drawPanes()
	}
	return a.output(in, more)
}

// workTime is how long a step waits for the stages: where they go on without it, only so long that what is quick is there at once.
func workTime() time.Duration {
	if flow.Threads {
		return 4 * time.Millisecond
	}
	return 12 * time.Millisecond
}

// resize takes the size and the scale of the window. Where one makes no sense, the window counts as having none.
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

// act makes the change of an action; one that cannot be made is said.
func (a *App) act(do view.Action) {
	if do.Do == view.TogglePlay {
		a.togglePlay()
		return
	}
	along := a.along(do)
	err := a.Do(do)
	a.changed = true
	a.marks++
	if idle := view.NotNow(""); errors.As(err, &idle) {
		a.notify(ui.Info, idle.Error())
		return
	}
	if err != nil {
		a.fail(err)
		return
	}
	a.share(do, along)
	if do.Do == view.CloseTrace || do.Do == view.UndoAction {
		a.sweep()
	}
	if do.Do == view.Select {
		a.reveal()
	}
}

// edit makes a change of the workspace that can be undone. A document for which there is no place then is closed.
func (a *App) edit(f func(w *workspace.Workspace) error) {
	if err := a.Change(f); err != nil {
		a.fail(err)
		a.sweep()
	}
	a.changed = true
	a.marks++
}

// check says an error, if there is one.
func (a *App) check(err error) {
	if err != nil {
		a.fail(err)
	}
}

// work lets the panes that are seen compute, one after the other. It says whether there is more to do.
func (a *App) work(budget time.Duration) bool {
	seen := a.visible()
	a.supply(seen)
	more := false
	for i := range seen {
		p := seen[(i+a.turn)%len(seen)]
		if w, d := a.Pane(p.id), a.docs[p.trace]; w != nil && d != nil {
			a.feed(p, w, d)
		}
		if more = p.update(budget) || more; more {
			a.turn = (i + a.turn) % len(seen) // it goes on next time
			if i+1 < len(seen) {
				a.turn++
			}
			break
		}
	}
	return a.besides() || more
}

// drawPanes brings the pictures of the panes that are seen up to date.
func (a *App) drawPanes() {
	a.meet()
	for _, p := range a.visible() {
		a.drawBase(p)
		a.drawOver(p)
	}
}

// visible lists the panes whose pictures are in the window.
func (a *App) visible() []*pane {
	var seen []*pane
	for _, s := range a.spots {
		if p := a.panes[s.node.Shown]; p != nil && p.seen {
			seen = append(seen, p)
		}
	}
	return seen
}

// output collects the layers.
func (a *App) output(in Input, more bool) Output {
	out := Output{Next: -1, Cursor: a.cursor, Title: a.title(), Asks: a.asks}
	out.Sounds, out.Ear = a.hearing.tones, a.ears()
	a.asks, a.hearing.tones = nil, nil
	full := scene.Rect{X1: math.Round(a.w * a.scale), Y1: math.Round(a.h * a.scale)}
	if full.X1 >= 1 && full.Y1 >= 1 {
		out.Layers = append(out.Layers, Layer{full, a.grounds[0], &a.chrome, true})
		for _, p := range a.visible() {
			if p.base.list == nil || p.body.W() <= 0 || p.body.H() <= 0 {
				continue
			}
			r := pixels(p.body, a.scale)
			out.Layers = append(out.Layers, Layer{r, p.base.revision, p.base.list, true})
			if p.over.list.Len() > 2 { // more than a clip
				out.Layers = append(out.Layers, Layer{r, p.over.revision, p.over.list, false})
			}
		}
		if a.popups.Len() > 0 {
			out.Layers = append(out.Layers, Layer{full, a.grounds[1], &a.popups, false})
		}
	}
	out.Changed = !slices.EqualFunc(out.Layers, a.lastSeen, func(l, m Layer) bool { return l.Rect == m.Rect && l.Revision == m.Revision })
	a.lastSeen = out.Layers
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
	if len(a.loading) > 0 {
		wake(a.now + pollEvery)
	}
	if a.uiNext >= 0 {
		wake(a.uiNext)
	}
	if at, ok := a.pumps(); ok {
		wake(at)
	}
	for _, p := range a.visible() {
		if d := a.docs[p.trace]; d != nil {
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

func (a *App) title() string {
	if w := a.Pane(a.focus); w != nil {
		return w.Trace + " · Whorl"
	}
	return "Whorl"
}
