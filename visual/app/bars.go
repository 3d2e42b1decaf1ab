package app

import (
	"math"
	"slices"

	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/visual/app/outbox"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// timeBar draws the bar along the bottom: the run of the focused pane, while it has one, and the time up to which the pictures show the
// traces, which can be moved and played.
func (a *App) timeBar(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Surface)
	edge := r
	c.Fill(edge.CutTop(c.Hair()), c.Theme.Line)
	in := r.Inset(c.Px(ui.Gap), c.Px(4))
	if d := a.model.Focused(); d != nil && d.Live != nil && !widget.Narrow(c) {
		a.runControls(c, &in, d)
	}
	from, to := a.model.Clock.Span()
	c.Disabled = to <= from
	if !widget.Narrow(c) {
		label := c.TextWidth("Time", ui.Type{}) + c.Px(4)
		c.Label(in.CutLeft(label), "Time", ui.Type{Color: c.Theme.Muted})
	}
	if a.launcher.Running() == nil {
		play := widget.ButtonOptions{Icon: icon.Play, Look: widget.Quiet}
		if a.player.On {
			play.Icon = icon.Pause
		}
		a.commandButton(c, &in, "play", play)
	}
	a.commandButton(c, &in, "sound", widget.ButtonOptions{Icon: icon.Sound, Look: widget.Quiet, On: a.hearing.On})
	a.speedChoice(c, &in)
	a.comparedControls(c, &in)
	in.CutLeft(c.Px(ui.Gap))
	time := to
	if u := a.model.State.Shared.Until; u != nil {
		time = min(max(*u, from), to)
	}
	text := figures.Duration(time-from) + " of " + figures.Duration(to-from)
	format := func(v float64) string { return figures.Duration(int64(v)) }
	most, unit := math.Max(float64(to-from), 1), 1.0 // of the slider, and the ns of its unit
	switch covered := a.model.Covers(a.model.Clock.Traces()...); {
	case a.model.Clock.InParts():
		text = figures.Percent(time-from, to-from) + " of each run"
	case covered: // a prediction may be about the length
		text = figures.Percent(time-from, to-from) + " of the run"
		format = func(v float64) string { return figures.Percent(int64(v*unit), to-from) }
		most, unit = 100, most/100
	}
	room := c.Px(150)
	if in.W() < 2*room {
		room = 0
	}
	c.Label(in.CutRight(room), text, ui.Type{Color: c.Theme.Muted, Align: scene.End})
	in.CutRight(c.Px(ui.Pad))
	v := float64(time-from) / unit
	if in.W() > c.Px(60) && widget.Slider(c, in, "until", &v, widget.SliderOptions{Range: widget.Range{Max: most}, Format: format}) {
		a.player.PauseAt(from+int64(math.Round(v*unit)), true)
	}
	c.Disabled = false
}

// runBar draws the controls of a run in a bar of their own, cut off the bottom of r, in a window that has no room for them in the bar of the time.
func (a *App) runBar(c *ui.Context, r *ui.Rect) {
	if d := a.model.Focused(); d != nil && d.Live != nil && widget.Narrow(c) {
		bar := r.CutBottom(c.Px(c.Theme.Bar))
		c.Fill(bar, c.Theme.Surface)
		in := bar.Inset(c.Px(ui.Gap), c.Px(4))
		c.Fill(bar.CutTop(c.Hair()), c.Theme.Line)
		a.runControls(c, &in, d)
	}
}

// drawWelcome draws the window while no trace is open, and does what the user asks there.
func (a *App) drawWelcome(c *ui.Context, r ui.Rect) {
	switch did := a.welcome.Draw(c, r); {
	case did.Own:
		a.runs.Own()
	case did.Command != "":
		a.perform(a.command(did.Command))
	case did.Path != "":
		a.OpenFile(a.chooser.Disk.File(did.Path))
	case did.Example != "":
		a.runs.Choose(did.Example)
		a.start(false)
	case did.Lesson != "":
		a.OpenLesson(did.Lesson)
	}
}

// start starts the run of the panel; paused, it stops before the first reduction.
func (a *App) start(paused bool) {
	r, err := a.runs.Run()
	if err != nil {
		a.out.Fail(outbox.AboutRun, err)
		return
	}
	d := a.launcher.Begin(r)
	if d == nil {
		return
	}
	if i := slices.IndexFunc(a.model.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == d.Name }); i >= 0 {
		a.actions.SetFocus(a.model.IDs[i]) // the bar shows its progress, and the keys step it
	}
	if paused {
		a.launcher.Steer(d, session.Command{Do: session.StepTo})
		a.state.Open = true
	}
}

