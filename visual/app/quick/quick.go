// Package quick is the dialog that finds anything by a few letters of its name: commands, views, settings, and the parts of a trace.
package quick

import (
	"slices"
	"strconv"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// An Entry is something that the dialog can do or go to.
type Entry struct {
	Label string
	Group string // the sort of entry: command, view, procedure
	Doc   string // what it is for, or why it is disabled; "" for nothing
	Keys  string // the shortcut
	Icon  icon.Icon
	Off   bool
	Exact bool // the entry was found by the text in another way than by the letters of its label
	Do    func()
}

// A Panel is the dialog. Text is the typed text.
type Panel struct {
	Open bool
	Text string

	found  []found
	sum    string // the text that found is for
	count  int    // of the entries that found is for
	chosen int
}

// A found entry has the places of the typed letters in its label.
type found struct {
	entry  int
	points int
	marks  []int
}

// Begin opens the dialog with an empty text.
func (p *Panel) Begin() { *p = Panel{Open: true} }

// Most is the number of entries that the dialog shows.
const Most = 200

// rank finds the entries that match the text, the best first. Entries of the same worth keep their order, and those that are disabled come last.
func (p *Panel) rank(all []Entry) {
	if p.sum == p.Text && p.count == len(all) && p.found != nil {
		return
	}
	if p.sum != p.Text {
		p.chosen = 0
	}
	p.sum, p.count, p.found = p.Text, len(all), []found{}
	for i := range all {
		points, marks, ok := Match(p.Text, all[i].Label)
		if doc := inDoc(p.Text, all[i].Doc); doc > 0 && (!ok || doc > points) {
			points, marks, ok = doc, nil, true
		}
		if !ok && !all[i].Exact {
			continue
		}
		if all[i].Off {
			points -= 1 << 20
		}
		p.found = append(p.found, found{i, points, marks})
	}
	slices.SortStableFunc(p.found, func(a, b found) int { return b.points - a.points })
	if len(p.found) > Most {
		p.found = p.found[:Most]
	}
}

// Sizes of the dialog, in points.
const (
	width     = 640
	rowHeight = 40
	rows      = 9
	groupWide = 96
)

// Draw draws the open dialog over all entries. The caller may add entries for the text at the end of the list. When the user chooses an entry, Draw
// closes the dialog and does it.
func (p *Panel) Draw(c *ui.Context, all []Entry) {
	if !p.Open {
		return
	}
	p.rank(all)
	p.chosen = max(min(p.chosen, len(p.found)-1), 0)
	var do func()
	open := true
	hint := "a few letters of a command, view, setting, procedure or line; or a task number"
	if widget.Narrow(c) {
		hint = "a few letters of anything"
	}
	widget.Dialog(c, "quick", &open, widget.DialogOptions{Title: "Do, show or find", W: width, H: c.Theme.Ctl + ui.Gap + rowHeight*rows}, func(r ui.Rect) {
		typed := widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "text", &p.Text, widget.FieldOptions{
			Hint: hint, Icon: icon.Search, First: true,
		})
		if typed.Changed {
			c.Again()
			p.rank(all)
			p.chosen = 0
		}
		moved := false
		if e := c.Event(); e != nil && e.Kind == ui.Key && (e.Name == "ArrowDown" || e.Name == "ArrowUp") {
			step := 1
			if e.Name == "ArrowUp" {
				step = -1
			}
			if n := len(p.found); n > 0 {
				p.chosen, moved = (p.chosen+step+n)%n, true
			}
			c.TakeEvent()
		}
		r.CutTop(c.Px(ui.Gap))
		choose := func(i int) {
			if e := &all[p.found[i].entry]; !e.Off {
				do = e.Do
			}
		}
		widget.List(c, r, "found", widget.ListOptions{
			N: len(p.found), Height: rowHeight, Empty: "Nothing has these letters", Enter: choose, Single: true, Reveal: moved || typed.Changed,
			Draw: func(i int, row ui.Rect) {
				e := &all[p.found[i].entry]
				draw(c, row, e, p.found[i].marks)
				c.Describe(c.ID("row").Child(strconv.Itoa(i)), row, ui.Accessible{Role: ui.RoleItem, Name: e.Label + ", " + e.Group, Value: e.Doc, On: i == p.chosen})
			},
		}, &p.chosen)
		if typed.Done && len(p.found) > 0 {
			c.TakeEvent()
			choose(p.chosen)
		}
	})
	if do != nil || !open {
		p.Open = false
		c.Again()
	}
	if do != nil {
		do()
	}
}

// draw draws the row of an entry: the label with the typed letters in bold, what it is for, its sort and its shortcut.
func draw(c *ui.Context, r ui.Rect, e *Entry, marks []int) {
	in := r.Inset(c.Px(ui.Gap), c.Px(2))
	side := in.CutLeft(c.Px(24))
	ink, muted := c.Theme.Ink, c.Theme.Muted
	if e.Off {
		ink = muted
	}
	if e.Icon != 0 {
		c.Icon(side.Center(c.Px(ui.Icon), c.Px(ui.Icon)), e.Icon, ink)
	}
	if in.W() > c.Px(300) {
		right := in.CutRight(c.Px(groupWide))
		if e.Keys != "" && in.W() > c.Px(360) {
			c.Label(in.CutRight(c.Px(110)), e.Keys, ui.Type{Color: muted, Align: scene.End})
		}
		c.Label(right, e.Group, ui.Type{Size: ui.Small, Color: muted, Align: scene.End})
	}
	if e.Doc != "" {
		doc := in
		doc.Y0 = in.Y0 + in.H()/2
		c.Label(doc, e.Doc, ui.Type{Size: ui.Small, Color: muted})
		in.Y1 = doc.Y0
	}
	x := in
	for _, part := range parts(e.Label, marks) {
		face := scene.Face(0)
		if part.marked {
			face = scene.Bold
		}
		style := ui.Type{Color: ink, Face: face}
		c.Label(x, part.text, style)
		x.X0 = min(x.X0+c.TextWidth(part.text, style), x.X1)
	}
}

// A part is a stretch of a label whose letters are all marked, or none is.
type part struct {
	text   string
	marked bool
}

// parts divides a label at the ends of its marked stretches. A blank goes with the part before it.
func parts(label string, marks []int) (all []part) {
	next := 0
	for i, r := range []rune(label) {
		marked := next < len(marks) && marks[next] == i
		if marked {
			next++
		}
		if n := len(all); n > 0 && (all[n-1].marked == marked || r == ' ') {
			all[n-1].text += string(r)
			continue
		}
		all = append(all, part{string(r), marked})
	}
	return all
}
