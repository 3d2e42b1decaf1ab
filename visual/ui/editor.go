package ui

import (
	"strings"
	"time"
	"unicode/utf8"

	"whorl/visual/scene"
)

// An Editor describes an editor. Columns are bytes.
type Editor struct {
	Fixed    bool // the text can be selected and copied, not changed
	First    bool // the editor gets the focus when its dialog opens
	Tab      int  // the width of a tab, in letters; 0 is 4
	Spaces   bool // the Tab key inserts blanks
	Opens    []string
	Color    func(line int, text string) []Span // in order, without overlaps; called for visible lines
	Problems []Problem
	Lit      []Lit
}

// A Span is a part of a line in a colour.
type Span struct {
	From, To int
	Color    scene.Color
	Bold     bool
}

// A Problem is an error in a part of a line. To at or before From stands for one letter.
type Problem struct {
	Line, From, To int
	Severity       Severity
	Text           string
}

// A Lit range has its own background. Whole lines are lit to the edge.
type Lit struct {
	From, To Pos
	Color    scene.Color
	Whole    bool
}

// Edited describes what the user did with an editor.
type Edited struct {
	Changed bool // the text has changed
	Moved   bool // the caret has moved
	Focus   bool
	Hover   bool // the pointer is over the letter at At
	At      Pos
	Clicks  int  // of a press at At: 1, 2 for a double click; 0 for none
	Menu    bool // the secondary button was pressed at X, Y
	X, Y    float32
}

// defaultOpens are the ends of lines that indent the next line further.
var defaultOpens = []string{"{", "(", "["}

type editorState struct {
	scroll, across float64
	goal           float32 // the x that movements up and down keep, plus 1; 0 for that of the caret
	since          time.Duration
	seen           Pos
	leave          bool // Escape was pressed: the Tab key moves the focus
	revision       uint64
	widest         float32
	caret          Pos // of the last pass, to scroll when it has moved
	drawn          bool
	next           time.Duration // when a drag beyond the edge scrolls again
}

// editing is one pass over an editor.
type editing struct {
	c            *Context
	e            *Editor
	d            *Document
	s            *editorState
	t            touch
	st           scene.TextStyle
	cell, line   float32 // width of a letter, height of a line
	area, gutter Rect
	left         float32 // x of the first letter
	tab          int
}

// Reveal scrolls to the line of the caret when an editor shows the document next.
func (d *Document) Reveal() { d.reveal = true }

// Edit draws an editor of several lines. After Escape the Tab key moves the focus.
func (c *Context) Edit(r Rect, name string, d *Document, e Editor) Edited {
	id := c.id(name)
	w := wantsFocus | wantsGrab
	if e.First {
		w |= wantsFirst
	}
	ed := editing{c: c, e: &e, d: d, s: data[editorState](c, id)}
	ed.measure(r)
	tip := ed.tip()
	ed.t = c.touch(id, r, w, tip)
	var res Edited
	if c.secondary(id) {
		c.st.focus = id
		res.Menu, res.X, res.Y = true, c.st.x, c.st.y
	}
	c.typing = c.typing || ed.t.focus && !e.Fixed
	s := ed.s
	total := float64(ed.line)*float64(d.Lines()) + float64(ed.line)/2
	view := float64(ed.area.H())
	c.wheelScroll(id.child("//wheel"), r, &s.scroll, total, view, 1)
	c.wheelScroll(id.child("//wheel across"), r, &s.across, float64(ed.width()), float64(ed.area.W()), 0)

	res.Focus = ed.t.focus
	revision, caret := d.revision, d.caret
	ed.pointer(&res)
	ed.keys()
	res.Changed = d.revision != revision
	res.Moved = d.caret != caret
	if d.caret != s.caret || d.reveal {
		ed.show(d.reveal)
		s.caret, d.reveal = d.caret, false
	}
	total = float64(ed.line)*float64(d.Lines()) + float64(ed.line)/2
	s.scroll = min(max(s.scroll, 0), max(total-view, 0))
	s.across = min(max(s.across, 0), max(float64(ed.width()-ed.area.W()), 0))
	ed.draw(r)
	bar := c.Px(scrollWidth)
	c.scrollBar(id.child("//bar"), Rect{r.X1 - bar, r.Y0, r.X1, ed.area.Y1}.Cut(r), &s.scroll, total, view, 1)
	c.scrollBar(id.child("//bar across"), Rect{ed.area.X0, r.Y1 - bar, ed.area.X1, r.Y1}.Cut(r), &s.across, float64(ed.width()), float64(ed.area.W()), 0)
	if ed.t.ring && e.Fixed {
		c.FocusRing(r)
	}
	return res
}

// measure computes the layout.
func (ed *editing) measure(r Rect) {
	c := ed.c
	ed.st = c.style(Type{Face: scene.Mono, Size: Code})
	ed.cell = c.Text.Width("0", ed.st.Size, scene.Mono)
	ed.line = max(whole(ed.st.Size*1.5), 1)
	ed.tab = ed.e.Tab
	if ed.tab <= 0 {
		ed.tab = 4
	}
	digits := 3
	for n := ed.d.Lines(); n >= 1000; n /= 10 {
		digits++
	}
	ed.gutter, ed.area = r, r
	num := c.Text.Width("0", c.em(Small), scene.Mono)
	ed.gutter.X1 = min(r.X0+whole(num*float32(digits))+c.Px(32), r.X1)
	ed.area.X0 = min(ed.gutter.X1+c.Px(Gap), r.X1)
	ed.area.X1 = max(r.X1-c.Px(scrollWidth), ed.area.X0)
	ed.area.Y0 = min(r.Y0+c.Px(4), r.Y1)
	if ed.width() > ed.area.W() {
		ed.area.Y1 = max(r.Y1-c.Px(scrollWidth), ed.area.Y0)
	}
	ed.left = ed.area.X0 - whole(float32(ed.s.across))
}

