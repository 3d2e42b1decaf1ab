package ui

import (
	"time"

	"whorl/visual/scene"
)

// Severity is how bad something is.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Success
	Warning
	Failure
)

func (c *Context) severity(s Severity) (scene.Color, Glyph) {
	switch s {
	case Success:
		return c.Theme.Good, CheckGlyph
	case Warning:
		return c.Theme.Warn, WarningGlyph
	case Failure:
		return c.Theme.Danger, FailureGlyph
	}
	return c.Theme.Link, InfoGlyph
}

// Message is a line that says what has happened, with a sign of how bad it is.
func (c *Context) Message(r Rect, s Severity, text string) {
	col, icon := c.severity(s)
	left := r.CutLeft(c.Px(Icon + 8))
	c.Glyph(Rect{left.X0, left.Y0, left.X0 + c.Px(Icon), left.Y1}.Cut(left), icon, col)
	c.Label(r, text, Type{})
}

type toast struct {
	severity Severity
	text     string
	until    time.Duration // 0 until it is first shown
	n        int64
}

const (
	toastTime = 6 * time.Second
	maxToasts = 4
)

// Notify shows a message in the corner of the window for a while; one that tells of a failure stays until it is closed.
func (st *State) Notify(s Severity, text string) {
	n := int64(0)
	if k := len(st.toasts); k > 0 {
		last := &st.toasts[k-1]
		n = last.n + 1
		if last.text == text && last.severity == s { // again
			last.until = 0
			return
		}
		if k == maxToasts {
			st.toasts = st.toasts[1:]
		}
	}
	st.toasts = append(st.toasts, toast{severity: s, text: text, n: n})
}

func (c *Context) drawToasts() {
	st := c.st
	y := c.in.H - c.Px(16)
	kept := make([]toast, 0, len(st.toasts))
	for i := len(st.toasts) - 1; i >= 0; i-- { // the newest below
		t := st.toasts[i]
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
		style := c.style(Type{})
		side := c.Px(36)
		width := min(c.Px(400), c.in.W-c.Px(32))
		text := width - 2*side
		lines := wrap(c.Text, t.text, text, style)
		if len(lines) == 1 {
			text = min(text, c.TextWidth(t.text, Type{}))
			width = text + 2*side
		}
		line := whole(style.Size * 1.45)
		h := line*float32(min(len(lines), 6)) + 2*c.Px(10)
		box := Rect{c.in.W - c.Px(16) - width, y - h, c.in.W - c.Px(16), y}
		y = box.Y0 - c.Px(8)
		id := rootScope.child("toast").at(int(t.n))
		c.put(id.child("/ground"), box, wantsPointer, "")
		c.float(box)
		col, icon := c.severity(t.severity)
		c.Fill(Rect{box.X0 + c.hair(), box.Y0 + c.Px(8), box.X0 + c.Px(3) + c.hair(), box.Y1 - c.Px(8)}, col)
		c.Glyph(Rect{box.X0 + c.Px(12), box.Y0 + c.Px(10), box.X0 + c.Px(12+Icon), box.Y0 + c.Px(10) + line}, icon, col)
		c.Paragraph(Rect{box.X0 + side, box.Y0 + c.Px(10), box.X0 + side + text, box.Y1}, t.text, Type{})
		shut := Rect{box.X1 - c.Px(30), box.Y0 + c.Px(8), box.X1 - c.Px(6), box.Y0 + c.Px(32)}
		if c.fired(c.drawIcon(shut, id, CloseGlyph, "Dismiss", 0)) {
			c.again = true
			continue
		}
		kept = append([]toast{t}, kept...)
	}
	st.toasts = kept
}
