// Package widget has the widgets of the viewer: buttons, switches, sliders, menus, tabs, lists, text fields, editors and dialogs. Each is a
// function that draws the widget into a ui.Context at a place, under a name that is unique in its scope, and returns what the user did.
// The options of a widget X are XOptions; a result of several values is an XResult.
package widget

import (
	"cmp"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// Look is the prominence of a button.
type Look uint8

// The looks.
const (
	Plain Look = iota
	Primary
	Quiet // no border until the pointer is over it, for bars
)

// ButtonOptions describe a button.
type ButtonOptions struct {
	Label string
	Icon  icon.Icon // before the label; 0 is none
	Look  Look
	On    bool   // the button shows that something is on
	Tip   string // the tooltip, with the shortcut
}

// IconButton draws a square button for a bar, with an icon and a tooltip. It reports whether the button was pressed.
func IconButton(c *ui.Context, r ui.Rect, name string, g icon.Icon, tip string) bool {
	return Button(c, r, name, ButtonOptions{Icon: g, Tip: tip, Look: Quiet})
}

// Button draws a button. It reports whether the button was pressed.
func Button(c *ui.Context, r ui.Rect, name string, b ButtonOptions) bool {
	return c.Fired(drawButton(c, r, c.ID(name), b))
}

// ButtonWidth returns the width of a button with all of its label.
func ButtonWidth(c *ui.Context, b ButtonOptions) float32 {
	pad := float32(ui.Pad)
	if b.Label == "" {
		pad = (c.Theme.Ctl - ui.Icon) / 2
	}
	w := 2 * c.Px(pad)
	if b.Label != "" {
		w += c.TextWidth(b.Label, ui.Type{Face: face(b.Look)})
	}
	if b.Icon != icon.None {
		w += c.Px(ui.Icon)
		if b.Label != "" {
			w += c.Px(4)
		}
	}
	return w
}

// face returns the face of the label: bold where the button is the main one.
func face(l Look) scene.Face {
	if l == Primary {
		return scene.Bold
	}
	return scene.Regular
}

// drawButton draws a button and returns what the user does with it. A label that is cut becomes the tooltip.
func drawButton(c *ui.Context, r ui.Rect, id ui.ID, b ButtonOptions) ui.Touch {
	tip := b.Tip
	inner := r.Inset(c.Px(4), 0)
	wide := r.W() >= ButtonWidth(c, b)
	if tip == "" && !wide {
		tip = b.Label
	}
	t := c.Touch(id, r, ui.WantsFocus, tip)
	c.Describe(id, r, ui.Accessible{Role: ui.RoleButton, Name: cmp.Or(b.Label, b.Tip), On: b.On})
	ground, border, ink := buttonColors(c, b, t)
	radius := c.Px(ui.Corner)
	if border.A > 0 {
		c.Box(r, radius, ground, border)
	} else {
		c.Round(r, radius, ground)
	}
	// Icon and label form one block in the middle of the button.
	w := min(ButtonWidth(c, b)-2*c.Px(ui.Pad), inner.W())
	if b.Label == "" {
		w = min(ButtonWidth(c, b)-2*c.Px((c.Theme.Ctl-ui.Icon)/2), inner.W())
	}
	in := r.Center(w, r.H())
	if b.Icon != icon.None {
		c.Icon(in.CutLeft(c.Px(ui.Icon)), b.Icon, ink)
		if b.Label != "" {
			in.CutLeft(c.Px(4))
		}
	}
	c.Write(in, b.Label, ui.Type{Color: ink, Face: face(b.Look), Align: scene.Middle})
	if t.Ring {
		c.FocusRing(r, radius)
	}
	return t
}

// buttonColors returns the colours of the ground, the border and the text of a button.
func buttonColors(c *ui.Context, b ButtonOptions, t ui.Touch) (ground, border, ink scene.Color) {
	th := &c.Theme
	none := scene.Color{}
	if c.Disabled {
		if b.Look == Quiet {
			return none, none, th.Faint
		}
		return th.Surface, th.Line, th.Faint
	}
	pressed := t.Held && t.Hot
	switch {
	case b.Look == Primary && pressed:
		return th.Lifted.Mix(th.Shade, 0.15), none, th.On
	case b.Look == Primary && t.Hot:
		return th.Lifted, none, th.On
	case b.Look == Primary:
		return th.Accent, none, th.On
	case b.On && t.Hot:
		return th.Soft, th.Link, th.Ink
	case b.On:
		return th.Soft, th.Link.Alpha(120), th.Ink
	}
	ink, ground, border = th.Ink, th.Raised, th.Border
	if b.Look == Quiet {
		ground, border = none, none
	}
	switch {
	case pressed:
		ground = th.Press
	case t.Hot:
		ground = th.Hover
	}
	return ground, border, ink
}
