package app

import (
	"fmt"
	"math"
	"slices"
	"time"

	"whorl/internal/figures"
	"whorl/visual/app/describe"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/play"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/workspace"
)

// Step handles the input and returns the picture of the window.
func (a *App) Step(in Input) Output {
	a.window.Now = in.Now
	if a.display.settle(a.pointer.OnWidget()) {
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
	a.course.Proceed()
	a.pump()
	a.hearing.Animate()
	if len(in.Events) > 0 || a.out.Changed || a.nextPass >= 0 && a.window.Now >= a.nextPass {
		a.handle(in.Events)
	}
	a.fingers.Rest()
	a.trials.Update()
	searches := a.finder.work(panes.WorkTime())
	searches = a.selections.Work() || searches
	searches = a.quick.Work(panes.WorkTime()) || searches
	searches = a.export.Work() || searches
	searches = a.exports.Work(panes.WorkTime()) || searches
	a.filters.Apply()
	a.course.Follow()
	more := a.stages.Work(panes.WorkTime())
	if !more {
		more = a.measuring.Work(panes.WorkTime())
	}
	if !more {
		more = a.questions.Work(panes.WorkTime())
	}
	if !more {
		more = a.course.Work(panes.WorkTime())
	}
	if !more {
		more = a.trials.Work(a.whatIf.Open, panes.WorkTime())
	}
	a.welcome.Work(a.runs.Open, panes.WorkTime())
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
	waits := a.trials.Busy() // the pictures of a trial come before words about the last ones
	if !waits && a.describer.Work(describe.DescribeTime) {
		out.Description = a.describer.Describe(&a.chrome, &a.popups)
	}
	if a.describer.Wanted && !waits {
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
	if a.pointer.KeyRing && !a.widgets.ShowFocus() {
		ring = a.model.Focus
	}
	a.painter.Draw(ring)
	a.session.Pictures(a.painter)
}

// output collects the layers.
func (a *App) output(more bool) Output {
	out := Output{Next: -1, Cursor: a.cursor, Typing: a.pointer.Typing, Title: "Whorl", Asks: a.out.Drain(), Controls: a.controls}
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
	if more || a.painter.Behind || a.out.Changed || a.display.size != a.display.chosen && !a.pointer.OnWidget() {
		wake(a.window.Now)
	}
	if a.player.On {
		wake(a.window.Now + play.PlayEvery)
	}
	if a.model.Docs.Loading() || a.chooser.Waiting() || a.saving.Digests() {
		wake(a.window.Now + documents.PollEvery)
	}
	if at, ok := a.course.Next(); ok {
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
	if at, ok := a.welcome.Next(); ok {
		wake(at)
	}
	if at, ok := a.fingers.Next(); ok {
		wake(at)
	}
	if at, ok := a.model.Docs.Pumps(a.window.Now); ok {
		wake(at)
	}
	if a.trials.Pending() || a.trials.Ranks() {
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
