package widget

import (
	"slices"
	"strings"

	"whorl/visual/icon"
	"whorl/visual/ui"
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

// A TabsResult describes what the user did with a bar of tabs; the numbers are -1 for nothing.
type TabsResult struct {
	Active   int // the tab in front
	Changed  bool
	Pressed  bool      // a tab was pressed, even the one in front
	Twice    int       // the tab that was clicked twice
	Closed   int       // the tab whose cross was pressed
	From, To int       // the tab From moves to the index To of the bar without it
	Carried  int       // the tab that is dragged outside the bar
	Out      int       // the tab that was dropped outside the bar
	Edges    []float32 // the left sides of the tabs, and the right side of the last
}

// Gap returns the index that a tab of another bar gets when it is dropped at x, and the x of the gap where it goes.
func (res *TabsResult) Gap(x float32) (index int, at float32) {
	for index < len(res.Edges)-1 && (res.Edges[index]+res.Edges[index+1])/2 < x {
		index++
	}
	return index, res.Edges[index]
}

type tabDrag struct {
	scroll float64
	offset float32 // from the left side of the tab to the pointer
	tab    string
}

// Tabs draws a bar of tabs with the active one in front. Tabs can be dragged, and closed with the middle button. The arrow keys change the
// active tab, with Shift its place.
func Tabs(c *ui.Context, r ui.Rect, name string, tabs []Tab, active int) TabsResult {
	id := c.ID(name)
	res := TabsResult{Active: active, Twice: -1, Closed: -1, From: -1, To: -1, Carried: -1, Out: -1}
	th := &c.Theme
	c.Fill(r, th.Sunken)
	c.Fill(ui.Rect{X0: r.X0, Y0: r.Y1 - c.Hair(), X1: r.X1, Y1: r.Y1}, th.Line)
	d := ui.Data[tabDrag](c, id)
	widths, labels, total := tabWidths(c, tabs, active, r.W())
	view := r
	if total > r.W() && r.W() > c.Px(2*c.Theme.Ctl) && r.H() >= c.Px(c.Theme.Row) {
		res.all(c, view.CutRight(c.Px(c.Theme.Ctl)), id, tabs)
	}
	keepTab(c, d, widths, active, float64(view.W()), float64(total), id)
	c.WheelScroll(id.Child("//wheel"), view, &d.scroll, float64(total), float64(view.W()), 0)
	c.WheelScroll(id.Child("//wheel down"), view, &d.scroll, float64(total), float64(view.W()), 1)
	c.Clip(view)
	x := view.X0 - ui.Whole(float32(d.scroll))
	res.Edges = append(make([]float32, 0, len(tabs)+1), x)
	var carried func()
	px, py := c.Pointer()
	for i, tab := range tabs {
		cell := ui.Rect{X0: x, Y0: r.Y0, X1: x + widths[i], Y1: r.Y1}
		x += widths[i]
		res.Edges = append(res.Edges, x)
		tid := id.Child("/" + tab.ID)
		t := c.Touch(tid, cell, ui.WantsFocus|ui.WantsHold, "")
		if c.PressedBy(tid, ui.Middle) {
			res.Closed = i
		}
		if t.Down {
			res.Active, res.Pressed = i, true
			c.GrabFocus(0) // the keys are for what the tab shows, not for a field elsewhere
			d.tab, d.offset = tab.ID, px-cell.X0
			if t.Clicks == 2 {
				res.Twice = i
			}
		}
		c.Describe(tid, cell, ui.Accessible{Role: ui.RoleTab, Name: tab.Title, On: i == res.Active})
		tabKeys(c, t, i, tabs, id, &res)
		if d.tab == tab.ID && t.Dragged && (t.Held || t.Up) && len(tabs) > 0 {
			from := i
			lift := ui.Rect{X0: px - d.offset, Y0: cell.Y0, X1: px - d.offset + widths[i], Y1: cell.Y1}
			outside := py < r.Y0-c.Px(24) || py > r.Y1+c.Px(24) || px < r.X0 || px > r.X1
			if t.Up {
				if outside {
					res.Out = from
				} else if to := dropAt(widths, view.X0-float32(d.scroll), from, lift); to != from {
					res.From, res.To = from, to
				}
				d.tab = ""
			} else if c.SetCursor(ui.Grab); outside {
				res.Carried = from
				carryTab(c, tab, lift.W(), px, py)
			} else {
				lift.X0 = ui.Whole(max(min(lift.X0, view.X1-widths[i]), view.X0))
				lift.X1 = lift.X0 + widths[i]
				carried = func() { drawTab(c, lift, tab, labels[i], tid, true, ui.Touch{Held: true}, &res, from) }
				continue
			}
		}
		drawTab(c, cell, tab, labels[i], tid, i == res.Active, t, &res, i)
		if i+1 < len(tabs) && i != res.Active && i+1 != res.Active && !t.Hot { // between two tabs behind
			c.Fill(ui.Rect{X0: cell.X1 - c.Hair(), Y0: r.Y0 + c.Px(10), X1: cell.X1, Y1: r.Y1 - c.Px(10)}, th.Border)
		}
	}
	if carried != nil {
		carried()
	}
	c.Unclip()
	res.Changed = res.Active != active
	return res
}

// carryTab draws a tab that is dragged outside its bar beside the pointer.
func carryTab(c *ui.Context, tab Tab, width, x, y float32) {
	c.Carry(func() {
		r := ui.Rect{X0: ui.Whole(x) + c.Px(12), Y0: ui.Whole(y) + c.Px(12)}
		r.X1, r.Y1 = r.X0+max(width, c.Px(leastTab)), r.Y0+c.Px(c.Theme.Ctl)
		c.Float(r, c.Px(4), c.Theme.Raised)
		in := r.Inset(c.Px(ui.Pad), 0)
		if tab.Icon != icon.None {
			c.Icon(in.CutLeft(c.Px(ui.Icon)), tab.Icon, c.Theme.Ink)
			in.CutLeft(c.Px(4))
		}
		c.Write(in, tab.Title, ui.Type{Mid: true})
	})
}

// Bounds of the width of a tab with a title, in points.
const (
	leastTab = 88
	mostTab  = 320
)

// tabWidths returns the widths of the tabs, their labels, and the total width. Tabs have their titles; where there is no room for all, tabs
// behind have only their icon. If some bar has no room for that either, all bars use short titles, for consistency. A bar that is too
// narrow even for these cuts titles between words.
func tabWidths(c *ui.Context, tabs []Tab, active int, room float32) (widths []float32, labels []string, total float32) {
	set := func(label func(i int, t *Tab) string) bool {
		widths, labels, total = make([]float32, len(tabs)), make([]string, len(tabs)), 0
		for i := range tabs {
			labels[i] = label(i, &tabs[i])
			widths[i] = tabWidth(c, &tabs[i], labels[i])
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
			m := ui.Whole((low+high)/2 + 0.1)
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
func tabWidth(c *ui.Context, t *Tab, label string) float32 {
	w := 2 * c.Px(ui.Pad)
	if t.Icon != icon.None {
		w += c.Px(ui.Icon)
	}
	if label == "" {
		return max(w, c.Px(c.Theme.Least))
	}
	if w += c.TextWidth(label, ui.Type{}) + c.Px(20); t.Icon != icon.None {
		w += c.Px(4)
	}
	return min(max(w, c.Px(leastTab)), c.Px(mostTab))
}

// keepTab scrolls to the active tab when it has changed.
func keepTab(c *ui.Context, d *tabDrag, widths []float32, active int, view, total float64, id ui.ID) {
	seen := ui.Data[int](c, id.Child("//seen")) // the active tab that was scrolled to, plus 1
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
func dropAt(widths []float32, x float32, from int, lift ui.Rect) int {
	to, mid := 0, (lift.X0+lift.X1)/2
	for i, w := range widths {
		if i != from && x+w/2 < mid {
			to++
		}
		x += w
	}
	return to
}

// tabKeys handles a key for tab i: it shows another tab, moves the tab or closes it.
func tabKeys(c *ui.Context, t ui.Touch, i int, tabs []Tab, id ui.ID, res *TabsResult) {
	e := c.Key(t)
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
		c.TakeEvent()
		return
	default:
		return
	}
	if e.Mods&ui.Shift != 0 && to != i { // the tab moves
		res.From, res.To = i, to
		c.TakeEvent()
		return
	}
	c.TakeEvent()
	res.Active = to
	c.Focus(id.Child("/" + tabs[to].ID))
}

// drawTab draws tab i, and its cross, which may close it.
func drawTab(c *ui.Context, r ui.Rect, tab Tab, label string, id ui.ID, active bool, t ui.Touch, res *TabsResult, i int) {
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
		c.Fill(ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + c.Px(2)}, mark)
		c.Fill(ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + hair, Y1: r.Y1}, th.Line)
		c.Fill(ui.Rect{X0: r.X1 - hair, Y0: r.Y0, X1: r.X1, Y1: r.Y1}, th.Line)
	case t.Hot:
		ink = th.Ink
		c.Fill(ui.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y1 - hair}, th.Press)
	}
	in := r.Inset(c.Px(ui.Pad), 0)
	if label == "" {
		c.Icon(in, tab.Icon, ink)
		c.Tip(r, tab.Title)
	} else {
		if tabCross(c, r, tab, id, active, t) {
			res.Closed = i
		}
		in.X1 = max(r.X1-c.Px(28), in.X0)
		if tab.Icon != icon.None && (in.W() > c.Px(96) || in.W() >= c.Px(ui.Icon+4)+c.TextWidth(label, ui.Type{})) { // the title comes first
			c.Icon(in.CutLeft(c.Px(ui.Icon)), tab.Icon, ink)
			in.CutLeft(c.Px(4))
		}
		if cut := c.Write(in, label, ui.Type{Color: ink, Mid: strings.Contains(label, " ")}); cut || label != tab.Title {
			c.Tip(in, tab.Title)
		}
	}
	if t.Ring {
		w := c.Px(2)
		c.Outline(r.Inset(w, w), c.Px(3), w, c.RingColor())
	}
}

