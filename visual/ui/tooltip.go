package ui

import (
	"slices"
	"time"

	"whorl/visual/scene"
)

const (
	tipDelay = 500 * time.Millisecond
	tipWarm  = 300 * time.Millisecond // within this time after a tooltip the next comes at once
	tipWidth = 320                    // points
	tipLines = 12
)

// drawTip draws the tooltip of the region on which the pointer rests.
func (c *Context) drawTip() {
	st := c.st
	if st.active != 0 {
		return
	}
	r := c.tipped()
	if r == nil {
		st.tip, st.tipMute = 0, 0
		return
	}
	now, id := c.in.Now, r.id.Child(r.tip)
	if st.tip != id {
		st.tip, st.tipMute, st.tipSince = id, 0, now
		if st.tipShown > 0 && now-(st.tipShown-1) <= tipWarm {
			st.tipSince = now - tipDelay
		}
	}
	if st.tipMute == id {
		return
	}
	if at := st.tipSince + tipDelay; now < at {
		c.Wake(at)
		return
	}
	st.tipShown = now + 1
	c.bubble(r.tip, r.rect, st.x, st.y)
}

// tipped returns the topmost region with a tooltip under the pointer, nil if a region without one covers it.
func (c *Context) tipped() *region {
	if c.aimed < 0 {
		return nil
	}
	for i := range slices.Backward(c.regions) {
		r := &c.regions[i]
		if r.layer != c.aimed || !r.rect.Contains(c.st.x, c.st.y) {
			continue
		}
		if r.tip != "" {
			return r
		}
		if r.wants&wantsPointer != 0 {
			return nil
		}
	}
	return nil
}

// bubble draws a text in a box beside r, near the point (x, y).
func (c *Context) bubble(text string, r Rect, x, y float32) {
	style := c.Style(Type{Size: 12})
	var width, line float32 = 0, Whole(style.Size * 1.4)
	most := max(min(c.Px(tipWidth), c.in.W-c.Px(32)), 0)
	lines := wrap(c.Text, text, most, style)
	if len(lines) > tipLines {
		lines = append(lines[:tipLines], "…")
	}
	for _, l := range lines {
		width = min(max(width, c.Text.Width(l, style.Size, style.Face)), most)
	}
	w, h := Whole(width+0.5)+2*c.Px(8), line*float32(len(lines))+2*c.Px(4)
	left := x - c.Px(12)
	if r.W() < w+c.Px(48) {
		left = Whole((r.X0 + r.X1 - w) / 2)
	}
	left = max(min(left, c.in.W-w-c.Px(4)), c.Px(4))
	top := r.Y1 + c.Px(6)
	if r.H() > c.Px(64) {
		top = y + c.Px(20)
	}
	if top+h > c.in.H-c.Px(4) {
		top = max(min(r.Y0, y)-c.Px(6)-h, 0)
	}
	box := Rect{Whole(left), Whole(top), Whole(left) + w, Whole(top) + h}
	ground, ink := c.tipColors()
	c.shadow(box, c.Px(Corner))
	c.Round(box, c.Px(Corner), ground)
	for i, l := range lines {
		y := box.Y0 + c.Px(4) + float32(i)*line
		c.Write(Rect{box.X0 + c.Px(8), y, box.X1 - c.Px(8) + 1, y + line}, l, Type{Size: 12, Color: ink})
	}
}

// tipColors returns the colours of tooltips, inverted, so that a tooltip does not look like a part of the window.
func (c *Context) tipColors() (ground, ink scene.Color) {
	if c.Theme.Dark {
		return c.Theme.Ink, c.Theme.Ground
	}
	return c.Theme.Ink.Mix(c.Theme.Ground, 0.08), c.Theme.Ground
}
