package app

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/lesson"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/app/chooser"
	"whorl/visual/app/describe"
	"whorl/visual/app/detach"
	"whorl/visual/app/export"
	"whorl/visual/app/expression"
	"whorl/visual/app/keys"
	"whorl/visual/app/launch"
	"whorl/visual/app/lessons"
	"whorl/visual/app/measuring"
	"whorl/visual/app/outbox"
	"whorl/visual/app/painter"
	"whorl/visual/app/panes"
	"whorl/visual/app/play"
	"whorl/visual/app/runs"
	"whorl/visual/app/saving"
	"whorl/visual/app/settings"
	"whorl/visual/app/sharing"
	"whorl/visual/app/whatif"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// Options configure a viewer.
type Options struct {
	Text   *glyph.Set       // that of the painter
	Runner documents.Runner // nil if programs cannot be run
	Disk   chooser.Disk     // nil if the shell has dialogs for files of its own
	Views  []*view.Kind     // nil for all
	Dark   bool
	Memory int64 // bytes that the picture of a trace may take; a larger trace is condensed. 0 for no limit

	// Window opens another window for a detached pane, for App.Attach there; nil if there can be no other windows.
	Window detach.Opener

	// Fetch returns the file at an address of another window of the page, nil for a path on a disk; nil outside a page.
	Fetch func(address string) *documents.File

	// Host hosts a shared session; nil where none can be hosted.
	Host sharing.Starter

	// Wake gets a value when another window has sent something, which asks for a step; nil if steps are made anyway.
	Wake chan<- struct{}

	// Film begins an animated picture; nil where no films can be saved.
	Film export.NewFilm

	Lessons  lesson.Library // nil without lessons
	Progress lessons.Keeper // of lessons; nil to keep nothing

	// Scratch opens a temporary file for the trace of a run that takes more than an eighth of Memory; nil to keep it in memory.
	Scratch func() (store.Scratch, error)
}

// An App is the viewer: the parts that hold and change what is open, and around them the bars, menus, panels and dialogs, each with its own
// state. Only one goroutine uses it at a time.
type App struct {
	out        *outbox.Outbox
	window     *panes.Window
	model      *panes.Model
	links      *panes.Links
	cameras    *panes.Cameras
	actions    *panes.Actions
	stages     *panes.Stages
	player     *play.Player
	launcher   *launch.Launcher
	painter    *painter.Painter
	hearing    *play.Hearing
	sources    *launch.SourceEditor
	saving     *saving.Saver
	chooser    *chooser.Chooser
	finder     *finder
	trials     *whatif.Trials
	measuring  *measuring.Measuring
	selections *expression.Selections
	filters    *expression.Filters
	windows    *detach.Windows
	session    *sharing.Session
	lessons    *lessons.Panel

	commands   []command
	settings   settings.Bars
	networks   *panes.Networks
	runs       runs.Panel
	describer  *describe.Describer
	compare    runs.Comparison
	state      runs.State
	questions  questions
	examples   examples
	quickly    quickly
	course     course
	display    display
	memory     int64 // as Options.Memory
	whatIf     whatif.Panel
	placing    runs.Placing
	note       note
	field      selectionField
	export     *export.Dialog
	menu       nodeMenu
	help       keys.Help
	pointer    pointer
	touch      touch
	keyRing    bool           // the focused pane shows a ring, until the pointer is used
	spentKey   string         // the key that has run a command; its text is not typed into a dialog that the command has opened
	spots      []spot         // of the last layout
	carried    carried        // the tab that the pointer drags
	fronts     map[string]int // the pane in front of a node without room for all, by path
	widgets    ui.State
	chrome     scene.List
	popups     scene.List
	sums       [2]uint64 // of the two lists
	grounds    [2]uint64 // revisions of the two
	nextPass   time.Duration
	exampleAt  time.Duration // when the pictures of the examples go on, -1 for never
	cursor     ui.Cursor
	popup      bool            // a menu or dialog is open
	typing     bool            // the widget with the focus takes text
	controls   []ui.Accessible // of the last layout
	lastLayers []Layer
}

