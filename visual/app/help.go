package app

import (
	"slices"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// Help is the dialog that lists all keys.
type help struct{ open bool }

// A helpLine is a key, or several keys that do the same.
type helpLine struct {
	keys []shortcut // none for the mouse
	how  string     // the keys in words
	doc  string
}

// A helpBlock is a part of the help.
type helpBlock struct {
	title string
	view  string // the view that has the keys, "" for keys of several views
	lines []helpLine
}

// helpBlocks lists all keys: those of the window, of its controls and editors, of all views and of each, and the mouse.
func helpBlocks(commands []command, kinds []*view.Kind) []helpBlock {
	window := helpBlock{title: "Window"}
	for _, cmd := range commands {
		window.lines = append(window.lines, keyLine(cmd.doc, cmd.keys...))
	}
	mouse := helpBlock{title: "Mouse", lines: []helpLine{
		{how: "move", doc: "describe what is under the pointer"},
		{how: "click", doc: "select; with Shift, select more"},
		{how: "double click", doc: "go into the subtree"},
		{how: "drag", doc: "move the picture, or select a time"},
		{how: "wheel", doc: "zoom at the pointer, or scroll"},
		{how: "right click", doc: "open a menu for what is under it"},
	}}
	key := func(name string) shortcut { return shortcut{0, name} }
	controls := helpBlock{title: "Controls", lines: []helpLine{
		keyLine("go to the next control", key("Tab")),
		keyLine("go to the previous control", shortcut{ui.Shift, "Tab"}),
		keyLine("press the control", key("Enter"), key(" ")),
		keyLine("move a slider or a divider, choose", key("ArrowLeft"), key("ArrowRight")),
		keyLine("go back to the pane", key("Escape")),
	}}
	editor := helpBlock{title: "Editing a program", lines: []helpLine{
		keyLine("run the program", shortcut{ui.Control, "Enter"}),
		keyLine("save the program as a file", shortcut{ui.Control, "s"}),
		keyLine("indent the lines", key("Tab")),
		keyLine("unindent the lines", shortcut{ui.Shift, "Tab"}),
		keyLine("undo", shortcut{ui.Control, "z"}),
		keyLine("redo", shortcut{ui.Control, "y"}),
		keyLine("select all", shortcut{ui.Control, "a"}),
		keyLine("cut", shortcut{ui.Control, "x"}),
		keyLine("copy", shortcut{ui.Control, "c"}),
		keyLine("paste", shortcut{ui.Control, "v"}),
		keyLine("then Tab: leave the editor", key("Escape")),
	}}
	blocks := []helpBlock{window, mouse, {title: "In every view", lines: keyLines(view.Keys)}}
	for _, k := range kinds {
		if lines := keyLines(k.Keys); len(lines) > 0 {
			blocks = append(blocks, helpBlock{k.Title, k.Name, lines})
		}
	}
	return append(blocks, editor, controls)
}

// keyLine returns a line for keys that do the same.
func keyLine(doc string, keys ...shortcut) helpLine {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.String()
	}
	return helpLine{keys, strings.Join(names, ", "), doc}
}

// keyLines returns a line for each action, with all its keys.
func keyLines(keys []view.Key) []helpLine {
	var lines []helpLine
	for _, k := range keys {
		key := shortcut{0, k.Key}
		if i := slices.IndexFunc(lines, func(l helpLine) bool { return l.doc == k.Doc }); i >= 0 {
			lines[i] = keyLine(k.Doc, append(lines[i].keys, key)...)
			continue
		}
		lines = append(lines, keyLine(k.Doc, key))
	}
	return lines
}

// Sizes of the help, in points.
const (
	helpWidth  = 1200
	helpColumn = 272 // at least
	helpKey    = 92
	helpGap    = 28
)

// draw draws the dialog, in as many columns as the window has room for.
func (d *help) draw(c *ui.Context, commands []command, kinds []*view.Kind) {
	if !d.open {
		return
	}
	h := helpPage{c: c, blocks: helpBlocks(commands, kinds)}
	width := min(c.Px(helpWidth), c.Window().W()-c.Px(2*16+2*20))
	h.arrange(width - c.Px(20)) // the height beside a scroll bar
	c.Dialog("help", &d.open, ui.Dialog{Title: "Keys", W: width / c.Scale, H: h.height / c.Scale}, func(r ui.Rect) {
		h.arrange(r.W())
		h.draw(r)
	})
}

// A helpPage is the help in columns.
type helpPage struct {
	c      *ui.Context
	blocks []helpBlock
	count  int // of columns
	width  float32
	starts []int // the first block of each column
	height float32
}

// arrange finds the smallest height in which the blocks fit into the columns, in order.
func (h *helpPage) arrange(width float32) {
	c := h.c
	gap := c.Px(helpGap)
	h.count = max(int((width+gap)/(c.Px(helpColumn)+gap)), 1)
	h.width = max((width-gap*float32(h.count-1))/float32(h.count), 0)
	sizes := make([]float32, len(h.blocks))
	for i := range h.blocks {
		sizes[i] = h.size(&h.blocks[i])
	}
	between := c.Px(20)
	var heights []float32 // of all runs of blocks: one of them is the height of the highest column
	for i := range sizes {
		y := float32(0)
		for _, s := range sizes[i:] {
			heights = append(heights, y+s)
			y += s + between
		}
	}
	slices.Sort(heights)
	for _, h.height = range heights {
		h.starts = h.starts[:0]
		y := float32(0)
		for i, s := range sizes {
			if i == 0 || y+s > h.height {
				h.starts, y = append(h.starts, i), 0
			}
			y += s + between
		}
		if len(h.starts) <= h.count && !slices.ContainsFunc(sizes, func(s float32) bool { return s > h.height }) {
			return
		}
	}
}

func (h *helpPage) size(b *helpBlock) float32 {
	y := h.c.Px(24)
	for _, l := range b.lines {
		y += h.line(l)
	}
	return y
}

// line returns the height of a line, whose texts may be broken.
func (h *helpPage) line(l helpLine) float32 {
	c, key := h.c, h.c.Px(helpKey)
	return max(c.ParagraphHeight(key-c.Px(4), l.how, ui.Type{}), c.ParagraphHeight(h.width-key, l.doc, ui.Type{})) + c.Px(2)
}

func (h *helpPage) draw(r ui.Rect) {
	c := h.c
	for k, from := range h.starts {
		to := len(h.blocks)
		if k+1 < len(h.starts) {
			to = h.starts[k+1]
		}
		col := r
		col.X0 += float32(k) * (h.width + c.Px(helpGap))
		col.X1 = col.X0 + h.width
		for _, b := range h.blocks[from:to] {
			c.Label(col.CutTop(c.Px(24)), b.title, ui.Type{Face: scene.Bold})
			for _, l := range b.lines {
				row := col.CutTop(h.line(l))
				left := row.CutLeft(c.Px(helpKey))
				left.CutRight(c.Px(4))
				c.Paragraph(left, l.how, ui.Type{Color: c.Theme.Link})
				c.Paragraph(row, l.doc, ui.Type{})
			}
			col.CutTop(c.Px(20))
		}
	}
}
