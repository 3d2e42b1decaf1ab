package ui

import (
	"slices"
	"strings"

	"whorl/visual/icon"
)

// A Tab is a tab of a bar. Its ID is unique in the bar and stays when the tab moves.
type Tab struct {
	ID    string
	Title string
	Short string // replaces Title where there is little room; "" for none
	Icon  icon.Icon
	Keys  bool // its content gets the keys
	Dirty bool // its content has unsaved changes
}

// Tabbed describes what the user did with a bar of tabs; the numbers are -1 for nothing.
type Tabbed struct {
	Active   int // the tab in front
	Changed  bool
	Pressed  bool // a tab was pressed, even the one in front
	Closed   int  // the tab whose cross was pressed
	From, To int  // the tab From moves to the index To of the bar without it
	Out      int  // the tab that was dropped outside the bar, at X, Y
	X, Y     float32
}

type tabDrag struct {
	scroll float64
	offset float32 // from the left side of the tab to the pointer
	tab    string
}

// Tabs draws a bar of tabs with the active one in front. Tabs can be dragged, and closed with the middle button. The arrow keys change the
// active tab, with Shift its place.
func (c *Context) Tabs(r Rect, name string, tabs []Tab, active int) Tabbed {
	id := c.ID(name)
	res := Tabbed{Active: active, Closed: -1, From: -1, To: -1, Out: -1}
	th := &c.Theme
	c.Fill(r, th.Sunken)
	c.Fill(Rect{r.X0, r.Y1 - c.Hair(), r.X1, r.Y1}, th.Line)
	d := data[tabDrag](c, id)
	widths, labels, total := c.tabWidths(tabs, active, r.W())
	view := r
	if total > r.W() && r.W() > c.Px(2*Ctl) && r.H() >= c.Px(Line) {
		res.all(c, view.CutRight(c.Px(Ctl)), id, tabs)
	}
	c.keepTab(d, widths, active, float64(view.W()), float64(total), id)
	c.wheelScroll(id.child("//wheel"), view, &d.scroll, float64(total), float64(view.W()), 0)
	c.wheelScroll(id.child("//wheel down"), view, &d.scroll, float64(total), float64(view.W()), 1)
	c.Clip(view)
	x := view.X0 - whole(float32(d.scroll))
	var carried func()
	px, py := c.Pointer()
	for i, tab := range tabs {
		cell := Rect{x, r.Y0, x + widths[i], r.Y1}
		x += widths[i]
		tid := id.child("/" + tab.ID)
		t := c.touch(tid, cell, wantsFocus, "")
		if c.pressedBy(tid, Middle) {
			res.Closed = i
		}
		if t.down {
			res.Active, res.Pressed = i, true
			d.tab, d.offset = tab.ID, px-cell.X0
		}
		c.tabKeys(t, i, tabs, id, &res)
		if d.tab == tab.ID && t.dragged && (t.held || t.up) && len(tabs) > 0 {
			from := i
			lift := Rect{px - d.offset, cell.Y0, px - d.offset + widths[i], cell.Y1}
			outside := py < r.Y0-c.Px(24) || py > r.Y1+c.Px(24)
			if t.up {
				if outside {
					res.Out, res.X, res.Y = from, px, py
				} else if to := dropAt(widths, view.X0-float32(d.scroll), from, lift); to != from {
					res.From, res.To = from, to
				}
				d.tab = ""
			} else {
				c.SetCursor(Grab)
				lift.X0 = whole(max(min(lift.X0, view.X1-widths[i]), view.X0))
				lift.X1 = lift.X0 + widths[i]
				carried = func() { c.drawTab(lift, tab, labels[i], tid, true, touch{held: true}, &res, from) }
				continue
			}
		}
		c.drawTab(cell, tab, labels[i], tid, i == res.Active, t, &res, i)
		if i+1 < len(tabs) && i != res.Active && i+1 != res.Active && !t.hot { // between two tabs behind
			c.Fill(Rect{cell.X1 - c.Hair(), r.Y0 + c.Px(10), cell.X1, r.Y1 - c.Px(10)}, th.Border)
		}
	}
	if carried != nil {
		carried()
	}
	c.Unclip()
	res.Changed = res.Active != active
	return res
}

