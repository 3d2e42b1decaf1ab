package ui

import "whorl/visual/scene"

// Rows are the rows of a list. Only visible rows are drawn.
type Rows struct {
	N      int
	Height float32                              // of a row, in points; 0 is Line
	Draw   func(i int, r Rect, ink scene.Color) // draws row i; ink is the colour of its text
	Text   func(i int) string                   // used if Draw is nil, and to find a row by its first letter
	Empty  string                               // shown if there are no rows
}

// Listed describes what the user did with a list; rows are -1 for none.
type Listed struct {
	Changed bool // another row was chosen
	Opened  int  // the row of a double click or of Enter
	Hover   int
	Menu    int // the row that was pressed with the secondary button, at X, Y
	X, Y    float32
}

// List draws a list. *at is the chosen row, -1 for none.
func (c *Context) List(r Rect, name string, rows Rows, at *int) Listed {
	id := c.id(name)
	res := Listed{Opened: -1, Hover: -1, Menu: -1}
	c.Fill(r, c.Theme.Ground)
	scroll := data[float64](c, id)
	if rows.Height == 0 {
		rows.Height = Line
	}
	h := c.Px(rows.Height)
	total, view := float64(h)*float64(rows.N), float64(r.H())
	t := c.touch(id, r, wantsFocus|wantsGrab, "")
	c.wheelScroll(id.child("//wheel"), r, scroll, total, view, 1)
	if rows.N == 0 && rows.Empty != "" {
		c.Label(r.Inset(c.Px(Pad), 0), rows.Empty, Type{Color: c.Theme.Muted, Align: scene.Middle})
	}
	in := r
	if total > view {
		in.X1 = max(in.X1-c.Px(scrollWidth), in.X0)
	}
	was := *at
	under := -1
	if i := int((float64(c.st.y-r.Y0) + *scroll) / float64(h)); in.Has(c.st.x, c.st.y) && i >= 0 && i < rows.N {
		under = i
	}
	if t.hot {
		res.Hover = under
	}
	if c.secondary(id) && under >= 0 {
		*at, res.Menu, res.X, res.Y = under, under, c.st.x, c.st.y
	}
	if t.down && under >= 0 {
		*at = under
		if t.clicks == 2 {
			res.Opened = under
		}
	}
	if e := c.key(t); e != nil {
		c.listKey(e, rows, at, max(int(r.H()/h)-1, 1), &res)
		*scroll = reveal(*scroll, float64(h), *at, view)
	}
	*scroll = min(max(*scroll, 0), max(total-view, 0))
	c.Clip(r)
	first := int(*scroll / float64(h))
	for i := first; i < rows.N; i++ {
		y := r.Y0 + whole(float32(float64(i)*float64(h)-*scroll))
		if y >= r.Y1 {
			break
		}
		cell := Rect{in.X0, y, in.X1, y + h}
		c.rowGround(cell, i == *at, i == res.Hover, t.focus)
		if rows.Draw != nil {
			rows.Draw(i, cell, c.Theme.Ink)
		} else if rows.Text != nil {
			c.Label(cell.Inset(c.Px(Gap), 0), rows.Text(i), Type{})
		}
	}
	c.Unclip()
	c.scrollBar(id.child("//bar"), Rect{in.X1, r.Y0, r.X1, r.Y1}, scroll, total, view, 1)
	if t.ring {
		c.FocusRing(r)
	}
	res.Changed = *at != was
	return res
}

func (c *Context) rowGround(r Rect, chosen, hover, focus bool) {
	switch {
	case chosen && focus:
		c.Fill(r, c.Theme.Soft)
	case chosen:
		c.Fill(r, c.Theme.Soft.Mix(c.Theme.Ground, 0.35))
	case hover:
		c.Fill(r, c.Theme.Hover)
	}
}

// reveal returns the scroll position that shows row i.
func reveal(at, h float64, i int, view float64) float64 {
	if i < 0 {
		return at
	}
	return min(max(at, float64(i+1)*h-view), float64(i)*h)
}

func (c *Context) listKey(e *Event, rows Rows, at *int, page int, res *Listed) {
	switch e.Name {
	case "Enter":
		if *at < 0 {
			return
		}
		res.Opened = *at
	default:
		to, ok := rowKey(e, *at, rows.N, page)
		if !ok {
			if rows.Text == nil || e.Mods.Command() || len([]rune(e.Name)) != 1 {
				return
			}
			for k := range min(rows.N, 100_000) {
				i := (max(*at, -1) + 1 + k) % rows.N
				if startsWith(rows.Text(i), e.Name) {
					to = i
					break
				}
			}
		}
		*at = to
	}
	c.take()
}

// rowKey returns the row that a key moves to.
func rowKey(e *Event, at, n, page int) (int, bool) {
	to := at
	switch e.Name {
	case "ArrowUp":
		to--
	case "ArrowDown":
		to++
	case "PageUp":
		to -= page
	case "PageDown":
		to += page
	case "Home":
		to = 0
	case "End":
		to = n - 1
	default:
		return at, false
	}
	if n == 0 {
		return -1, true
	}
	return min(max(to, 0), n-1), true
}
