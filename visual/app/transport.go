package app

import (
	"math"
	"slices"
	"time"

	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// The transport is the bar along the bottom: how far in time the pictures are shown, which can be moved and played, and the run that the
// focused pane's trace comes from, while there is one.

// PlayTime is how long the whole of a trace plays at first.
const PlayTime = 8 * time.Second

// playEvery is how often what plays is drawn.
const playEvery = 33 * time.Millisecond

// playing is an animation of the pictures over time.
type playing struct {
	on   bool
	last time.Duration // when it was drawn last
}

// times returns the span that all traces in the window cover together: one clock for all.
func (a *App) times() (from, to int64) {
	first := true
	for _, name := range a.inWindow() {
		if d := a.docs[name]; d != nil {
			f, t := d.span()
			if first {
				from, to, first = f, t, false
			}
			from, to = min(from, f), max(to, t)
		}
	}
	return from, to
}

// inWindow are the traces that panes show, in the order in which they were opened.
func (a *App) inWindow() []string {
	return slices.DeleteFunc(slices.Clone(a.State.Shared.Traces), func(name string) bool {
		return !slices.ContainsFunc(a.State.Personal.Panes, func(p view.Pane) bool { return p.Trace == name })
	})
}

// played is the time that plays: the window, where there is one, or all.
func (a *App) played() (from, to int64) {
	from, to = a.times()
	if w := a.State.Shared.Window; w != nil && w.First < to && w.Last > from {
		from, to = max(from, w.First), min(to, w.Last)
	}
	return from, to
}

// togglePlay begins to play, from the start when all of that is shown or none, or pauses.
func (a *App) togglePlay() {
	if a.play.on = !a.play.on; a.play.on {
		a.play.last = a.now
		from, to := a.played()
		if u := a.State.Shared.Until; u == nil || *u < from || *u >= to {
			a.until(from, false)
		}
	}
	a.changed = true
}

// until shows what happened until a time; at the end of all it shows everything.
func (a *App) until(at int64, more bool) {
	if _, to := a.times(); at >= to {
		a.act(view.Action{Do: view.SetUntil, More: more})
		return
	}
	a.act(view.Action{Do: view.SetUntil, Until: &at, More: more})
}

// animate moves a time that plays.
func (a *App) animate() {
	if !a.play.on {
		return
	}
	from, to := a.played()
	passed := min(a.now-a.play.last, time.Second)
	if passed <= 0 {
		return
	}
	a.play.last = a.now
	if !a.listen() {
		return
	}
	at := from
	if u := a.State.Shared.Until; u != nil {
		at = *u
	}
	after := at
	if at == from {
		after-- // the first ones belong to what plays
	}
	at += max(int64(float64(to-from)*float64(passed)/float64(a.playTime())), 1)
	at = min(at, to)
	a.until(at, true)
	a.hear(after, at, passed)
	if at >= to {
		a.play.on = false
	}
}

// playTime is how long all plays at the speed that is set.
func (a *App) playTime() time.Duration {
	return time.Duration(math.Ldexp(float64(PlayTime), -a.State.Shared.Speed))
}

// speedUp plays at twice the speed so many times.
func (a *App) speedUp(by int) {
	a.act(view.Action{Do: view.SetSpeed, Index: a.State.Shared.Speed + by})
}

// speedChoice sets the speed.
func (a *App) speedChoice(c *ui.Context, in *ui.Rect) {
	if in.W() < c.Px(320) {
		return
	}
	var names []string
	for k := -view.MaxSpeed; k <= view.MaxSpeed; k++ {
		names = append(names, view.SpeedText(k))
	}
	chosen := a.State.Shared.Speed + view.MaxSpeed
	in.CutLeft(c.Px(ui.Gap))
	r := in.CutLeft(c.Px(72))
	if c.Dropdown(r, "speed", names, &chosen) {
		a.act(view.Action{Do: view.SetSpeed, Index: chosen - view.MaxSpeed})
	}
	c.Tip(r, "All plays in "+figures.Duration(int64(a.playTime()))+": slower ("+a.commandNamed("slower").keys[0].String()+") or faster ("+a.commandNamed("faster").keys[0].String()+")")
}

// transport draws the bar.
func (a *App) transport(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Surface)
	edge := r
	c.Fill(edge.CutTop(c.Hair()), c.Theme.Line)
	in := r.Inset(c.Px(ui.Gap), c.Px(4))
	a.runControls(c, &in)
	from, to := a.times()
	c.Disabled = to <= from
	label := c.TextWidth("Time", ui.Type{}) + c.Px(4)
	c.Label(in.CutLeft(label), "Time", ui.Type{Color: c.Theme.Muted})
	cmd := a.commandNamed("play")
	glyph := icon.Play
	if a.play.on {
		glyph = icon.Pause
	}
	if c.IconButton(in.CutLeft(c.Px(ui.Ctl)), "play", glyph, cmd.tip()) {
		a.perform(cmd)
	}
	a.soundButton(c, &in)
	a.speedChoice(c, &in)
	a.comparedControls(c, &in)
	in.CutLeft(c.Px(ui.Gap))
	u := a.State.Shared.Until
	at := to
	if u != nil {
		at = min(max(*u, from), to)
	}
	text := figures.Duration(at-from) + " of " + figures.Duration(to-from)
	if a.inParts() {
		text = figures.Percent(at-from, to-from) + " of each run"
	}
	room := c.Px(150)
	if in.W() < 2*room {
		room = 0
	}
	c.Label(in.CutRight(room), text, ui.Type{Color: c.Theme.Muted, Align: scene.End})
	in.CutRight(c.Px(ui.Pad))
	v := float64(at - from)
	if in.W() > c.Px(60) && c.Slider(in, "until", &v, ui.Range{Max: float64(max(to-from, 1)), Format: func(v float64) string { return figures.Duration(int64(v)) }}) {
		a.play.on = false
		a.until(from+int64(v), true)
	}
	c.Disabled = false
}