// tabCross draws the cross that closes a tab, on the active tab and on the one under the pointer, or the dot of unsaved changes. It reports
// whether the cross was pressed.
func tabCross(c *ui.Context, r ui.Rect, tab Tab, id ui.ID, active bool, t ui.Touch) bool {
	if r.W() < c.Px(40) || c.Theme.Least > 0 && !tab.Dirty { // for fingers the menu of the pane closes it
		return false
	}
	side := c.Px(20)
	cross := ui.Rect{X0: r.X1 - c.Px(26), Y0: r.Y0, X1: r.X1 - c.Px(6), Y1: r.Y1}.Center(side, side)
	near := c.Theme.Least == 0 && (t.Hot || c.Hot() == id.Child("/close"))
	if tab.Dirty && !near {
		ink := c.Theme.Muted
		if active {
			ink = c.Theme.Ink
		}
		c.Out().Circle((cross.X0+cross.X1)/2, (cross.Y0+cross.Y1)/2, c.Px(3.5), ink)
	}
	if !near && !active || c.Theme.Least > 0 {
		return false
	}
	if t.Hot && c.Over(cross) { // the cross was not there before
		c.Again()
	}
	if tab.Dirty && !near {
		c.Touch(id.Child("/close"), cross, 0, "Close")
		return false
	}
	return c.SmallButton(cross, id.Child("/close"), icon.Close, "Close", 0).Clicked
}

// all draws the menu of all tabs, for a bar without room for them.
func (res *TabsResult) all(c *ui.Context, r ui.Rect, id ui.ID, tabs []Tab) {
	mid := id.Child("//all")
	c.Fill(ui.Rect{X0: r.X0, Y0: r.Y0 + c.Px(10), X1: r.X0 + c.Hair(), Y1: r.Y1 - c.Px(10)}, c.Theme.Border)
	t := c.SmallButton(r.Center(c.Px(24), c.Px(24)), mid, icon.Down, "All tabs", ui.WantsFocus)
	_, shown := c.Popup(mid)
	if open := c.Fired(t) || t.Down; open && !shown {
		openMenu(c, mid, r)
		shown = true
	}
	if !shown {
		return
	}
	items := make([]Item, len(tabs))
	for i, tab := range tabs {
		items[i] = Item{Label: tab.Title, Check: i == res.Active}
	}
	if n := showMenu(c, mid, items, 0); n >= 0 {
		res.Active = n
	}
}