// play plays on or pauses: the run of the focused pane until it ends, then the time.
func (a *App) play() {
	if !a.launcher.Play() {
		a.player.Toggle()
	}
}

// commandButton draws a button for a command, cut off the left of in.
func (a *App) commandButton(c *ui.Context, in *ui.Rect, name string, b widget.ButtonOptions) {
	cmd := a.command(name)
	b.Tip = cmd.tip()
	width := c.Px(c.Theme.Ctl)
	if b.Label != "" {
		width = widget.ButtonWidth(c, b)
	}
	if widget.Button(c, in.CutLeft(width), name, b) {
		a.perform(cmd)
	}
}

// iconButton draws a button of a command without a label, cut off a bar. more is added to its tip.
func (a *App) iconButton(c *ui.Context, cut func(float32) ui.Rect, name, more string) {
	cmd := a.command(name)
	c.Disabled = cmd.off != nil && cmd.off(a)
	if widget.IconButton(c, cut(c.Px(c.Theme.Ctl)), name, cmd.icon, cmd.tip()+more) {
		a.perform(cmd)
	}
	c.Disabled = false
}

// speedChoice draws the choice of the speed.
func (a *App) speedChoice(c *ui.Context, in *ui.Rect) {
	if in.W() < c.Px(320) {
		return
	}
	var names []string
	for k := -view.MaxSpeed; k <= view.MaxSpeed; k++ {
		names = append(names, view.SpeedText(k))
	}
	chosen := a.model.State.Shared.Speed + view.MaxSpeed
	in.CutLeft(c.Px(ui.Gap))
	r := in.CutLeft(c.Px(72))
	if widget.Dropdown(c, r, "speed", names, &chosen) {
		a.actions.Apply(view.Action{Do: view.SetSpeed, Index: chosen - view.MaxSpeed})
	}
	c.Tip(r, "Everything plays in "+figures.Duration(int64(a.model.Clock.Length()))+": slower ("+a.command("slower").keys[0].String()+") or faster ("+a.command("faster").keys[0].String()+")")
}

// comparedControls draws the choices of how runs beside each other go along.
func (a *App) comparedControls(c *ui.Context, in *ui.Rect) {
	if !a.model.Clock.Comparing() || in.W() < c.Px(420) {
		return
	}
	in.CutLeft(c.Px(ui.Gap))
	chosen := 0
	if a.model.State.Shared.Parts {
		chosen = 1
	}
	r := in.CutLeft(c.Px(104))
	c.Tip(r, a.command("parts").tip())
	if widget.Dropdown(c, r, "parts", []string{"Same time", "Same part"}, &chosen) {
		a.actions.Flag(view.SetParts, chosen == 1)
	}
	in.CutLeft(c.Px(4))
	a.commandButton(c, in, "apart", widget.ButtonOptions{Icon: icon.Link, Look: widget.Quiet, On: !a.model.State.Shared.Apart})
	in.CutLeft(c.Px(4))
	a.commandButton(c, in, "table", widget.ButtonOptions{Icon: icon.Table, Look: widget.Quiet})
}

// runControls draws the buttons that steer a run, and its progress.
func (a *App) runControls(c *ui.Context, in *ui.Rect, d *documents.Document) {
	c.Scope("live")
	defer c.Unscope()
	st := d.Live.Status
	step, back := a.command("step"), a.command("step back")
	switch runs.DrawControls(c, in, &st, step.tip(), back.tip()) {
	case runs.Again:
		a.launcher.GoTo(d, 0)
		a.launcher.Steer(d, session.Command{Do: session.Resume})
	case runs.Pause:
		a.launcher.Steer(d, session.Command{Do: session.Pause})
	case runs.Resume:
		a.launcher.Steer(d, session.Command{Do: session.Resume})
	case runs.Back:
		a.perform(back)
	case runs.Step:
		a.perform(step)
	case runs.Stop:
		a.launcher.Steer(d, session.Command{Do: session.Stop})
	}
	a.commandButton(c, in, "state", widget.ButtonOptions{Icon: icon.Table, Look: widget.Quiet, On: a.state.Open})
	runs.DrawProgress(c, in, &st, a.model.Covers(d.Name))
}