// Bounds of the width of a tab with a title, in points.
const (
	leastTab = 88
	mostTab  = 320
)

// tabWidths returns the widths of the tabs, their labels, and the total width. Tabs have their titles; where there is no room for all, tabs
// behind have only their icon. If some bar has no room for that either, all bars use short titles, for consistency. A bar that is too
// narrow even for these cuts titles between words.
func (c *Context) tabWidths(tabs []Tab, active int, room float32) (widths []float32, labels []string, total float32) {
	set := func(label func(i int, t *Tab) string) bool {
		widths, labels, total = make([]float32, len(tabs)), make([]string, len(tabs)), 0
		for i := range tabs {
			labels[i] = label(i, &tabs[i])
			widths[i] = c.tabWidth(&tabs[i], labels[i])
			total += widths[i]
		}
		return total <= room
	}
	title := func(_ int, t *Tab) string { return t.Title }
	short := func(_ int, t *Tab) string {
		if t.Short != "" {
			return t.Short
		}
		return t.Title
	}
	alone := func(of func(int, *Tab) string) func(int, *Tab) string {
		return func(i int, t *Tab) string {
			if i != active && t.Icon != icon.None {
				return ""
			}
			return of(i, t)
		}
	}
	uncut := func() bool { return !slices.Contains(widths, c.Px(mostTab)) }
	if set(title) && uncut() || set(alone(title)) && uncut() {
		if !c.ShortTitles() {
			return widths, labels, total
		}
	} else {
		c.WantShortTitles()
	}
	if set(short) || set(alone(short)) {
		return widths, labels, total
	}
	if len(tabs) > 0 { // cut the widest tabs down to one width
		low, high := c.Px(leastTab), c.Px(mostTab)
		sum := func(limit float32) (s float32) {
			for _, w := range widths {
				s += min(w, limit)
			}
			return
		}
		for low < high {
			m := whole((low+high)/2 + 0.1)
			if sum(m) <= room {
				low = m
			} else {
				high = m - 1
			}
		}
		total = 0
		for i := range widths {
			widths[i] = min(widths[i], low)
			total += widths[i]
		}
	}
	return widths, labels, total
}

// tabWidth returns the width of a tab with a label; without one it has room for the icon.
func (c *Context) tabWidth(t *Tab, label string) float32 {
	w := 2 * c.Px(Pad)
	if t.Icon != icon.None {
		w += c.Px(Icon)
	}
	if label == "" {
		return w
	}
	if w += c.TextWidth(label, Type{}) + c.Px(20); t.Icon != icon.None {
		w += c.Px(4)
	}
	return min(max(w, c.Px(leastTab)), c.Px(mostTab))
}

// keepTab scrolls to the active tab when it has changed.
func (c *Context) keepTab(d *tabDrag, widths []float32, active int, view, total float64, id ID) {
	seen := data[int](c, id.child("//seen")) // the active tab that was scrolled to, plus 1
	if *seen != active+1 && active >= 0 && active < len(widths) {
		*seen = active + 1
		x := 0.0
		for _, w := range widths[:active] {
			x += float64(w)
		}
		d.scroll = min(max(d.scroll, x+float64(widths[active])-view), x)
	}
	d.scroll = min(max(d.scroll, 0), max(total-view, 0))
}

// dropAt returns the index where a lifted tab drops: before the first tab whose middle lies right of its own.
func dropAt(widths []float32, x float32, from int, lift Rect) int {
	to, mid := 0, (lift.X0+lift.X1)/2
	for i, w := range widths {
		if i != from && x+w/2 < mid {
			to++
		}
		x += w
	}
	return to
}

func (c *Context) tabKeys(t touch, i int, tabs []Tab, id ID, res *Tabbed) {
	e := c.key(t)
	if e == nil || e.Mods.Command() {
		return
	}
	to := i
	switch e.Name {
	case "ArrowLeft":
		to = max(i-1, 0)
	case "ArrowRight":
		to = min(i+1, len(tabs)-1)
	case "Home":
		to = 0
	case "End":
		to = len(tabs) - 1
	case "Enter", " ":
	case "Delete":
		res.Closed = i
		c.take()
		return
	default:
		return
	}
	if e.Mods&Shift != 0 && to != i { // the tab moves
		res.From, res.To = i, to
		c.take()
		return
	}
	c.take()
	res.Active = to
	c.Focus(id.child("/" + tabs[to].ID))
}

