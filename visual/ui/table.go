package ui

import (
	"slices"
	"strings"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// A Column of a table.
type Column struct {
	Title  string
	Width  float32 // in points; 0 for the width of the title
	Share  float32 // of the remaining room
	Number bool    // aligned at the right, digit below digit
	Doc    string  // the tooltip of the title
}

// A Table describes a table. Only visible rows are asked for. Row numbers are those of the caller, whatever the order of the rows.
type Table struct {
	Columns  []Column
	Rows     int
	Revision uint64 // changes when the rows do, which sorts them again
	Cell     func(row, column int) string
	Less     func(column, a, b int) bool // nil: the table cannot be sorted
	Ink      func(row, column int) scene.Color
	Chosen   *Choice // nil: the table has its own
	Empty    string  // shown where there are no rows
}

// Tabled describes what the user did with a table; rows are -1 for none.
type Tabled struct {
	Changed bool // other rows are chosen
	Opened  int  // the row of a double click or of Enter
	Hover   int
	Menu    int // the row that was pressed with the secondary button, at X, Y
	X, Y    float32
}

type tableState struct {
	scroll, across float64
	sorted         sorted
	own            Choice
	widths         map[int]float32 // set by the user, by column, in points
	grab           float32
	column         int // of the head, which gets the keys
}

// Table draws a table with a head. A press on a title sorts by the column, a second press in reverse, and a third restores the caller's
// order; the line beside a title changes the width of the column. The pointer and the arrow keys choose rows, several with Shift and
// Control. Ctrl+C copies them, with tabs between the columns.
func (c *Context) Table(r Rect, name string, tab Table) Tabled {
	id := c.id(name)
	s := data[tableState](c, id)
	res := Tabled{Opened: -1, Hover: -1, Menu: -1}
	choice := tab.Chosen
	if choice == nil {
		choice = &s.own
	}
	choice.limit(tab.Rows)
	s.sorted.update(&tab)
	c.Fill(r, c.Theme.Ground)
	body := r
	head := body.CutTop(c.Px(Ctl))
	h := c.Px(Line)
	total := float64(h) * float64(tab.Rows)
	in := body
	if total > float64(body.H()) {
		in.X1 = max(in.X1-c.Px(scrollWidth), in.X0)
	}
	cells, width := c.tableColumns(&tab, s, in.W())
	if width > in.W() {
		in.Y1 = max(in.Y1-c.Px(scrollWidth), in.Y0)
	}
	view := float64(in.H())
	t := c.touch(id, body, wantsFocus|wantsGrab, "")
	c.wheelScroll(id.child("//wheel"), r, &s.scroll, total, view, 1)
	c.wheelScroll(id.child("//wheel across"), r, &s.across, float64(width), float64(in.W()), 0)
	c.tableTouch(&tab, s, choice, t, id, in, h, &res)
	s.scroll = min(max(s.scroll, 0), max(total-view, 0))
	s.across = min(max(s.across, 0), float64(max(width-in.W(), 0)))
	left := in.X0 - whole(float32(s.across))

	c.Clip(Rect{in.X0, in.Y0, in.X1, in.Y1})
	for i := int(s.scroll / float64(h)); i < tab.Rows; i++ {
		y := in.Y0 + whole(float32(float64(i)*float64(h)-s.scroll))
		if y >= in.Y1 {
			break
		}
		row := s.sorted.row(i)
		line := Rect{in.X0, y, in.X1, y + h}
		c.rowGround(line, choice.Has(row), row == res.Hover, t.focus)
		if row == choice.at-1 && t.ring {
			c.outline(line, 0, c.Hair(), c.Theme.Link)
		}
		for k := range tab.Columns {
			cell := Rect{left + cells[k], y, left + cells[k+1], y + h}.Inset(c.Px(Gap), 0)
			if cell.X1 <= in.X0 || cell.X0 >= in.X1 {
				continue
			}
			c.tableCell(&tab, row, k, cell)
		}
	}
	if tab.Rows == 0 && tab.Empty != "" {
		c.Label(in.Inset(c.Px(Pad), 0), tab.Empty, Type{Color: c.Theme.Muted, Align: scene.Middle})
	}
	c.Unclip()
	c.tableHead(&tab, s, head, cells, left, id)
	bar := Rect{in.X1, in.Y0, body.X1, in.Y1}
	c.scrollBar(id.child("//bar"), bar, &s.scroll, total, view, 1)
	c.scrollBar(id.child("//bar across"), Rect{in.X0, in.Y1, in.X1, body.Y1}, &s.across, float64(width), float64(in.W()), 0)
	if t.ring {
		c.FocusRing(r)
	}
	return res
}

func (c *Context) tableCell(tab *Table, row, k int, cell Rect) {
	ty := Type{}
	if tab.Columns[k].Number {
		ty.Align = scene.End
	}
	if tab.Ink != nil {
		ty.Color = tab.Ink(row, k)
	}
	c.Label(cell, tab.Cell(row, k), ty)
}

// tableColumns returns the positions of the columns and their total width.
func (c *Context) tableColumns(tab *Table, s *tableState, room float32) ([]float32, float32) {
	sizes := make([]Size, len(tab.Columns))
	for i, col := range tab.Columns {
		least := c.TextWidth(col.Title, Type{Size: 12, Face: scene.Bold}) + 2*c.Px(Gap) + c.Px(12)
		if col.Width > 0 {
			least = c.Px(col.Width)
		}
		sizes[i] = FlexMin(col.Share, least)
		if w, ok := s.widths[i]; ok {
			sizes[i] = Fixed(c.Px(w))
		}
	}
	at := []float32{0}
	x := float32(0)
	for _, w := range divide(room, 0, sizes) {
		x += w
		at = append(at, x)
	}
	return at, x
}

func (c *Context) tableHead(tab *Table, s *tableState, r Rect, cells []float32, left float32, id ID) {
	th := &c.Theme
	c.Fill(r, th.Surface)
	c.Clip(r)
	ring := c.headKeys(tab, s, r, id.child("//titles"))
	for k, col := range tab.Columns {
		cell := Rect{left + cells[k], r.Y0, left + cells[k+1], r.Y1}
		if cell.X1 <= r.X0 || cell.X0 >= r.X1 {
			continue
		}
		head := id.child("/" + col.Title)
		if slices.ContainsFunc(tab.Columns[:k], func(o Column) bool { return o.Title == col.Title }) {
			head = head.at(k)
		}
		t := c.touch(head, cell, 0, col.Doc)
		if t.clicked && tab.Less != nil {
			s.sorted.turn(k)
			c.again = true
		}
		ink := th.Muted
		if t.hot && tab.Less != nil {
			c.Fill(cell, th.Hover)
			ink = th.Ink
		}
		in := cell.Inset(c.Px(Gap), 0)
		ty := Type{Size: 12, Face: scene.Bold, Color: ink}
		if s.sorted.by == k+1 {
			g := icon.Up
			if s.sorted.down {
				g = icon.Down
			}
			ty.Color = th.Ink
			mark := Rect{in.X1 - c.Px(10), in.Y0, in.X1 + c.Px(4), in.Y1}
			if col.Number {
				mark = Rect{in.X0 - c.Px(5), in.Y0, in.X0 + c.Px(9), in.Y1}
				in.X0 = min(in.X0+c.Px(10), in.X1)
			} else {
				in.X1 = max(in.X1-c.Px(12), in.X0)
			}
			c.Icon(mark, g, th.Ink)
		}
		if col.Number {
			ty.Align = scene.End
		}
		if c.write(in, col.Title, ty) && col.Doc == "" {
			c.Tip(cell, col.Title)
		}
		if ring && k == s.column {
			c.FocusRing(cell)
		}
	}
	for k := range tab.Columns { // above the titles, whose edges they share
		c.columnEdge(s, k, left+cells[k+1], cells[k+1]-cells[k], r, id)
	}
	c.Unclip()
	c.Fill(Rect{r.X0, r.Y1 - c.Hair(), r.X1, r.Y1}, th.Line)
}

// headKeys handles the arrow keys and Enter in the head. It reports whether a title shows the focus.
func (c *Context) headKeys(tab *Table, s *tableState, r Rect, id ID) bool {
	if tab.Less == nil || len(tab.Columns) == 0 {
		return false
	}
	c.put(id, r, wantsFocus, "")
	s.column = min(max(s.column, 0), len(tab.Columns)-1)
	t := touch{focus: !c.Disabled && c.st.focus == id && c.layer >= c.keyLayer}
	if e := c.key(t); e != nil {
		switch e.Name {
		case "ArrowLeft":
			s.column = max(s.column-1, 0)
			c.take()
		case "ArrowRight":
			s.column = min(s.column+1, len(tab.Columns)-1)
			c.take()
		case "Enter", " ":
			s.sorted.turn(s.column)
			c.take()
		}
	}
	return t.focus && c.st.ring
}

// columnEdge draws the line that changes the width of column k.
func (c *Context) columnEdge(s *tableState, k int, x, width float32, r Rect, id ID) {
	zone := Rect{x - c.Px(4), r.Y0, x + c.Px(3), r.Y1}
	t := c.touch(id.child("//edge").at(k), zone, wantsOver, "")
	c.shape(t.hot || t.held, ResizeColumns)
	if t.down {
		s.grab = c.st.x - width
		if t.clicks == 2 {
			delete(s.widths, k)
			c.again = true
		}
	}
	if t.held && t.dragged {
		if s.widths == nil {
			s.widths = map[int]float32{}
		}
		s.widths[k] = max((c.st.x-s.grab)/c.Scale, 32)
		c.again = true
	}
	col := c.Theme.Line
	if t.hot || t.held {
		col = c.Theme.Accent
	}
	x -= c.Hair()
	c.Fill(Rect{x, r.Y0 + c.Px(6), x + c.Hair(), r.Y1 - c.Px(6)}, col)
}

// tableTouch handles the choice of rows.
func (c *Context) tableTouch(tab *Table, s *tableState, choice *Choice, t touch, id ID, in Rect, h float32, res *Tabled) {
	under := -1 // place
	if i := int((float64(c.st.y-in.Y0) + s.scroll) / float64(h)); in.Has(c.st.x, c.st.y) && i >= 0 && i < tab.Rows {
		under = i
	}
	if t.hot && under >= 0 {
		res.Hover = s.sorted.row(under)
	}
	if c.secondary(id) && under >= 0 {
		row := s.sorted.row(under)
		if !choice.Has(row) {
			choice.Only(row)
			res.Changed = true
		}
		res.Menu, res.X, res.Y = row, c.st.x, c.st.y
	}
	if t.down {
		mods := c.in.Events[0].Mods
		switch {
		case under < 0:
			res.Changed = choice.Len() > 0
			choice.Clear()
		case mods.Command():
			row := s.sorted.row(under)
			choice.Set(row, !choice.Has(row))
			choice.at, choice.anchor = row+1, row+1
			res.Changed = true
		default:
			res.Changed = s.choose(choice, under, mods&Shift != 0)
			if t.clicks == 2 {
				res.Opened = s.sorted.row(under)
			}
		}
	}
	if t.held && t.dragged && under >= 0 && choice.anchor > 0 && s.sorted.row(under) != choice.at-1 {
		res.Changed = s.choose(choice, under, true)
	}
	e := c.key(t)
	if e == nil {
		return
	}
	at := -1
	if choice.at > 0 {
		at = s.sorted.place(choice.at - 1)
	}
	switch {
	case e.Mods.Command() && lower(e.Name+" ") == "a ":
		for i := range tab.Rows {
			choice.Set(i, true)
		}
		res.Changed = true
	case e.Mods.Command() && lower(e.Name+" ") == "c ":
		c.copied = tab.copy(s, choice)
	case e.Name == "Enter" && at >= 0:
		res.Opened = choice.at - 1
	default:
		to, ok := rowKey(e, at, tab.Rows, max(int(in.H()/h)-1, 1))
		if !ok {
			return
		}
		if to >= 0 {
			res.Changed = s.choose(choice, to, e.Mods&Shift != 0)
			s.scroll = reveal(s.scroll, float64(h), to, float64(in.H()))
		}
	}
	c.take()
}

// choose chooses the row at a place, or the range from the anchor to it.
func (s *tableState) choose(choice *Choice, place int, extend bool) bool {
	row := s.sorted.row(place)
	if !extend || choice.anchor == 0 {
		was := choice.n == 1 && choice.Has(row)
		choice.Only(row)
		return !was
	}
	anchor := choice.anchor
	from := s.sorted.place(anchor - 1)
	choice.Clear()
	for i := min(from, place); i <= max(from, place); i++ {
		choice.Set(s.sorted.row(i), true)
	}
	choice.at, choice.anchor = row+1, anchor
	return true
}

// maxCopy is the largest number of rows that are copied.
const maxCopy = 100_000

// copy returns the titles and the chosen rows in their order as text.
func (tab *Table) copy(s *tableState, choice *Choice) string {
	if choice.Len() == 0 {
		return ""
	}
	var b strings.Builder
	line := func(text func(k int) string) {
		for k := range tab.Columns {
			if k > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(strings.Map(func(r rune) rune {
				if r == '\t' || r == '\n' {
					return ' '
				}
				return r
			}, text(k)))
		}
		b.WriteByte('\n')
	}
	line(func(k int) string { return tab.Columns[k].Title })
	n := 0
	for i := 0; i < tab.Rows && n < min(choice.Len(), maxCopy); i++ {
		if row := s.sorted.row(i); choice.Has(row) {
			n++
			line(func(k int) string { return tab.Cell(row, k) })
		}
	}
	return b.String()
}
