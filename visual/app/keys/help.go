package keys

import (
	"slices"
	"strings"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// Help is the dialog that lists all keys and says what each view is for. It can be searched.
type Help struct {
	Open bool
	find string
}

// A Line is a key, or several keys that do the same.
type Line struct {
	Keys []Key  // none for the mouse
	How  string // the keys in words
	Doc  string
}

// A Block is a part of the help.
type Block struct {
	Title string
	View  string // the view that has the keys, "" for keys of several views
	Doc   string // what the view is for
	Lines []Line
}

// Blocks lists all keys: those of the window, of its controls and editors, of all views and of each, and the mouse.
func Blocks(window []Line, kinds []*view.Kind) []Block {
	mouse := Block{Title: "Mouse", Lines: []Line{
		{How: "move", Doc: "describe what is under the pointer"},
		{How: "click", Doc: "select; with Shift, add to the selection; with Alt, take away"},
		{How: "double click", Doc: "go into the subtree"},
		{How: "drag", Doc: "move the picture, or select a time"},
		{How: "wheel", Doc: "zoom at the pointer, or scroll"},
		{How: "right click", Doc: "open a menu for what is under it"},
	}}
	key := func(name string) Key { return Key{0, name} }
	controls := Block{Title: "Controls", Lines: []Line{
		NewLine("go to the next control", key("Tab")),
		NewLine("go to the previous control", Key{ui.Shift, "Tab"}),
		NewLine("press the control", key("Enter"), key(" ")),
		NewLine("move a slider or a divider, choose", key("ArrowLeft"), key("ArrowRight")),
		NewLine("go back to the pane", key("Escape")),
	}}
	editor := Block{Title: "Editing a program", Lines: []Line{
		NewLine("run the program", Key{ui.Control, "Enter"}),
		NewLine("save the program as a file", Key{ui.Control, "s"}),
		NewLine("indent the lines", key("Tab")),
		NewLine("unindent the lines", Key{ui.Shift, "Tab"}),
		NewLine("undo", Key{ui.Control, "z"}),
		NewLine("redo", Key{ui.Control, "y"}),
		NewLine("select all", Key{ui.Control, "a"}),
		NewLine("cut", Key{ui.Control, "x"}),
		NewLine("copy", Key{ui.Control, "c"}),
		NewLine("paste", Key{ui.Control, "v"}),
		NewLine("then Tab: leave the editor", key("Escape")),
	}}
	blocks := []Block{{Title: "Window", Lines: window}, mouse, {Title: "In every view", Lines: keyLines(view.Keys)}}
	for _, k := range kinds {
		blocks = append(blocks, Block{k.Title, k.Name, k.Doc, keyLines(k.Keys)})
	}
	return append(blocks, editor, controls)
}

// NewLine returns a line for keys that do the same.
func NewLine(doc string, keys ...Key) Line {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.String()
	}
	return Line{keys, strings.Join(names, ", "), doc}
}

// search returns the blocks whose title or text contains a text in any case, and of the others the lines that do.
func search(blocks []Block, text string) (found []Block) {
	contains := func(s ...string) bool {
		return strings.Contains(strings.ToLower(strings.Join(s, "\n")), strings.ToLower(text))
	}
	for _, b := range blocks {
		if !contains(b.Title, b.Doc) {
			b.Lines = slices.DeleteFunc(slices.Clone(b.Lines), func(l Line) bool { return !contains(l.How, l.Doc) })
			if len(b.Lines) == 0 {
				continue
			}
		}
		found = append(found, b)
	}
	return found
}

// keyLines returns a line for each action, with all its keys.
func keyLines(keys []view.Key) []Line {
	var lines []Line
	for _, k := range keys {
		key := Key{0, k.Key}
		if i := slices.IndexFunc(lines, func(l Line) bool { return l.Doc == k.Doc }); i >= 0 {
			lines[i] = NewLine(k.Doc, append(lines[i].Keys, key)...)
			continue
		}
		lines = append(lines, NewLine(k.Doc, key))
	}
	return lines
}

// Sizes of the help, in points.
const (
	helpWidth  = 1200
	helpColumn = 272 // at least
	helpKey    = 92
	helpGap    = 28
	helpFind   = 12 // below the search field
)

// Draw draws the open dialog, in as many columns as the window has room for.
func (d *Help) Draw(c *ui.Context, blocks []Block) {
	h := helpPage{c: c, blocks: blocks}
	width := min(c.Px(helpWidth), c.Window().W()-c.Px(2*16+2*20))
	h.arrange(width - c.Px(20)) // the height beside a scroll bar
	widget.Dialog(c, "help", &d.Open, widget.DialogOptions{Title: "Keys and views", W: width / c.Scale, H: h.height/c.Scale + c.Theme.Ctl + helpFind}, func(r ui.Rect) {
		field := r.CutTop(c.Px(c.Theme.Ctl))
		r.CutTop(c.Px(helpFind))
		widget.Field(c, field, "find", &d.find, widget.FieldOptions{Hint: "search keys and views", Icon: icon.Search, First: true})
		h.blocks = search(blocks, d.find)
		if len(h.blocks) == 0 {
			c.Label(r, "Nothing has these words", ui.Type{Color: c.Theme.Muted, Align: scene.Middle})
		}
		h.arrange(r.W())
		h.draw(r)
	})
}

// A helpPage is the help in columns.
type helpPage struct {
	c      *ui.Context
	blocks []Block
	count  int // of columns
	width  float32
	starts []int // the first block of each column
	height float32
}

// arrange finds the least height that the columns need for the blocks, in order.
func (h *helpPage) arrange(width float32) {
	c := h.c
	gap := c.Px(helpGap)
	h.count = max(int((width+gap)/(c.Px(helpColumn)+gap)), 1)
	h.width = max((width-gap*float32(h.count-1))/float32(h.count), 0)
	h.starts, h.height = nil, 0
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

func (h *helpPage) size(b *Block) float32 {
	y := h.c.Px(24) + h.about(b)
	for _, l := range b.Lines {
		y += h.line(l)
	}
	return y
}

// about returns the height of the description of a view.
func (h *helpPage) about(b *Block) float32 {
	if b.Doc == "" {
		return 0
	}
	return h.c.ParagraphHeight(h.width, b.Doc, ui.Type{Color: h.c.Theme.Muted}) + h.c.Px(4)
}

// line returns the height of a line, whose texts may be broken.
func (h *helpPage) line(l Line) float32 {
	c, key := h.c, h.c.Px(helpKey)
	return max(c.ParagraphHeight(key-c.Px(4), l.How, ui.Type{}), c.ParagraphHeight(h.width-key, l.Doc, ui.Type{})) + c.Px(2)
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
			c.Label(col.CutTop(c.Px(24)), b.Title, ui.Type{Face: scene.Bold})
			c.Paragraph(col.CutTop(h.about(&b)), b.Doc, ui.Type{Color: c.Theme.Muted})
			for _, l := range b.Lines {
				row := col.CutTop(h.line(l))
				left := row.CutLeft(c.Px(helpKey))
				left.CutRight(c.Px(4))
				c.Paragraph(left, l.How, ui.Type{Color: c.Theme.Link})
				c.Paragraph(row, l.Doc, ui.Type{})
			}
			col.CutTop(c.Px(20))
		}
	}
}