func (c *Context) drawTab(r Rect, tab Tab, label string, id ID, active bool, t touch, res *Tabbed, i int) {
	th := &c.Theme
	hair := c.Hair()
	ink := th.Muted
	switch {
	case active:
		ink = th.Ink
		c.Fill(r, th.Surface)
		mark := th.Border
		if tab.Keys {
			mark = th.Accent
		}
		c.Fill(Rect{r.X0, r.Y0, r.X1, r.Y0 + c.Px(2)}, mark)
		c.Fill(Rect{r.X0, r.Y0, r.X0 + hair, r.Y1}, th.Line)
		c.Fill(Rect{r.X1 - hair, r.Y0, r.X1, r.Y1}, th.Line)
	case t.hot:
		ink = th.Ink
		c.Fill(Rect{r.X0, r.Y0, r.X1, r.Y1 - hair}, th.Press)
	}
	in := r.Inset(c.Px(Pad), 0)
	if label == "" {
		c.Icon(in, tab.Icon, ink)
		c.Tip(r, tab.Title)
	} else {
		if c.tabCross(r, tab, id, active, t) {
			res.Closed = i
		}
		in.X1 = max(r.X1-c.Px(28), in.X0)
		if tab.Icon != icon.None && (in.W() > c.Px(96) || in.W() >= c.Px(Icon+4)+c.TextWidth(label, Type{})) { // the title comes first
			c.Icon(in.CutLeft(c.Px(Icon)), tab.Icon, ink)
			in.CutLeft(c.Px(4))
		}
		if cut := c.write(in, label, Type{Color: ink, Mid: strings.Contains(label, " ")}); cut || label != tab.Title {
			c.Tip(in, tab.Title)
		}
	}
	if t.ring {
		w := c.Px(2)
		c.outline(r.Inset(w, w), c.Px(3), w, c.ringColor())
	}
}

// tabCross draws the cross that closes a tab, on the active tab and on the one under the pointer, or the dot of unsaved changes. It reports
// whether the cross was pressed.
func (c *Context) tabCross(r Rect, tab Tab, id ID, active bool, t touch) bool {
	if r.W() < c.Px(40) {
		return false
	}
	side := c.Px(20)
	cross := Rect{r.X1 - c.Px(26), r.Y0, r.X1 - c.Px(6), r.Y1}.Center(side, side)
	near := t.hot || c.Hot() == id.child("/close")
	if tab.Dirty && !near {
		ink := c.Theme.Muted
		if active {
			ink = c.Theme.Ink
		}
		c.Out().Circle((cross.X0+cross.X1)/2, (cross.Y0+cross.Y1)/2, c.Px(3.5), ink)
	}
	if !near && !active {
		return false
	}
	if t.hot && c.Over(cross) { // the cross was not there before
		c.Again()
	}
	if tab.Dirty && !near {
		c.touch(id.child("/close"), cross, 0, "Close")
		return false
	}
	return c.SmallButton(cross, id.child("/close"), icon.Close, "Close", 0).clicked
}

// all draws the menu of all tabs, for a bar without room for them.
func (res *Tabbed) all(c *Context, r Rect, id ID, tabs []Tab) {
	mid := id.child("//all")
	c.Fill(Rect{r.X0, r.Y0 + c.Px(10), r.X0 + c.Hair(), r.Y1 - c.Px(10)}, c.Theme.Border)
	t := c.SmallButton(r.Center(c.Px(24), c.Px(24)), mid, icon.Down, "All tabs", wantsFocus)
	_, shown := c.Popup(mid)
	if open := c.fired(t) || t.down; open && !shown {
		c.openMenu(mid, r)
		shown = true
	}
	if !shown {
		return
	}
	items := make([]Item, len(tabs))
	for i, tab := range tabs {
		items[i] = Item{Label: tab.Title, Check: i == res.Active}
	}
	if n := c.showMenu(mid, items, 0); n >= 0 {
		res.Active = n
	}
}