// New returns a viewer without any traces.
func New(o Options) *App {
	a := &App{}
	out, window, model := outbox.New(&a.widgets), panes.NewWindow(o.Text), panes.NewModel(o.Views, o.Dark)
	model.Docs.Runner = o.Runner
	if model.Docs.Memory = o.Memory / 8; o.Memory > 0 {
		model.Docs.Scratch = o.Scratch
	}
	links := panes.NewLinks(model)
	cameras := panes.NewCameras(model, links, window, out)
	actions := panes.NewActions(model, links, cameras, out)
	networks := panes.NewNetworks(model, out)
	networks.Workspace = func() string { return a.saving.Path() }
	files := &chooser.Chooser{Disk: o.Disk}
	saving := saving.New(model, links, cameras, actions, window, out, files, o.Fetch)
	player := play.NewPlayer(&model.Clock, actions, window, out)
	launcher := launch.NewLauncher(model, links, actions, window, out)
	trials := whatif.NewTrials(model, links, actions, window, out)
	painter := painter.New(model, links, cameras, window, out)
	selections := expression.NewSelections(model, actions, out)
	*a = App{
		export:   export.New(model, links, cameras, window, out, saving, selections.Text),
		networks: networks,
		out:      out, window: window, model: model, links: links, cameras: cameras, actions: actions, player: player, launcher: launcher,
		stages:  panes.NewStages(networks, cameras, o.Memory),
		painter: painter,
		hearing: play.NewHearing(model, cameras, player, window, out),
		sources: launch.NewSourceEditor(model, actions, launcher, saving, out),
		filters: expression.NewFilters(model, links, actions, window, out, selections),
		saving:  saving, chooser: files, finder: &finder{actions: actions, out: out}, selections: selections, trials: trials,
		measuring: measuring.New(model, links, actions, window), describer: describe.New(model, cameras, painter),
		session:  sharing.New(model, cameras, actions, window, player, saving, out, o.Host),
		windows:  detach.New(model, links, cameras, actions, window, saving, out, o.Window, o.Wake),
		settings: settings.New(), runs: runs.NewPanel(), compare: runs.NewComparison(), commands: commands(), fronts: map[string]int{}, nextPass: -1,
		display: display{size: 1, chosen: 1}, exampleAt: -1, examples: examples{shown: -1}, memory: o.Memory,
	}
	a.lessons = lessons.New(o.Lessons, o.Progress, model.Arranger.Kinds)
	a.export.Film = o.Film
	if o.Disk != nil {
		files.ReadRecent()
	}
	return a
}

// Open shows a trace that lies in memory or grows there.
func (a *App) Open(name string, src tracer.Source) { a.actions.Show(name, documents.New(src)) }

// chooseFile lets the user choose a file and opens it.
func (a *App) chooseFile() {
	if a.chooser.Disk == nil {
		a.out.Ask(outbox.Ask{Do: outbox.OpenFile})
		return
	}
	a.chooser.Begin(func(path string) { a.OpenFile(a.chooser.Disk.File(path)) })
}

// OpenFile begins to open a file as if it had been dropped.
func (a *App) OpenFile(f *documents.File) {
	if f == nil || f.Path == "" && f.Read == nil {
		a.out.Fail(outbox.AboutFile, errors.New("there is no file to open"))
		return
	}
	a.model.Docs.Load(f, a.saving.TakeWanted(), documents.Search{})
}

// Watch shows a run that was started elsewhere (whorl run --open). The viewer closes the session when it closes.
func (a *App) Watch(s documents.Session, r experiment.Run) {
	a.actions.Show(runs.Name(r), a.model.Docs.NewLive(s, r))
}

// Join joins a shared session.
func (a *App) Join(access share.Access) { a.session.Join(access) }

// Attach makes this the window of panes that another window has detached, and sends over the connection.
func (a *App) Attach(c io.ReadWriteCloser) { a.windows.Attach(c) }

// Close stops all runs and closes all traces. The viewer is not used afterwards.
func (a *App) Close() {
	a.windows.Close()
	a.session.Close()
	a.examples.stop()
	a.course.set.Close()
	a.lessons.Close()
	a.model.Docs.Close()
}

