package app

import (
	"slices"

	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// helpLine is a key and what it does.
type helpLine struct{ keys, doc string }

// helpBlock is a part of the help.
type helpBlock struct {
	title string
	lines []helpLine
}

// helpBlocks lists every key there is: those of the window, those of all views, those of each view, and the mouse.
func (a *App) helpBlocks() []helpBlock {
	window := helpBlock{title: "Window"}
	for _, cmd := range a.commands {
		keys := ""
		for i, k := range cmd.keys {
			switch name := k.String(); {
			case i == 0:
				keys = name
			case len(keys)+len(name) < 9: // the others are for those who are used to them
				keys += "  " + name
			}
		}
		if keys != "" {
			window.lines = append(window.lines, helpLine{keys, cmd.doc})
		}
	}
	mouse := helpBlock{"Mouse", []helpLine{
		{"move", "say what is under the pointer"},
		{"click", "select; with Shift, select more"},
		{"double click", "go into the subtree"},
		{"drag", "move the picture, or select a time"},
		{"wheel", "zoom at the pointer"},
		{"secondary", "what can be done here"},
	}}
	blocks := []helpBlock{window, mouse, {"In every view", keyLines(view.Keys)}}
	for _, k := range a.views {
		if lines := keyLines(k.Keys); len(lines) > 0 {
			blocks = append(blocks, helpBlock{k.Title, lines})
		}
	}
	return blocks
}

// keyLines joins the keys that do the same.
func keyLines(keys []view.Key) []helpLine {
	var lines []helpLine
	for _, k := range keys {
		name := shortcut{0, k.Key}.String()
		if i := slices.IndexFunc(lines, func(l helpLine) bool { return l.doc == k.Doc }); i >= 0 {
			lines[i].keys += "  " + name
			continue
		}
		lines = append(lines, helpLine{name, k.Doc})
	}
	return lines
}

// helpColumns draws the help into r, in as many columns as there is room for.
func (a *App) helpColumns(c *ui.Context, r ui.Rect, blocks []helpBlock) float32 {
	line, gap := c.Px(22), c.Px(24)
	count := max(int((r.W()+gap)/(c.Px(290)+gap)), 1)
	width := (r.W() - gap*float32(count-1)) / float32(count)
	total := float32(0)
	for _, b := range blocks {
		total += float32(len(b.lines)+2) * line
	}
	room := total/float32(count) + 3*line
	x, y, lowest := r.X0, r.Y0, r.Y0
	for _, b := range blocks {
		h := float32(len(b.lines)+1) * line
		if y > r.Y0 && y+h > r.Y0+room && x+width+gap < r.X1 {
			x, y = x+width+gap, r.Y0
		}
		cell := ui.Rect{X0: x, Y0: y, X1: x + width, Y1: y + h}
		c.Label(cell.CutTop(line), b.title, ui.Type{Face: scene.Bold})
		for _, l := range b.lines {
			row := cell.CutTop(line)
			c.Label(row.CutLeft(c.Px(96)), l.keys, ui.Type{Color: c.Theme.Link})
			c.Label(row, l.doc, ui.Type{})
		}
		y += h + line
		lowest = max(lowest, y)
	}
	return lowest - r.Y0
}
