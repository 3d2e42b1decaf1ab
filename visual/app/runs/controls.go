package runs

import (
	"strings"

	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Control is a button that steers a run.
type Control uint8

// The controls.
const (
	None  Control = iota
	Again         // run the program from the beginning
	Pause
	Resume
	Back // one reduction
	Step // one reduction
	Stop
)

// DrawControls draws the buttons for a run in a state, cut off the left of in. It returns the one that was pressed.
func DrawControls(c *ui.Context, in *ui.Rect, st *session.Status, stepTip, backTip string) (pressed Control) {
	button := func(name string, i icon.Icon, tip string, control Control, off bool) {
		c.Disabled = off
		if widget.IconButton(c, in.CutLeft(c.Px(c.Theme.Ctl)), name, i, tip) {
			pressed = control
		}
		c.Disabled = false
	}
	running, over := st.State == session.Running, st.State == session.Finished
	switch {
	case over:
		button("again", icon.Reload, "Run it again", Again, false)
	case running:
		button("pause", icon.Pause, "Pause the program (Space)", Pause, st.Unpausable)
	default:
		button("resume", icon.Play, "Resume the program (Space)", Resume, false)
	}
	button("back", icon.Back, backTip, Back, st.Reductions == 0 || running || st.Unpausable)
	if !over {
		button("step", icon.Step, stepTip, Step, running)
		button("stop", icon.Stop, "Stop the program", Stop, false)
	}
	return pressed
}

// DrawProgress draws in words how far a run is, cut off the left of in. Of a covered run it does not say how long it is.
func DrawProgress(c *ui.Context, in *ui.Rect, st *session.Status, covered bool) {
	in.CutLeft(c.Px(ui.Gap))
	text := progress(st)
	if covered {
		text, _, _ = strings.Cut(text, " at ")
		text, _, _ = strings.Cut(text, ":")
	}
	if widget.Narrow(c) { // nothing follows
		c.Label(*in, text, ui.Type{})
		return
	}
	width := min(c.TextWidth(text, ui.Type{})+c.Px(ui.Pad), in.W()/2)
	c.Label(in.CutLeft(width), text, ui.Type{})
	widget.Separator(c, in.CutLeft(c.Px(ui.Pad)))
	in.CutLeft(c.Px(ui.Gap))
}

// progress describes how far a run is.
func progress(st *session.Status) string {
	text := figures.Count(st.Reductions) + " reductions"
	if st.Steps {
		text = figures.Count(st.Reductions) + " forks and joins"
	}
	over := st.State == session.Finished
	if st.Unpausable || st.Steps && st.State != session.Paused || over && st.Reductions == 0 && st.Virtual > 0 { // nothing is counted meanwhile, or at all
		text = figures.Duration(st.Virtual)
	}
	switch {
	case st.State == session.Running:
		return "Running: " + text
	case st.State == session.Paused:
		return "Paused at " + text
	case st.Err != "":
		return "Stopped at " + text
	}
	return "Done: " + text
}
