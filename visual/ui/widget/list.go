package widget

import (
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// ListOptions describe the rows of a list. Only visible rows are drawn.
type ListOptions struct {
	N      int
	Height float32                // of a row, in points; 0 is Line
	Draw   func(i int, r ui.Rect) // draws row i
	Empty  string                 // shown if there are no rows
	Enter  func(i int)            // called after a double click on row i, with Single after a click or the key Enter; nil for no effect
	Single bool
	Reveal bool // scroll to the chosen row
}

// List draws a list. *chosen is the chosen row, -1 for none. List reports whether the user has chosen another row.
func List(c *ui.Context, r ui.Rect, name string, o ListOptions, chosen *int) bool {
	id := c.ID(name)
	c.Fill(r, c.Theme.Ground)
	scroll := ui.Data[float64](c, id)
	if o.Height == 0 {
		o.Height = c.Theme.Row
	}
	o.Height = max(o.Height, c.Theme.Least)
	h := c.Px(o.Height)
	total, view := float64(h)*float64(o.N), float64(r.H())
	t := c.Touch(id, r, ui.WantsFocus|ui.WantsGrab, "")
	c.WheelScroll(id.Child("//wheel"), r, scroll, total, view, 1)
	if o.N == 0 && o.Empty != "" {
		c.Label(r.Inset(c.Px(ui.Pad), 0), o.Empty, ui.Type{Color: c.Theme.Muted, Align: scene.Middle})
	}
	d := ui.Accessible{Role: ui.RoleGroup, Name: spoken(name) + ", " + figures.Counted(int64(o.N), "row")}
	if *chosen >= 0 && *chosen < o.N {
		d.Name += ", row " + strconv.Itoa(*chosen+1) + " chosen"
	}
	c.Describe(id, r, d)
	in := r
	if total > view {
		in.X1 = max(in.X1-c.Px(ui.ScrollWidth), in.X0)
	}
	was := *chosen
	under := -1
	_, y := c.Pointer()
	if i := int((float64(y-r.Y0) + *scroll) / float64(h)); c.Over(in) && i >= 0 && i < o.N {
		under = i
	}
	if (t.Down || c.PressedBy(id, ui.Secondary)) && under >= 0 {
		*chosen = under
		if t.Down && (o.Single || t.Clicks == 2) && o.Enter != nil {
			o.Enter(under)
		}
	}
	if e := c.Key(t); e != nil {
		if row, ok := rowKey(e, *chosen, o.N, max(int(r.H()/h)-1, 1)); ok {
			*chosen = row
			c.TakeEvent()
		} else if e.Name == "Enter" && o.Single && o.Enter != nil && *chosen >= 0 && *chosen < o.N {
			o.Enter(*chosen)
			c.TakeEvent()
		}
		*scroll = reveal(*scroll, float64(h), *chosen, view)
	}
	if o.Reveal {
		*scroll = reveal(*scroll, float64(h), *chosen, view)
	}
	*scroll = min(max(*scroll, 0), max(total-view, 0))
	c.Clip(r)
	first := int(*scroll / float64(h))
	for i := first; i < o.N; i++ {
		y := r.Y0 + ui.Whole(float32(float64(i)*float64(h)-*scroll))
		if y >= r.Y1 {
			break
		}
		cell := ui.Rect{X0: in.X0, Y0: y, X1: in.X1, Y1: y + h}
		switch {
		case i == *chosen && t.Focus:
			c.Fill(cell, c.Theme.Soft)
		case i == *chosen:
			c.Fill(cell, c.Theme.Soft.Mix(c.Theme.Ground, 0.35))
		case i == under && t.Hot:
			c.Fill(cell, c.Theme.Hover)
		}
		o.Draw(i, cell)
	}
	c.Unclip()
	c.ScrollBar(id.Child("//bar"), ui.Rect{X0: in.X1, Y0: r.Y0, X1: r.X1, Y1: r.Y1}, scroll, total, view, 1)
	if t.Ring {
		c.InnerRing(r)
	}
	return *chosen != was
}

// reveal returns the scroll position that shows row i, nearest to the present one.
func reveal(scroll, h float64, i int, view float64) float64 {
	if i < 0 {
		return scroll
	}
	return min(max(scroll, float64(i+1)*h-view), float64(i)*h)
}

// rowKey returns the row of n that a key moves to, -1 if there are none, and whether the key moves.
func rowKey(e *ui.Event, row, n, page int) (int, bool) {
	switch e.Name {
	case "ArrowUp":
		row--
	case "ArrowDown":
		row++
	case "PageUp":
		row -= page
	case "PageDown":
		row += page
	case "Home":
		row = 0
	case "End":
		row = n - 1
	default:
		return row, false
	}
	return max(min(row, n-1), min(0, n-1)), true
}
