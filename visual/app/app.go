package app

import (
	"errors"
	"io"
	"time"

	"whorl/experiment"
	"whorl/lesson"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/app/chooser"
	"whorl/visual/app/course"
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
	"whorl/visual/app/pointing"
	"whorl/visual/app/questions"
	"whorl/visual/app/quick"
	"whorl/visual/app/runs"
	"whorl/visual/app/saving"
	"whorl/visual/app/settings"
	"whorl/visual/app/sharing"
	"whorl/visual/app/tiles"
	"whorl/visual/app/welcome"
	"whorl/visual/app/whatif"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/share"
	"whorl/visual/ui"
	"whorl/visual/view"
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

// An App is the viewer: the parts that hold and change the open workspace, and around them the bars, menus, panels and dialogs, each with its own
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
	questions  *questions.Dialog
	welcome    *welcome.Page
	quick      *quick.Finder
	course     *course.Course
	display    display
	whatIf     whatif.Panel
	placing    runs.Placing
	note       note
	field      *expression.Field
	export     *export.Dialog
	exports    *export.Exports
	menu       nodeMenu
	help       keys.Help
	pointer    *pointing.Pointer
	fingers    *pointing.Fingers
	tiles      *tiles.Tiles
	widgets    ui.State
	chrome     scene.List
	popups     scene.List
	sums       [2]uint64 // of the two lists
	grounds    [2]uint64 // revisions of the two
	nextPass   time.Duration
	cursor     ui.Cursor
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
	networks := panes.NewNetworks(model, window, out)
	networks.Workspace = func() string { return a.saving.Path() }
	files := &chooser.Chooser{Disk: o.Disk}
	saving := saving.New(model, links, cameras, actions, window, out, files, o.Fetch)
	player := play.NewPlayer(&model.Clock, actions, window, out)
	launcher := launch.NewLauncher(model, links, actions, window, out)
	trials := whatif.NewTrials(model, links, actions, window, out)
	painter := painter.New(model, links, cameras, window, out)
	selections := expression.NewSelections(model, actions, out)
	panel := lessons.New(o.Lessons, o.Progress, model.Arranger.Kinds)
	*a = App{
		lessons:  panel,
		export:   export.New(model, links, cameras, window, out, saving, selections.Text),
		exports:  export.NewExports(model, networks, out, saving),
		networks: networks,
		out:      out, window: window, model: model, links: links, cameras: cameras, actions: actions, player: player, launcher: launcher,
		stages:  panes.NewStages(networks, cameras, o.Memory),
		painter: painter,
		hearing: play.NewHearing(model, cameras, player, window, out),
		sources: launch.NewSourceEditor(model, actions, launcher, saving, out),
		filters: expression.NewFilters(model, links, actions, window, out, selections),
		saving:  saving, chooser: files, finder: &finder{actions: actions, out: out}, selections: selections, trials: trials,
		measuring: measuring.New(model, links, actions, window), describer: describe.New(model, cameras, painter),
		session:  sharing.New(model, cameras, actions, window, player, panel, saving, out, o.Host),
		windows:  detach.New(model, links, cameras, actions, window, saving, out, o.Window, o.Wake),
		tiles:    tiles.New(model, cameras, actions, window, out),
		settings: settings.New(), runs: runs.NewPanel(), compare: runs.NewComparison(), commands: commands(), nextPass: -1,
		display: display{size: 1, chosen: 1},
	}
	a.course = course.New(panel, model, actions, window, out, saving, a.session, o.Memory)
	a.field = expression.NewField(model, actions, selections, &a.widgets)
	a.quick = quick.New(model, actions, out, quick.Shell{Commands: a.commandEntries, OfPane: func(p *panes.Pane) []quick.Entry {
		return append(a.viewEntries(p), a.settingEntries(p)...)
	}})
	a.questions = questions.New(model, actions, window, out, o.Memory)
	a.welcome = welcome.New(model, window, out, files, panel, o.Memory)
	a.export.Film = o.Film
	a.pointer = pointing.New(model, cameras, actions, window, out, pointing.Shell{Widgets: a.runWidgets, Do: a.do, Menu: func(p *panes.Pane, x, y float64) {
		a.menu = nodeMenu{open: true, x: x, y: y, pane: p.ID}
	}})
	a.fingers = pointing.NewFingers(a.pointer, &a.widgets)
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

// OpenLesson opens a lesson with its runs.
func (a *App) OpenLesson(name string) {
	a.lessons.Show(name)
	a.out.Redraw()
}

// Join joins a shared session.
func (a *App) Join(access share.Access) { a.session.Join(access) }

// Attach makes this the window of panes that another window has detached, and sends over the connection.
func (a *App) Attach(c io.ReadWriteCloser) { a.windows.Attach(c) }

// Close stops all runs and closes all traces. The viewer is not used afterwards.
func (a *App) Close() {
	a.windows.Close()
	a.session.Close()
	a.welcome.Close()
	a.course.Close()
	a.lessons.Close()
	a.model.Docs.Close()
}
