package ui

import (
	"fmt"
	"slices"
	"time"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// Severity is the severity of a message.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Success
	Warning
	Failure
)

// SeverityLook returns the colour and the icon of a severity.
func (c *Context) SeverityLook(s Severity) (scene.Color, icon.Icon) {
	switch s {
	case Success:
		return c.Theme.Good, icon.Check
	case Warning:
		return c.Theme.Warn, icon.Warning
	case Failure:
		return c.Theme.Danger, icon.Failure
	}
	return c.Theme.Link, icon.Info
}

type toast struct {
	severity Severity
	text     string
	until    time.Duration // when it goes; 0 until it is first shown
	n        int64
}

const (
	toastTime = 6 * time.Second
	maxToasts = 4   // that are shown at once
	maxKept   = 100 // shown and waiting
)

// Notify shows a message in a corner of the window for a while. A failure stays until the user closes it.
func (st *State) Notify(s Severity, text string) {
	n := int64(0)
	if k := len(st.toasts); k > 0 {
		last := &st.toasts[k-1]
		n = last.n + 1
		if last.text == text && last.severity == s { // repeated
			last.until = 0
			return
		}
		if k == maxKept {
			st.toasts = st.toasts[1:]
		}
	}
	st.toasts = append(st.toasts, toast{severity: s, text: text, n: n})
}

// Toasts sets the part of the window for messages. They appear in the corner where they cover the fewest controls.
func (c *Context) Toasts(r Rect) { c.toasts = r }

// drawToasts draws the newest messages and removes those whose time is over or whose cross was pressed.
func (c *Context) drawToasts() {
	st := c.st
	kept := make([]toast, 0, len(st.toasts))
	for i, t := range st.toasts {
		if i < len(st.toasts)-maxToasts { // its time begins when it is visible
			t.until = 0
			kept = append(kept, t)
			continue
		}
		if t.until == 0 {
			t.until = c.in.Now + toastTime
		}
		if t.severity != Failure {
			if c.in.Now >= t.until {
				c.again = true
				continue
			}
			c.Wake(t.until)
		}
		kept = append(kept, t)
	}
	older, shown := kept[:max(len(kept)-maxToasts, 0)], kept[max(len(kept)-maxToasts, 0):]
	if n := len(older); n > 0 {
		shown = append([]toast{{text: fmt.Sprintf("%d earlier messages: close others to see them", n), n: -1}}, shown...)
	}
	boxes := c.toastPlaces(shown)
	st.toasts = slices.Clone(older)
	for i, t := range shown {
		switch closed := c.drawToast(t, boxes[i]); {
		case closed && t.n < 0:
			st.toasts, c.again = nil, true
		case closed:
			c.again = true
		case t.n >= 0:
			st.toasts = append(st.toasts, t)
		}
	}
}

const toastLines = 6

// toastSize returns the size of a message.
func (c *Context) toastSize(t toast) (w, h float32) {
	style, side := c.Style(Type{}), c.Px(36)
	w = max(min(c.Px(400), c.toasts.W()-c.Px(32)), 0)
	lines := wrap(c.Text, t.text, w-2*side, style)
	if len(lines) == 1 {
		w = min(w, c.TextWidth(t.text, Type{})+2*side)
	}
	return w, Whole(style.Size*1.45)*float32(min(len(lines), toastLines)) + 2*c.Px(10)
}

// toastPlaces returns the places of messages above each other, the newest next to the corner.
func (c *Context) toastPlaces(ts []toast) []Rect {
	var best []Rect
	least := float32(-1)
	in := c.toasts.Inset(c.Px(16), c.Px(16))
	for corner := range 4 { // below on the left, below on the right, above
		boxes := make([]Rect, len(ts))
		at, covered := float32(0), float32(0)
		for i := range slices.Backward(ts) {
			w, h := c.toastSize(ts[i])
			b := Rect{in.X0, in.Y1 - at - h, in.X0 + w, in.Y1 - at}
			if corner%2 == 1 {
				b = b.Move(in.X1-in.X0-w, 0)
			}
			if corner >= 2 {
				b = b.Move(0, in.Y0+in.Y1-b.Y0-b.Y1)
			}
			boxes[i] = b
			covered += c.covered(b)
			at += h + c.Px(8)
		}
		if least < 0 || covered < least {
			best, least = boxes, covered
		}
	}
	return best
}

// covered returns the area of the controls below r in pixels.
func (c *Context) covered(r Rect) (area float32) {
	lowest := 0
	for i := range c.layers {
		if c.layers[i].modal {
			lowest = i + 1
		}
	}
	for i := range c.regions {
		if q := &c.regions[i]; q.wants&wantsPointer != 0 && q.layer >= lowest && q.layer < topLayer {
			if o := q.rect.Cut(r); !o.Empty() {
				area += o.W() * o.H()
			}
		}
	}
	return area
}

// drawToast draws a message. It reports whether its cross was pressed.
func (c *Context) drawToast(t toast, box Rect) bool {
	line, side := Whole(c.Style(Type{}).Size*1.45), c.Px(36)
	id := rootScope.Child("toast").Part(int(t.n))
	c.put(id.Child("/ground"), box, wantsPointer, "")
	c.Float(box, c.Px(6), c.Theme.Raised)
	col, sign := c.SeverityLook(t.severity)
	c.Fill(Rect{box.X0 + c.Hair(), box.Y0 + c.Px(8), box.X0 + c.Px(3) + c.Hair(), box.Y1 - c.Px(8)}, col)
	c.Icon(Rect{box.X0 + c.Px(12), box.Y0 + c.Px(10), box.X0 + c.Px(12+Icon), box.Y0 + c.Px(10) + line}, sign, col)
	c.Paragraph(Rect{box.X0 + side, box.Y0 + c.Px(10), box.X1 - side, box.Y1}, t.text, Type{})
	shut := Rect{box.X1 - c.Px(30), box.Y0 + c.Px(8), box.X1 - c.Px(6), box.Y0 + c.Px(32)}
	return c.Fired(c.SmallButton(shut, id, icon.Close, "Dismiss", 0))
}
