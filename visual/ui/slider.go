package ui

import (
	"math"

	"whorl/visual/scene"
)

// A Range is the range of a slider.
type Range struct {
	Min, Max float64
	Step     float64 // values are Min plus multiples of it; 0 for any value
	Key      float64 // the step of an arrow key; 0 for Step, or a hundredth of the range
	Ticks    []Tick  // below the track
	Marks    []float64
	Format   func(float64) string // for the bubble over the handle while it is moved; nil shows none
}

// A Tick is a mark on a slider with a label. Labels that would touch the previous one are left out.
type Tick struct {
	At    float64
	Label string
}

// Slider draws a slider for *value. It reports whether the value has changed. r should be 28 points high, with ticks 36.
func (c *Context) Slider(r Rect, name string, value *float64, g Range) bool {
	id := c.id(name)
	t := c.touch(id, r, wantsFocus|wantsGrab, "")
	th := &c.Theme
	span := g.Max - g.Min
	knob := c.Px(6)
	track := Rect{r.X0 + knob, 0, max(r.X1-knob, r.X0+knob), 0}
	line := min(c.Px(Ctl), r.H())
	if len(g.Ticks) > 0 {
		line = min(c.Px(20), r.H())
	}
	cy := whole(r.Y0 + line/2)
	track.Y0, track.Y1 = cy-c.Px(2), cy+c.Px(2)
	was := *value
	set := func(v float64) { *value = g.fit(v) }
	if t.down || t.held || t.up {
		if track.W() > 0 {
			set(g.Min + float64((c.st.x-track.X0)/track.W())*span)
		}
	}
	if e := c.key(t); e != nil {
		c.sliderKey(e, g, *value, set)
	}
	x := func(v float64) float32 {
		if !(span > 0) {
			return track.X0
		}
		return track.X0 + float32(min(max((v-g.Min)/span, 0), 1))*track.W()
	}
	at := x(*value)
	on, handle, border := th.Accent, th.Raised, th.Accent
	switch {
	case c.Disabled:
		on, border = th.Border, th.Line
	case t.held:
		on, border = th.Lifted, th.Lifted
	case t.hot:
		on = th.Lifted
	}
	track = track.Cut(r)
	c.Round(track, c.Px(2), th.Sunken.Mix(th.Border, 0.5))
	c.Round(Rect{track.X0, track.Y0, whole(at), track.Y1}, c.Px(2), on)
	if line < 2*knob || r.W() < 4*knob { // no room for anything else
		return *value != was
	}
	for _, m := range g.Marks {
		mx := whole(x(m))
		c.Fill(Rect{mx, track.Y0 - c.Px(3), mx + c.Hair(), track.Y1 + c.Px(3)}, th.Muted)
	}
	c.sliderTicks(r, track, cy, g, x)
	c.out.Circle(whole(at), cy, knob, border)
	c.out.Circle(whole(at), cy, knob-max(c.Hair(), c.Px(1.5)), handle)
	if t.ring {
		c.focusRing(Rect{whole(at) - knob, cy - knob, whole(at) + knob, cy + knob}, knob)
	}
	if t.held && g.Format != nil {
		c.floating = g.Format(*value)
		c.floatAt = Rect{whole(at) - knob, cy - knob - c.Px(34), whole(at) + knob, cy - knob - c.Px(34)}
	}
	return *value != was
}

func (g *Range) fit(v float64) float64 {
	if g.Step > 0 {
		v = g.Min + float64(math.Round((v-g.Min)/g.Step)*g.Step)
	}
	if !(v >= g.Min) { // NaN too
		return g.Min
	}
	return min(v, max(g.Max, g.Min))
}

func (c *Context) sliderKey(e *Event, g Range, v float64, set func(float64)) {
	step := g.Key
	if step == 0 {
		step = g.Step
	}
	if step == 0 {
		step = (g.Max - g.Min) / 100
	}
	if e.Mods&Shift != 0 {
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
		set(g.Min)
	case "End":
		set(g.Max)
	default:
		return
	}
	c.take()
}

func (c *Context) sliderTicks(r, track Rect, cy float32, g Range, x func(float64) float32) {
	end := float32(math.Inf(-1))
	for _, k := range g.Ticks {
		kx := whole(x(k.At))
		if cy+c.Px(9) > r.Y1 {
			return
		}
		c.Fill(Rect{kx, cy + c.Px(5), kx + c.Hair(), cy + c.Px(9)}, c.Theme.Border)
		ty := Type{Size: Small, Color: c.Theme.Muted, Align: scene.Start}
		w := c.TextWidth(k.Label, ty)
		from := max(min(kx-whole(w/2), r.X1-w), r.X0)
		if k.Label == "" || from < end+c.Px(8) || w > r.W() {
			continue
		}
		end = from + w
		top := cy + c.Px(10)
		if h := c.Px(14); top+h <= r.Y1+1 {
			c.write(Rect{from, top, from + w + 1, top + h}, k.Label, ty)
		}
	}
}

// Progress draws a progress bar, from 0 to 1. A negative number stands for unknown progress.
func (c *Context) Progress(r Rect, done float64) {
	h := min(c.Px(4), r.H())
	y := whole((r.Y0 + r.Y1 - h) / 2)
	r.Y0, r.Y1 = y, y+h
	c.Round(r, h/2, c.Theme.Sunken.Mix(c.Theme.Border, 0.5))
	if done >= 0 {
		r.X1 = whole(r.X0 + r.W()*float32(min(done, 1)))
		c.Round(r, h/2, c.Theme.Accent)
		return
	}
	const period, frame = 1600, 80 // milliseconds: waiting must not keep the machine busy
	at := float32(c.in.Now.Milliseconds()/frame*frame%period) / period
	w := r.W() / 3
	x := r.X0 - w + at*(r.W()+w)
	c.Round(Rect{whole(max(x, r.X0)), r.Y0, whole(min(x+w, r.X1)), r.Y1}, h/2, c.Theme.Accent)
	c.Wake(c.in.Now + frame*1e6)
}