// width returns the width of the longest line, with room for the caret and the text of a problem.
func (ed *editing) width() float32 {
	s := ed.s
	if s.revision != ed.d.revision || !s.drawn {
		longest, at := 0, 0
		for i, l := range ed.d.lines {
			n := len(l)
			if strings.IndexByte(l, '\t') >= 0 {
				n += strings.Count(l, "\t") * (ed.tab - 1)
			}
			if n > longest {
				longest, at = n, i
			}
		}
		s.revision, s.drawn = ed.d.revision, true
		l := ed.d.Line(at)
		s.widest = ed.x(l, len(l)) / ed.cell
	}
	return whole((s.widest + 4) * ed.cell)
}

// x returns the position of a byte of a line, from the start of the line.
func (ed *editing) x(s string, col int) float32 {
	at := 0 // letters
	extra := float32(0)
	for i := 0; i < len(s) && i < col; {
		switch b := s[i]; {
		case b == '\t':
			at += ed.tab - at%ed.tab
			i++
		case b < utf8.RuneSelf:
			at++
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			w := ed.c.Text.Width(string(r), ed.st.Size, scene.Mono)
			k := int(w/ed.cell + 0.5)
			at += k
			extra += w - float32(k)*ed.cell
			i += n
		}
	}
	return float32(at)*ed.cell + extra
}

// col returns the byte of a line nearest to x.
func (ed *editing) col(s string, x float32) int {
	at := float32(0)
	for i := 0; i < len(s); {
		n := 1
		w := ed.cell
		switch b := s[i]; {
		case b == '\t':
			k := int(at/ed.cell + 0.5)
			w = float32(ed.tab-k%ed.tab) * ed.cell
		case b >= utf8.RuneSelf:
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			w = ed.c.Text.Width(string(r), ed.st.Size, scene.Mono)
		}
		if x < at+w/2 {
			return i
		}
		at += w
		i += n
	}
	return len(s)
}

// pos returns the place of the text nearest to a point.
func (ed *editing) pos(x, y float32) Pos {
	i := int((float64(y-ed.area.Y0) + ed.s.scroll) / float64(ed.line))
	if y < ed.area.Y0 && ed.s.scroll < float64(ed.line) {
		i = 0
	}
	i = min(max(i, 0), ed.d.Lines()-1)
	return Pos{i, ed.col(ed.d.Line(i), x-ed.left)}
}

// show scrolls to the caret. centred puts a line that is far away into the middle.
func (ed *editing) show(centred bool) {
	s, view := ed.s, float64(ed.area.H())
	y := float64(ed.line) * float64(ed.d.caret.Line)
	if centred && (y < s.scroll || y+float64(ed.line) > s.scroll+view) {
		s.scroll = y - view/2
	}
	s.scroll = min(max(s.scroll, y+float64(ed.line)-view), y)
	x := float64(ed.x(ed.d.Line(ed.d.caret.Line), ed.d.caret.Col))
	margin := float64(ed.cell * 2)
	if x+margin > s.across+float64(ed.area.W()) {
		s.across = x + margin - float64(ed.area.W())
	}
	if x < s.across+margin {
		s.across = max(x-4*margin, 0)
	}
	ed.left = ed.area.X0 - whole(float32(s.across))
	ed.c.again = true
}

func (ed *editing) pointer(res *Edited) {
	c, t, d := ed.c, ed.t, ed.d
	p := ed.pos(c.st.x, c.st.y)
	inGutter := ed.gutter.Has(c.st.x, c.st.y)
	if t.hot {
		res.Hover, res.At = !inGutter, p
		c.shape(!inGutter, Beam)
	}
	switch {
	case t.down:
		ed.s.goal = 0
		res.Clicks, res.At = t.clicks, p
		switch {
		case inGutter || t.clicks >= 3:
			d.Select(Pos{p.Line, 0}, Pos{p.Line + 1, 0})
		case t.clicks == 2:
			from, to := d.wordAt(p)
			d.Select(from, to)
		default:
			d.moveTo(p, c.shifted())
		}
	case t.held && t.dragged && c.st.clicks.n == 1:
		if y := c.st.y; y < ed.area.Y0 || y > ed.area.Y1 { // beyond the edge: scroll on while the button is held
			const every = 30 * time.Millisecond
			if c.in.Now >= ed.s.next {
				ed.s.next = c.in.Now + every
				d.moveTo(p, true)
			}
			c.Wake(ed.s.next)
			return
		}
		if len(c.in.Events) > 0 {
			d.moveTo(p, true)
		}
	}
}

// tip returns the tooltip for the text under the pointer.
func (ed *editing) tip() string {
	c := ed.c
	if !ed.area.Has(c.st.x, c.st.y) && !ed.gutter.Has(c.st.x, c.st.y) || len(ed.e.Problems) == 0 {
		return ""
	}
	p := ed.pos(c.st.x, c.st.y)
	if float64(c.st.y-ed.area.Y0)+ed.s.scroll > float64(ed.line)*float64(p.Line+1) {
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
