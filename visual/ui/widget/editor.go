package widget

import (
	"strings"
	"time"
	"unicode/utf8"

	"whorl/visual/edit"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// EditorOptions describe an editor. Columns are bytes.
type EditorOptions struct {
	Opens    []string                           // the ends of lines that indent the next line further
	Color    func(line int, text string) []Span // in order, without overlaps; called for visible lines
	Problems []Problem
}

// A Span is a part of a line in a colour.
type Span struct {
	From, To int
	Color    scene.Color
}

// A Problem is an error in a part of a line. To at or before From stands for one letter.
type Problem struct {
	Line, From, To int
	Severity       ui.Severity
	Text           string
}

// An EditorResult describes what the user did with an editor.
type EditorResult struct {
	Changed bool // the text has changed
	Focus   bool // the editor gets the keys
}

// tabStop is the number of letters between tab stops.
const tabStop = 4

type editorState struct {
	scroll, across float64
	goal           float32 // the x that movements up and down keep, plus 1; 0 for that of the caret
	blink          caretState
	leave          bool // Escape was pressed: the Tab key moves the focus
	revision       uint64
	widest         float32
	caret          edit.Pos // of the last pass, to scroll when it has moved
	drawn          bool
	next           time.Duration // when a drag beyond the edge scrolls again
}

// editing is one pass over an editor.
type editing struct {
	c            *ui.Context
	e            *EditorOptions
	b            *edit.Buffer
	s            *editorState
	t            ui.Touch
	st           scene.TextStyle
	cell, line   float32 // width of a letter, height of a line
	area, gutter ui.Rect
	left         float32 // x of the first letter
}

// Editor draws an editor of several lines. After Escape the Tab key moves the focus.
func Editor(c *ui.Context, r ui.Rect, name string, b *edit.Buffer, e EditorOptions) EditorResult {
	id := c.ID(name)
	ed := editing{c: c, e: &e, b: b, s: ui.Data[editorState](c, id)}
	ed.measure(r)
	tip := ed.tip()
	ed.t = c.Touch(id, r, ui.WantsFocus|ui.WantsGrab|ui.WantsHold, tip)
	c.Describe(id, r, ui.Accessible{Role: ui.RoleField, Name: spoken(name), Value: b.Line(b.Caret().Line)})
	if c.PressedBy(id, ui.Secondary) {
		c.GrabFocus(id)
	}
	if ed.t.Focus {
		c.TakesText()
	}
	s := ed.s
	total := float64(ed.line)*float64(b.Lines()) + float64(ed.line)/2
	view := float64(ed.area.H())
	c.WheelScroll(id.Child("//wheel"), r, &s.scroll, total, view, 1)
	c.WheelScroll(id.Child("//wheel across"), r, &s.across, float64(ed.width()), float64(ed.area.W()), 0)

	revision := b.Revision()
	ed.pointer()
	ed.keys()
	if b.Caret() != s.caret || b.Revealing() {
		ed.show(b.Revealing())
		b.Revealed()
		s.caret = b.Caret()
	}
	total = float64(ed.line)*float64(b.Lines()) + float64(ed.line)/2
	s.scroll = min(max(s.scroll, 0), max(total-view, 0))
	s.across = min(max(s.across, 0), max(float64(ed.width()-ed.area.W()), 0))
	ed.draw(r)
	bar := c.Px(ui.ScrollWidth)
	c.ScrollBar(id.Child("//bar"), ui.Rect{X0: r.X1 - bar, Y0: r.Y0, X1: r.X1, Y1: ed.area.Y1}.Cut(r), &s.scroll, total, view, 1)
	c.ScrollBar(id.Child("//bar across"), ui.Rect{X0: ed.area.X0, Y0: r.Y1 - bar, X1: ed.area.X1, Y1: r.Y1}.Cut(r), &s.across, float64(ed.width()), float64(ed.area.W()), 0)
	return EditorResult{Changed: b.Revision() != revision, Focus: ed.t.Focus}
}

// measure computes the layout.
func (ed *editing) measure(r ui.Rect) {
	c := ed.c
	ed.st = c.Style(ui.Type{Face: scene.Mono, Size: ui.Code})
	ed.cell = c.Text.Width("0", ed.st.Size, scene.Mono)
	ed.line = max(ui.Whole(ed.st.Size*1.5), 1)
	digits := 3
	for n := ed.b.Lines(); n >= 1000; n /= 10 {
		digits++
	}
	ed.gutter, ed.area = r, r
	num := c.Text.Width("0", c.FontSize(ui.Small), scene.Mono)
	ed.gutter.X1 = min(r.X0+ui.Whole(num*float32(digits))+c.Px(32), r.X1)
	ed.area.X0 = min(ed.gutter.X1+c.Px(ui.Gap), r.X1)
	ed.area.X1 = max(r.X1-c.Px(ui.ScrollWidth), ed.area.X0)
	ed.area.Y0 = min(r.Y0+c.Px(4), r.Y1)
	if ed.width() > ed.area.W() {
		ed.area.Y1 = max(r.Y1-c.Px(ui.ScrollWidth), ed.area.Y0)
	}
	ed.left = ed.area.X0 - ui.Whole(float32(ed.s.across))
}

// width returns the width of the longest line, with room for the caret and the text of a problem.
func (ed *editing) width() float32 {
	s := ed.s
	if s.revision != ed.b.Revision() || !s.drawn {
		longest, letters := "", 0
		for i := range ed.b.Lines() {
			l := ed.b.Line(i)
			n := len(l)
			if strings.IndexByte(l, '\t') >= 0 {
				n += strings.Count(l, "\t") * (tabStop - 1)
			}
			if n > letters {
				longest, letters = l, n
			}
		}
		s.revision, s.drawn = ed.b.Revision(), true
		s.widest = ed.x(longest, len(longest)) / ed.cell
	}
	return ui.Whole((s.widest + 4) * ed.cell)
}

// x returns the position of a byte of a line, from the start of the line.
func (ed *editing) x(s string, col int) float32 {
	letters, extra := 0, float32(0)
	for i := 0; i < len(s) && i < col; {
		switch b := s[i]; {
		case b == '\t':
			letters += tabStop - letters%tabStop
			i++
		case b < utf8.RuneSelf:
			letters++
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			w := ed.c.Text.Width(string(r), ed.st.Size, scene.Mono)
			k := int(w/ed.cell + 0.5)
			letters += k
			extra += w - float32(k)*ed.cell
			i += n
		}
	}
	return float32(letters)*ed.cell + extra
}

// col returns the byte of a line nearest to x.
func (ed *editing) col(s string, x float32) int {
	left := float32(0)
	for i := 0; i < len(s); {
		n := 1
		w := ed.cell
		switch b := s[i]; {
		case b == '\t':
			k := int(left/ed.cell + 0.5)
			w = float32(tabStop-k%tabStop) * ed.cell
		case b >= utf8.RuneSelf:
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			w = ed.c.Text.Width(string(r), ed.st.Size, scene.Mono)
		}
		if x < left+w/2 {
			return i
		}
		left += w
		i += n
	}
	return len(s)
}

// pos returns the place of the text nearest to a point.
func (ed *editing) pos(x, y float32) edit.Pos {
	i := int((float64(y-ed.area.Y0) + ed.s.scroll) / float64(ed.line))
	if y < ed.area.Y0 && ed.s.scroll < float64(ed.line) {
		i = 0
	}
	i = min(max(i, 0), ed.b.Lines()-1)
	return edit.Pos{Line: i, Col: ed.col(ed.b.Line(i), x-ed.left)}
}

// show scrolls to the caret. centred puts a line that is far away into the middle.
func (ed *editing) show(centred bool) {
	s, view, caret := ed.s, float64(ed.area.H()), ed.b.Caret()
	y := float64(ed.line) * float64(caret.Line)
	if centred && (y < s.scroll || y+float64(ed.line) > s.scroll+view) {
		s.scroll = y - view/2
	}
	s.scroll = min(max(s.scroll, y+float64(ed.line)-view), y)
	x := float64(ed.x(ed.b.Line(caret.Line), caret.Col))
	margin := float64(ed.cell * 2)
	if x+margin > s.across+float64(ed.area.W()) {
		s.across = x + margin - float64(ed.area.W())
	}
	if x < s.across+margin {
		s.across = max(x-4*margin, 0)
	}
	ed.left = ed.area.X0 - ui.Whole(float32(s.across))
	ed.c.Again()
}

// pointer selects with the pointer: words with a double click, lines with a third click or in the gutter.
func (ed *editing) pointer() {
	c, t, b := ed.c, ed.t, ed.b
	x, y := c.Pointer()
	p, inGutter := ed.pos(x, y), c.Over(ed.gutter)
	if t.Hot && !inGutter {
		c.SetCursor(ui.Beam)
	}
	switch {
	case t.Down:
		ed.s.goal = 0
		switch {
		case inGutter || t.Clicks >= 3:
			b.Select(edit.Pos{Line: p.Line}, edit.Pos{Line: p.Line + 1})
		case t.Clicks == 2:
			b.Select(b.Word(p))
		default:
			b.MoveTo(p, shifted(c))
		}
	case t.Held && t.Dragged && t.Clicks == 1:
		if y < ed.area.Y0 || y > ed.area.Y1 { // beyond the edge: scroll on while the button is held
			const every = 30 * time.Millisecond
			if c.Now() >= ed.s.next {
				ed.s.next = c.Now() + every
				b.MoveTo(p, true)
			}
			c.Wake(ed.s.next)
			return
		}
		if c.Input() != nil {
			b.MoveTo(p, true)
		}
	}
}

// tip returns the tooltip for the text under the pointer.
func (ed *editing) tip() string {
	c := ed.c
	if !c.Over(ed.area) && !c.Over(ed.gutter) || len(ed.e.Problems) == 0 {
		return ""
	}
	x, y := c.Pointer()
	p := ed.pos(x, y)
	if float64(y-ed.area.Y0)+ed.s.scroll > float64(ed.line)*float64(p.Line+1) {
		return ""
	}
	var said []string
	for _, q := range ed.e.Problems {
		if q.Line == p.Line {
			said = append(said, q.Text)
		}
	}
	return strings.Join(said, "\n")
}
