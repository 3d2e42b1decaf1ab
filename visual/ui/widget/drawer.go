package widget

import (
	"fmt"

	"whorl/visual/icon"
	"whorl/visual/ui"
)

// Sizes of a drawer as shares of the room: at first, at most, and where it closes when it is let go below.
const (
	drawerShare = 0.6
	mostDrawer  = 0.9
	leastDrawer = 0.2
)

// Drawer cuts a panel off the bottom of r, for a window without room beside its panes. draw draws the panel, which begins with the bar of Panel. That bar is
// the handle: a drag makes the drawer higher or lower, or closes it, and so do the arrow keys. Drawer reports whether the user has closed it.
func Drawer(c *ui.Context, r *ui.Rect, name string, draw func(ui.Rect)) (closed bool) {
	id := c.ID("drawer " + name)
	share := ui.Data[float32](c, id)
	if *share == 0 {
		*share = drawerShare
	}
	room, top := r.H(), r.Y0
	height := func() float32 { return ui.Whole(room * min(*share, mostDrawer)) }
	panel := r.CutBottom(height())
	handle := panel
	handle = handle.CutTop(c.Px(c.Theme.Bar))
	t := c.Touch(id, handle, ui.WantsFocus|ui.WantsDrag, "")
	c.Describe(id, handle, ui.Accessible{Role: ui.RoleSlider, Name: spoken(name) + ", height", Now: float64(*share), Min: leastDrawer, Max: mostDrawer, Value: fmt.Sprintf("%.0f %%", 100**share)})
	grab := ui.Data[float32](c, id.Child("//grab")) // from the top of the drawer to the pointer
	_, y := c.Pointer()
	switch {
	case t.Down:
		*grab = y - panel.Y0
	case t.Dragged && room > 0:
		*share = min(max(1-(y-*grab-top)/room, 0.05), mostDrawer)
		if t.Up && *share < leastDrawer {
			*share, closed = drawerShare, true
		}
		c.Again()
	}
	if e := c.Key(t); e != nil {
		switch e.Name {
		case "ArrowUp":
			*share = min(*share+0.1, mostDrawer)
		case "ArrowDown":
			*share = max(*share-0.1, leastDrawer)
		case "Escape":
			closed = true
		default:
			e = nil
		}
		if e != nil {
			c.TakeEvent()
			c.Again()
		}
	}
	c.Clip(panel)
	draw(panel)
	c.Fill(ui.Rect{X0: panel.X0, Y0: panel.Y0, X1: panel.X1, Y1: panel.Y0 + c.Hair()}, c.Theme.Border)
	pill := handle.Center(c.Px(36), c.Px(4))
	c.Round(pill.Move(0, panel.Y0+c.Px(6)-pill.Y0), c.Px(2), c.Theme.Border)
	if t.Ring {
		c.InnerRing(handle)
	}
	c.Unclip()
	return closed
}

// Narrow reports whether a window has no room beside one pane: panels are drawers then, and the bars have fewer buttons.
func Narrow(c *ui.Context) bool { return c.Window().W() < c.Px(NarrowWidth) }

// NarrowWidth is the width in points below which a window is Narrow.
const NarrowWidth = 600

// Aside cuts a panel of a width off a side of r, all of it in a Narrow window.
func Aside(c *ui.Context, r *ui.Rect, width float32, cut func(*ui.Rect, float32) ui.Rect) ui.Rect {
	if Narrow(c) {
		width = r.W()
	}
	return cut(r, min(width, r.W()))
}

// CloseButton draws the button that closes a panel at the right end of its bar. It reports whether the button was pressed.
func CloseButton(c *ui.Context, panel ui.Rect, tip string) bool {
	bar := panel.CutTop(c.Px(c.Theme.Bar))
	side := c.Px(max(24, c.Theme.Least))
	bar.CutRight(c.Px(10) - (side-c.Px(24))/2)
	return IconButton(c, bar.CutRight(side).Center(side, side), "close", icon.Close, tip)
}
