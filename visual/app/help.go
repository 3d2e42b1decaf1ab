package app

import (
	"slices"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// helpLine is a key, or several that do the same, and what it does.
type helpLine struct {
	keys []shortcut // none for what the pointer does
	how  string     // as it is written
	doc  string
}

// helpBlock is a part of the help.
type helpBlock struct {
	title string
	view  string // whose keys they are, "" for those of more than one view
	lines []helpLine
}

// helpBlocks lists every key there is: those of the window, of its controls and editors, of all views and of each, and the mouse.
func (a *App) helpBlocks() []helpBlock {
	window := helpBlock{title: "Window"}
	for _, cmd := range a.commands {
		if len(cmd.keys) > 0 {
			window.lines = append(window.lines, keyLine(cmd.doc, cmd.keys...))
		}
	}
	mouse := helpBlock{title: "Mouse", lines: []helpLine{
		{how: "move", doc: "say what is under the pointer"},
		{how: "click", doc: "select; with Shift, select more"},
		{how: "double click", doc: "go into the subtree"},
		{how: "drag", doc: "move the picture, or select a time"},
		{how: "wheel", doc: "zoom at the pointer, or scroll"},
		{how: "right click", doc: "what can be done here"},
	}}
	key := func(name string) shortcut { return shortcut{0, name} }
	controls := helpBlock{title: "Controls", lines: []helpLine{
		keyLine("to the next control", key("Tab")),
		keyLine("to the one before", shortcut{ui.Shift, "Tab"}),
		keyLine("press it", key("Enter"), key(" ")),
		keyLine("move a slider or a dividing line, choose", key("ArrowLeft"), key("ArrowRight")),
		keyLine("back to the pane", key("Escape")),
	}}
	editor := helpBlock{title: "Editing a program", lines: []helpLine{
		keyLine("run it", shortcut{ui.Control, "Enter"}),
		keyLine("save it as a file", shortcut{ui.Control, "s"}),
		keyLine("indent the lines", key("Tab")),
		keyLine("take that back", shortcut{ui.Shift, "Tab"}),
		keyLine("undo", shortcut{ui.Control, "z"}),
		keyLine("do again what was undone", shortcut{ui.Control, "y"}),
		keyLine("select all", shortcut{ui.Control, "a"}),
		keyLine("cut", shortcut{ui.Control, "x"}),
		keyLine("copy", shortcut{ui.Control, "c"}),
		keyLine("paste", shortcut{ui.Control, "v"}),
		keyLine("then Tab: leave the editor", key("Escape")),
	}}
	blocks := []helpBlock{window, mouse, {title: "In every view", lines: keyLines(view.Keys)}}
	for _, k := range a.views {
		if lines := keyLines(k.Keys); len(lines) > 0 {
			blocks = append(blocks, helpBlock{k.Title, k.Name, lines})
		}
	}
	return append(blocks, editor, controls)
}

// keyLine is a line for keys that do the same.
func keyLine(doc string, keys ...shortcut) helpLine {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.String()
	}
	return helpLine{keys, strings.Join(names, ", "), doc}
}

// keyLines joins the keys that do the same.
func keyLines(keys []view.Key) []helpLine {
	var lines []helpLine
	for _, k := range keys {
		at := []shortcut{{0, k.Key}}
		if i := slices.IndexFunc(lines, func(l helpLine) bool { return l.doc == k.Doc }); i >= 0 {
			lines[i] = keyLine(k.Doc, append(lines[i].keys, at...)...)
			continue
		}
		lines = append(lines, keyLine(k.Doc, at...))
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

// helpDialog shows all keys, in as many columns as the window has room for.
func (a *App) helpDialog(c *ui.Context) {
	if !a.help {
		return
	}
	h := helpPage{c: c, blocks: a.helpBlocks()}
	width := min(c.Px(helpWidth), c.Window().W()-c.Px(2*16+2*20))
	h.arrange(width - c.Px(20)) // as high as it is beside a scroll bar
	c.Dialog("help", &a.help, ui.Dialog{Title: "Keys", W: width / c.Scale, H: h.height / c.Scale}, func(r ui.Rect) {
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
	starts []int // the block that each column begins with
	height float32
}

// arrange finds the least height in which the blocks fit into the columns, in order.
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
	var heights []float32 // a column is as high as some blocks that follow each other
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

// line is how high a line is, whose texts may be broken.
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
