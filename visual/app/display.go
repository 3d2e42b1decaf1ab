package app

import (
	"fmt"
	"slices"

	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/workspace"
)

// sizes lists the sizes of text and controls. The size of the system is 1.
var sizes = []float64{0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3}

// display is the dialog for the size of text and controls and for the colours, and the size that was chosen there.
type display struct {
	open   bool
	size   float64 // of text and controls, 1 for that of the system
	chosen float64 // the size is this once the pointer has left the slider
}

// points returns the input in points of the chosen size.
func (d *display) points(in Input) Input {
	if d.size == 1 {
		return in
	}
	in.Scale *= d.size
	in.W /= d.size
	in.H /= d.size
	in.Events = slices.Clone(in.Events)
	for i := range in.Events {
		in.Events[i].X /= d.size
		in.Events[i].Y /= d.size
	}
	return in
}

// settle makes the chosen size the size, unless the pointer holds the slider, which would move away under it. It reports whether the size has changed.
func (d *display) settle(held bool) bool {
	if held || d.size == d.chosen {
		return false
	}
	d.size = d.chosen
	return true
}

// step chooses the next larger or smaller size.
func (d *display) step(by int) {
	i := slices.Index(sizes, d.chosen)
	d.chosen = sizes[min(max(i+by, 0), len(sizes)-1)]
}

// drawDisplay draws the dialog while it is open.
func (a *App) drawDisplay(c *ui.Context) {
	d := &a.display
	const label = 132
	row := c.Theme.Ctl + ui.Pad
	widget.Dialog(c, "display", &d.open, widget.DialogOptions{Title: "Size and colours", W: 420, H: 4*row - ui.Pad}, func(r ui.Rect) {
		line := func(name string) ui.Rect {
			in := r.CutTop(c.Px(c.Theme.Ctl))
			r.CutTop(c.Px(ui.Pad))
			c.Label(in.CutLeft(c.Px(label)), name, ui.Type{})
			return in
		}
		in := line("Text and controls")
		c.Label(in.CutRight(c.Px(64)), percent(d.chosen), ui.Type{Color: c.Theme.Muted, Align: scene.End})
		at := float64(slices.Index(sizes, d.chosen))
		if widget.Slider(c, in, "size", &at, widget.SliderOptions{Range: widget.Range{Max: float64(len(sizes) - 1), Step: 1}, Format: func(v float64) string { return percent(sizes[int(v)]) }}) {
			d.chosen = sizes[int(at)]
			a.out.Redraw()
		}
		fingers := 0
		if a.fingers.Coarse {
			fingers = 1
		}
		if widget.Segments(c, line("Controls"), "controls", []string{"For a mouse", "For fingers"}, &fingers) {
			a.fingers.Coarse = fingers == 1
			a.out.Redraw()
		}
		dark := 0
		if a.model.Dark {
			dark = 1
		}
		if widget.Segments(c, line("Background"), "background", []string{"Light", "Dark"}, &dark) {
			a.actions.Edit(func(w *workspace.Workspace) error { w.Dark = dark == 1; return nil })
		}
		a.paletteChoice(c, line("Colours of all panes"))
	})
}

// percent formats a size.
func percent(size float64) string { return fmt.Sprintf("%.0f %%", 100*size) }