// Step handles the input and returns the picture of the window.
func (a *App) Step(in Input) Output {
	a.window.Now = in.Now
	if a.display.settle(a.pointer.widget) {
		a.out.Redraw()
	}
	in = a.display.points(in)
	a.resize(in)
	for _, got := range a.model.Docs.Receive() {
		if !a.networks.Loaded(got) {
			a.opened(got)
		}
	}
	if a.chooser.Receive() {
		a.out.Redraw()
	}
	a.saving.Proceed()
	a.windows.Exchange()
	a.session.Receive()
	a.workLessons()
	a.pump()
	a.hearing.Animate()
	if len(in.Events) > 0 || a.out.Changed || a.nextPass >= 0 && a.window.Now >= a.nextPass {
		a.handle(in.Events)
	}
	a.restFingers()
	a.trials.Update()
	searches := a.finder.work(panes.WorkTime())
	searches = a.selections.Work() || searches
	searches = a.workQuickly(panes.WorkTime()) || searches
	searches = a.export.Work() || searches
	a.filters.Apply()
	more := a.stages.Work(panes.WorkTime())
	if !more {
		more = a.measuring.Work(panes.WorkTime())
	}
	if !more {
		more = a.workQuestions(panes.WorkTime())
	}
	if !more {
		more = a.workPictures(panes.WorkTime())
	}
	if at, waits := a.examples.work(a, panes.WorkTime()); waits {
		a.exampleAt = at
	} else {
		a.exampleAt = -1
	}
	a.hearing.Overhear()
	a.actions.Revealed()
	a.painter.Behind = in.Behind
	a.painter.SetMarks(a.session.Marks())
	a.draw()
	if a.out.Changed { // a new result may change the bars, which may move the pictures
		a.handle(nil)
		a.draw()
	}
	a.windows.Share()
	a.session.Publish()
	out := a.output(more || searches)
	if in.Print {
		out.Prints = a.saving.Prints()
		out.Next = a.window.Now // the stages compute the size of the window again
	}
	if in.Describe {
		a.describer.Begin()
	}
	if a.describer.Work(describe.DescribeTime) {
		out.Description = a.describer.Describe(&a.chrome, &a.popups)
	}
	if a.describer.Wanted {
		out.Next = a.window.Now
	}
	return out
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
	if scale == a.window.Scale && w == a.window.W && h == a.window.H {
		return
	}
	if scale != a.window.Scale { // cameras count device pixels
		a.model.Zoom(scale / a.window.Scale)
	}
	a.window.Scale, a.window.W, a.window.H = scale, w, h
	a.out.Redraw()
}

// opened shows the trace, the workspace or the program of a file, or the error.
func (a *App) opened(got documents.Loaded) {
	a.out.Redraw()
	name := got.File.Name
	if got.Err == nil {
		a.out.Mend(outbox.AboutFile)
		a.out.Mend(outbox.AboutFile + name)
	}
	if got.Err == nil && got.As == "" && !got.Workspace {
		a.saving.Remember(got.File.Path)
	}
	switch d := got.Trace; {
	case got.Err != nil && a.model.Awaits(got.As):
		a.out.Fail(outbox.AboutFile+got.As, fmt.Errorf("%w; the trace %s waits for another file to be dropped", got.Err, got.As))
	case got.Err != nil:
		a.out.Fail(outbox.AboutFile+name, got.Err)
	case got.Rest != nil:
		if got.Rest.Missing != "" {
			a.out.Warn("", name+": "+got.Rest.Missing)
		}
		a.warnOfFonts(name, got.Rest)
	case d != nil && got.As != "" && !a.model.Awaits(got.As): // it was closed or dropped meanwhile
		d.Discard()
	case d != nil:
		if d.Missing != "" {
			a.out.Warn("", name+": "+d.Missing)
		}
		a.warnOfFonts(name, d)
		base := workspace.TraceName(name)
		switch {
		case got.As != "":
			a.saving.Fill(got.As, d)
			if got.Found != "" {
				a.out.Say(outbox.AboutFile+got.As, "The file of "+got.As+" has moved and was found by its contents: "+got.Found)
			}
		case a.model.Awaits(base):
			a.saving.Fill(base, d)
		default:
			a.actions.Show(base, d)
			a.session.Offer(d.Name, got.File)
		}
	case got.Workspace:
		a.saving.Open(name, got.File.Path, got.Text)
	default:
		a.runs.Edit(name, got.Text)
	}
}

// warnOfFonts warns of characters in the names and the program of a trace that no font here has.
func (a *App) warnOfFonts(name string, d *documents.Document) {
	_, program := d.Program()
	if r, lacks := a.window.Text.Lacks(name + program); lacks {
		a.out.Warn("", fmt.Sprintf("%s: no font here has %U and maybe others: boxes stand for them", name, r))
	}
}