// runControls steers the run of the focused pane's trace.
func (a *App) runControls(c *ui.Context, in *ui.Rect) {
	d := a.focused()
	if d == nil || d.live == nil {
		return
	}
	c.Scope("live")
	defer c.Unscope()
	st := d.live.status
	button := func(name string, g icon.Icon, tip string, off bool) bool {
		c.Disabled = off
		hit := c.IconButton(in.CutLeft(c.Px(ui.Ctl)), name, g, tip)
		c.Disabled = false
		return hit
	}
	over := st.State == Finished
	switch {
	case over:
		if button("again", icon.Reload, "Run it again", false) {
			a.goTo(d, 0)
			a.command(d, Command{Do: Resume})
		}
	case st.State == Running:
		if button("pause", icon.Pause, "Pause the program", st.Unpausable) {
			a.command(d, Command{Do: Pause})
		}
	default:
		if button("resume", icon.Play, "Let the program go on", false) {
			a.command(d, Command{Do: Resume})
		}
	}
	if button("back", icon.Back, a.commandNamed("step back").tip(), st.Reductions == 0 || st.State == Running || st.Unpausable) {
		a.perform(a.commandNamed("step back"))
	}
	if !over {
		if button("step", icon.Step, a.commandNamed("step").tip(), st.State == Running) {
			a.perform(a.commandNamed("step"))
		}
		if button("stop", icon.Stop, "Stop the program", false) {
			a.command(d, Command{Do: Stop})
		}
	}
	if c.Press(in.CutLeft(c.Px(ui.Ctl)), "state", ui.Press{Icon: icon.Table, Look: ui.Quiet, On: a.stateOpen, Tip: a.commandNamed("state").tip()}) {
		a.toggleState()
	}
	in.CutLeft(c.Px(ui.Gap))
	text := figures.Count(st.Reductions) + " reductions"
	if st.Steps {
		text = figures.Count(st.Reductions) + " forks and joins"
	}
	if st.Unpausable || st.Steps && st.State != Paused { // nobody counts meanwhile
		text = figures.Duration(st.Virtual)
	}
	switch {
	case st.State == Running:
		text = "Running: " + text
	case st.State == Paused:
		text = "Paused at " + text
	case st.Err != "":
		text = "Stopped at " + text
	default:
		text = "Done: " + text
	}
	width := min(c.TextWidth(text, ui.Type{})+c.Px(ui.Pad), in.W()/2)
	c.Label(in.CutLeft(width), text, ui.Type{})
	c.Separator(in.CutLeft(c.Px(ui.Pad)))
	in.CutLeft(c.Px(ui.Gap))
}

// focused is the document of the focused pane, nil for none.
func (a *App) focused() *document {
	if w := a.Pane(a.focus); w != nil {
		return a.docs[w.Trace]
	}
	return nil
}
