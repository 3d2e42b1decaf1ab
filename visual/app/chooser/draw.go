package chooser

import (
	"path/filepath"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// Draw draws the dialog while it is open, and follows what the user does.
func (c *Chooser) Draw(u *ui.Context) {
	if !c.open {
		return
	}
	rows := c.rows()
	title, button := "Open a trace, a program or a workspace", "Open"
	if c.saves {
		title, button = "Save as", "Save"
	}
	replaced := c.replaces()
	if replaced != nil {
		button = "Replace"
	}
	off := !c.ready(rows) || replaced != nil && replaced.Kind == Dir
	hit := widget.Dialog(u, "files", &c.open, widget.DialogOptions{
		Title: title, W: 720, H: 420, Buttons: []string{"Cancel", button}, Off: off,
	}, func(r ui.Rect) { c.drawBody(u, r, rows, replaced) })
	switch hit {
	case 0:
		c.open = false
	case 1:
		c.confirm(rows)
	default:
		return
	}
	u.Again()
}

// drawBody draws the places at the left, the path and the list.
func (c *Chooser) drawBody(u *ui.Context, r ui.Rect, rows []Entry, replaced *Entry) {
	c.drawPlaces(u, r.CutLeft(u.Px(132)))
	r.CutLeft(u.Px(ui.Pad))
	top := r.CutTop(u.Px(u.Theme.Ctl))
	where := c.folder.Path
	if c.recent {
		where = "Files that were opened last"
	}
	u.Disabled = c.recent || filepath.Dir(c.folder.Path) == c.folder.Path
	if widget.IconButton(u, top.CutLeft(u.Px(u.Theme.Ctl)), "up", icon.Left, "To the folder above") {
		c.list(filepath.Dir(c.folder.Path))
	}
	u.Disabled = false
	top.CutLeft(u.Px(ui.Gap))
	u.Label(top, where, ui.Type{Color: u.Theme.Muted})
	r.CutTop(u.Px(ui.Gap))
	c.arrows(u, rows)
	c.letters(u)
	field, hint := r.CutTop(u.Px(u.Theme.Ctl)), "Part of a name, or a path"
	mark := icon.Search
	if c.saves {
		hint, mark = "The name of the file, or a path", icon.Save
	}
	if widget.Field(u, field, "name", &c.text, widget.FieldOptions{First: true, Hint: hint, Icon: mark}).Changed {
		c.chosen = -1
		u.Again()
	}
	r.CutTop(u.Px(ui.Gap))
	foot := r.CutBottom(u.Px(u.Theme.Ctl))
	r.CutBottom(u.Px(ui.Gap))
	chosen := c.chosen
	empty := "No files here that Whorl can open."
	switch {
	case c.waiting != nil:
		empty = "Reading the folder ..."
	case c.saves:
		empty = "No such files here."
	case c.recent:
		empty = "No file was opened before."
	}
	u.Box(r.Inset(-u.Px(1), -u.Px(1)), 0, u.Theme.Ground, u.Theme.Border)
	if widget.List(u, r, "list", widget.ListOptions{
		N: len(rows), Empty: empty, Height: 26, Draw: func(i int, cell ui.Rect) { c.drawRow(u, cell, &rows[i]) },
		Enter: func(i int) { c.enterRow(&rows[i]) },
	}, &chosen) {
		c.pick(chosen, rows)
		u.Again()
	}
	switch {
	case c.err != nil:
		widget.Message(u, foot, ui.Failure, c.err.Error())
	case replaced != nil && replaced.Kind == Dir:
		widget.Message(u, foot, ui.Failure, replaced.Name+" is a folder")
	case replaced != nil:
		widget.Message(u, foot, ui.Warning, replaced.Name+" exists; Replace writes over it")
	default:
		if widget.Check(u, foot, "all", "Show all files", &c.all) {
			c.chosen = -1
			u.Again()
		}
	}
}

// enterRow follows a row after a double click. A file of a dialog that saves is only chosen.
func (c *Chooser) enterRow(e *Entry) {
	if e.Kind == Dir || !c.saves {
		c.enter(e)
	}
}

// drawPlaces draws a button for the recent files and for each place.
func (c *Chooser) drawPlaces(u *ui.Context, r ui.Rect) {
	button := func(name, label string, g icon.Icon, on bool) bool {
		cell := r.CutTop(u.Px(u.Theme.Ctl))
		r.CutTop(u.Px(2))
		return widget.Button(u, cell, name, widget.ButtonOptions{Label: label, Icon: g, Look: widget.Quiet, On: on})
	}
	if !c.saves && button("recent", "Recent", icon.Reload, c.recent) {
		c.request(func(d Disk) listing { return listing{folder: Folder{Entries: d.Recent()}, recent: true} })
	}
	for i, p := range c.Disk.Places() {
		if button("place"+strconv.Itoa(i), p.Name, icon.Open, !c.recent && p.Path == c.folder.Path) {
			c.list(p.Path)
		}
	}
}

// drawRow draws an entry: its icon and name, its kind, its size and when it was changed.
func (c *Chooser) drawRow(u *ui.Context, r ui.Rect, e *Entry) {
	r = r.Inset(u.Px(ui.Gap), 0)
	ink := u.Theme.Link
	if e.Kind == Other {
		ink = u.Theme.Muted
	}
	u.Icon(r.CutLeft(u.Px(ui.Icon)), e.Icon(), ink)
	r.CutLeft(u.Px(ui.Gap))
	small := ui.Type{Size: ui.Small, Color: u.Theme.Muted}
	u.Label(r.CutRight(u.Px(104)), e.Modified.Format("2006-01-02 15:04"), small)
	r.CutRight(u.Px(ui.Gap))
	size := small
	size.Align = scene.End
	if cell := r.CutRight(u.Px(64)); e.Kind != Dir {
		u.Label(cell, figures.Size(e.Size), size)
	}
	r.CutRight(u.Px(ui.Gap))
	u.Label(r.CutRight(u.Px(80)), e.kindName(), small)
	r.CutRight(u.Px(ui.Gap))
	if !c.recent {
		u.Label(r, e.Name, ui.Type{})
		return
	}
	name := filepath.Base(e.Name)
	u.Label(r.CutLeft(min(u.TextWidth(name, ui.Type{}), r.W())), name, ui.Type{})
	r.CutLeft(u.Px(ui.Gap))
	u.Label(r, filepath.Dir(e.Name), small)
}