// pump takes the events that the runs have recorded since the last step.
func (a *App) pump() {
	p := a.model.Docs.Pump(a.window.Now)
	if p.Changed {
		a.out.Redraw()
	}
	for _, err := range p.Errors {
		a.out.Fail("", err)
	}
	for _, d := range p.Spilled {
		a.out.Warn("", "The trace of "+d.Name+" has reached "+figures.Size(a.model.Docs.Memory)+": what follows is kept in a temporary file, not in memory")
	}
	for _, d := range p.Finished {
		a.launcher.Finished(d)
	}
	if p.Changed {
		a.launcher.SelectStep()
	}
}

// draw draws the panes that have changed.
func (a *App) draw() {
	ring := 0
	if a.keyRing && !a.widgets.ShowFocus() {
		ring = a.model.Focus
	}
	a.painter.Draw(ring)
	a.session.Pictures(a.painter)
}

// output collects the layers.
func (a *App) output(more bool) Output {
	out := Output{Next: -1, Cursor: a.cursor, Typing: a.typing, Title: "Whorl", Asks: a.out.Take(), Controls: a.controls}
	if w := a.model.Pane(a.model.Focus); w != nil {
		out.Title = w.Trace + " · Whorl"
	}
	out.Sounds, out.Ear = a.hearing.Sounds()
	out.Layers = a.layers()
	out.Changed = !slices.EqualFunc(out.Layers, a.lastLayers, func(l, m Layer) bool { return l.Rect == m.Rect && l.Revision == m.Revision && l.Plane == m.Plane })
	a.lastLayers = out.Layers
	wake := func(at time.Duration) {
		if at = max(at, a.window.Now); out.Next < 0 || at < out.Next {
			out.Next = at
		}
	}
	if more || a.painter.Behind || a.out.Changed || a.display.size != a.display.chosen && !a.pointer.widget {
		wake(a.window.Now)
	}
	if a.player.On {
		wake(a.window.Now + play.PlayEvery)
	}
	if a.model.Docs.Loading() || a.chooser.Waiting() || a.saving.Digests() {
		wake(a.window.Now + documents.PollEvery)
	}
	if at, ok := a.lessonsNext(); ok {
		wake(at)
	}
	if a.filters.Waits() {
		wake(a.window.Now + documents.PollEvery)
	}
	if a.nextPass >= 0 {
		wake(a.nextPass)
	}
	if at, ok := a.session.Due(); ok {
		wake(at)
	}
	if a.exampleAt >= 0 {
		wake(a.exampleAt)
	}
	if at, ok := a.fingersNext(); ok {
		wake(at)
	}
	if at, ok := a.model.Docs.Pumps(a.window.Now); ok {
		wake(at)
	}
	if a.trials.Pending() {
		wake(a.window.Now + documents.PollEvery)
	}
	for _, p := range a.model.Visible() {
		if d := a.model.Document(p); d != nil {
			if at, ok := p.Waits(d, a.window.Now); ok {
				wake(at)
			}
		}
	}
	return out
}

// layers lists the layers of the window, from back to front.
func (a *App) layers() (all []Layer) {
	full := scene.Rect{X1: math.Round(a.window.W * a.window.Scale), Y1: math.Round(a.window.H * a.window.Scale)}
	if full.X1 < 1 || full.Y1 < 1 {
		return nil
	}
	all = append(all, Layer{Rect: full, Revision: a.grounds[0], List: &a.chrome, Opaque: true})
	for _, p := range a.model.Visible() {
		base, over := a.painter.Layers(p)
		if base.List == nil || p.Body.W() <= 0 || p.Body.H() <= 0 {
			continue
		}
		r := a.window.Pixels(p.Body)
		all = append(all, Layer{Rect: r, Revision: base.Revision, List: base.List, Opaque: true, Plane: base.Plane})
		if over.List.Len() > 2 { // more than a clip
			all = append(all, Layer{Rect: r, Revision: over.Revision, List: over.List})
		}
	}
	if list, revision := a.session.Cursors(a.painter.NextRevision); list != nil {
		all = append(all, Layer{Rect: full, Revision: revision, List: list})
	}
	if a.popups.Len() > 0 {
		all = append(all, Layer{Rect: full, Revision: a.grounds[1], List: &a.popups})
	}
	return all
}
