// Package gallery draws cards with small pictures, for the choice of a workspace or of an example. The pictures are those of the views themselves,
// computed while the gallery is open.
package gallery

import (
	"strings"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A Card is a choice with a picture.
type Card struct {
	Name       string // of its widget
	Title, Doc string
	Tip        string // more than Doc, "" for nothing
	Why        string // why it cannot be chosen, "" if it can
	Parts      []Part // of its picture
}

// A Part is a small picture and its place in the picture of a card, whose sides are 1.
type Part struct {
	Place scene.Rect
	Thumb *Thumb
}

// Sizes of cards in points.
const (
	cardWidth  = 220 // at least
	cardShape  = 0.6 // height of the picture, as a share of its width
	cardMargin = 10
)

// Columns returns the number of columns of cards for a width in points.
func Columns(width float32) int {
	return max(int((width+ui.Pad)/(cardWidth+ui.Pad)), 1)
}

// Height returns the height of a grid of n cards with some lines of text below their titles, for a width, both in points.
func Height(width float32, n, lines int) float32 {
	columns := Columns(width)
	rows := (n + columns - 1) / columns
	return float32(rows)*(cardHeight(width, lines)+ui.Pad) - ui.Pad
}

func cardHeight(width float32, lines int) float32 {
	columns := float32(Columns(width))
	w := (width - (columns-1)*ui.Pad) / columns
	return w*cardShape + ui.Line + float32(lines)*ui.Body*1.45 + cardMargin
}

// Cards draws a grid of cards with some lines of text in r, and returns the index of the one that was chosen, -1 for none.
func Cards(c *ui.Context, r ui.Rect, cards []Card, lines int) (chosen int) {
	chosen = -1
	width := r.W() / c.Scale
	columns, gap := Columns(width), c.Px(ui.Pad)
	w := ui.Whole((r.W() - float32(columns-1)*gap) / float32(columns))
	h := c.Px(cardHeight(width, lines))
	for i := range cards {
		x, y := r.X0+float32(i%columns)*(w+gap), r.Y0+float32(i/columns)*(h+gap)
		if card(c, ui.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}, &cards[i]) {
			chosen = i
		}
	}
	return chosen
}

// card draws a card and reports whether it was chosen.
func card(c *ui.Context, r ui.Rect, k *Card) bool {
	id := c.ID(k.Name)
	tip := k.Tip
	if k.Why != "" {
		tip = "Not for this trace: it " + k.Why
	}
	t := c.Touch(id, r, ui.WantsFocus, tip)
	c.Describe(id, r, ui.Accessible{Role: ui.RoleButton, Name: strings.TrimSpace(k.Title + ". " + k.Doc + " " + k.Why)})
	th := &c.Theme
	ground, border, title := th.Raised, th.Border, th.Ink
	switch {
	case k.Why != "":
		ground, border, title = th.Surface, th.Line, th.Muted
	case t.Held && t.Hot:
		ground = th.Press
	case t.Hot:
		ground, border = th.Hover, th.Link
	}
	c.Box(r, c.Px(ui.Corner), ground, border)
	in := r.Inset(c.Hair(), c.Hair())
	picture := in.CutTop(ui.Whole(r.W() * cardShape))
	k.draw(c, picture)
	c.Fill(ui.Rect{X0: picture.X0, Y0: picture.Y1, X1: picture.X1, Y1: picture.Y1 + c.Hair()}, th.Line)
	in = in.Inset(c.Px(cardMargin), 0)
	c.Label(in.CutTop(c.Px(c.Theme.Row)), k.Title, ui.Type{Face: scene.Bold, Color: title})
	text, ink := k.Doc, th.Muted
	if k.Why != "" {
		text, ink = strings.ToUpper(k.Why[:1])+k.Why[1:], th.Warn
	}
	c.Clip(in)
	c.Paragraph(in, text, ui.Type{Color: ink})
	c.Unclip()
	if t.Ring {
		c.FocusRing(r, c.Px(ui.Corner))
	}
	return c.Fired(t) && k.Why == ""
}

// draw draws the picture of a card with lines between its parts.
func (k *Card) draw(c *ui.Context, r ui.Rect) {
	if len(k.Parts) == 0 {
		c.Fill(r, c.Theme.Sunken)
		c.Icon(r, icon.Info, c.Theme.Muted)
		return
	}
	c.Fill(r, c.Theme.Line)
	at := func(from, length float32, share float64) float32 { return ui.Whole(from + length*float32(share)) }
	for _, p := range k.Parts {
		q := ui.Rect{X0: at(r.X0, r.W(), p.Place.X0), Y0: at(r.Y0, r.H(), p.Place.Y0), X1: at(r.X0, r.W(), p.Place.X1), Y1: at(r.Y0, r.H(), p.Place.Y1)}
		if p.Place.X1 < 1 {
			q.X1 -= c.Hair()
		}
		if p.Place.Y1 < 1 {
			q.Y1 -= c.Hair()
		}
		p.Thumb.Draw(c, q)
	}
}
