package widget

import (
	"math"

	"whorl/visual/ui"
)

// A Range holds the values that a slider can have.
type Range struct {
	Min, Max float64
	Step     float64 // values are Min plus multiples of it; 0 for any value
}

// SliderOptions describe a slider.
type SliderOptions struct {
	Range
	Format func(float64) string // for the bubble over the handle while it is moved; nil shows none
}

// Slider draws a slider for *value. It reports whether the value has changed. r should be 28 points high.
func Slider(c *ui.Context, r ui.Rect, name string, value *float64, o SliderOptions) bool {
	id := c.ID(name)
	t := c.Touch(id, r, ui.WantsFocus|ui.WantsGrab|ui.WantsSlide, "")
	th := &c.Theme
	span := o.Max - o.Min
	knob := c.Px(6)
	track := ui.Rect{X0: r.X0 + knob, Y0: 0, X1: max(r.X1-knob, r.X0+knob), Y1: 0}
	line := min(c.Px(c.Theme.Ctl), r.H())
	cy := ui.Whole(r.Y0 + line/2)
	track.Y0, track.Y1 = cy-c.Px(2), cy+c.Px(2)
	was := *value
	set := func(v float64) { *value = o.fit(v) }
	if t.Down || t.Held || t.Up {
		if x, _ := c.Pointer(); track.W() > 0 {
			set(o.Min + float64((x-track.X0)/track.W())*span)
		}
	}
	if e := c.Key(t); e != nil {
		sliderKey(c, e, o.Range, *value, set)
	}
	x := func(v float64) float32 {
		if !(span > 0) {
			return track.X0
		}
		return track.X0 + float32(min(max((v-o.Min)/span, 0), 1))*track.W()
	}
	at := x(*value)
	d := ui.Accessible{Role: ui.RoleSlider, Name: spoken(name), Now: *value, Min: o.Min, Max: o.Max}
	if o.Format != nil {
		d.Value = o.Format(*value)
	}
	c.Describe(id, r, d)
	on, handle, border := th.Accent, th.Raised, th.Accent
	switch {
	case c.Disabled:
		on, border = th.Border, th.Line
	case t.Held:
		on, border = th.Lifted, th.Lifted
	case t.Hot:
		on = th.Lifted
	}
	track = track.Cut(r)
	c.Round(track, c.Px(2), th.Sunken.Mix(th.Border, 0.5))
	c.Round(ui.Rect{X0: track.X0, Y0: track.Y0, X1: ui.Whole(at), Y1: track.Y1}, c.Px(2), on)
	if line < 2*knob || r.W() < 4*knob { // no room for anything else
		return *value != was
	}
	c.Out().Circle(ui.Whole(at), cy, knob, border)
	c.Out().Circle(ui.Whole(at), cy, knob-max(c.Hair(), c.Px(1.5)), handle)
	if t.Ring {
		c.FocusRing(ui.Rect{X0: ui.Whole(at) - knob, Y0: cy - knob, X1: ui.Whole(at) + knob, Y1: cy + knob}, knob)
	}
	if t.Held && o.Format != nil {
		c.Bubble(o.Format(*value), ui.Rect{X0: ui.Whole(at) - knob, Y0: cy - knob - c.Px(34), X1: ui.Whole(at) + knob, Y1: cy - knob - c.Px(34)})
	}
	return *value != was
}

// fit returns the value of the range nearest to v.
func (r Range) fit(v float64) float64 {
	if r.Step > 0 {
		v = r.Min + float64(math.Round((v-r.Min)/r.Step)*r.Step)
	}
	if !(v >= r.Min) { // NaN too
		return r.Min
	}
	return min(v, max(r.Max, r.Min))
}

// sliderKey handles a key: an arrow key moves by a step, or by a hundredth of the range if any value is allowed.
func sliderKey(c *ui.Context, e *ui.Event, r Range, v float64, set func(float64)) {
	step := r.Step
	if step == 0 {
		step = (r.Max - r.Min) / 100
	}
	if e.Mods&ui.Shift != 0 {
		step *= 10
	}
	switch e.Name {
	case "ArrowLeft", "ArrowDown":
		set(v - step)
	case "ArrowRight", "ArrowUp":
		set(v + step)
	case "PageDown":
		set(v - 10*step)
	case "PageUp":
		set(v + 10*step)
	case "Home":
		set(r.Min)
	case "End":
		set(r.Max)
	default:
		return
	}
	c.TakeEvent()
}
