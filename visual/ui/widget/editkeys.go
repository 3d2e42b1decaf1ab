package widget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whorl/visual/edit"
	"whorl/visual/ui"
)

// keys handles the keys and the text of this pass.
func (ed *editing) keys() {
	c, b, s := ed.c, ed.b, ed.s
	e := c.Event()
	if !ed.t.Focus || e == nil {
		return
	}
	switch e.Kind {
	case ui.Text:
		b.Type(c.TakeEvent().Text)
		s.goal, s.leave = 0, false
	case ui.Key:
		leave := s.leave
		s.leave = e.Name == "Escape"
		if ed.vertical(e) {
			c.TakeEvent()
			return
		}
		took := true
		switch name := e.Name; {
		case name == "Escape":
			b.MoveTo(b.Caret(), false)
			took = !ed.t.Ring
		case name == "Tab" && (leave || e.Mods.Command()):
			took = false
		case name == "Tab":
			ed.tabKey(e.Mods&ui.Shift != 0)
		case name == "Enter" && e.Mods.Command():
			took = false // a shortcut, to run the program
		case name == "Enter":
			b.Insert("\n" + ed.indent())
		default:
			took = editKey(c, b, e, true)
		}
		if took {
			c.TakeEvent()
			s.goal = 0
		}
	}
}

// vertical moves the caret between lines. The caret keeps its column over shorter lines.
func (ed *editing) vertical(e *ui.Event) bool {
	b, s := ed.b, ed.s
	by := 0
	page := max(int(ed.area.H()/ed.line)-1, 1)
	switch e.Name {
	case "ArrowUp":
		by = -1
	case "ArrowDown":
		by = 1
	case "PageUp":
		by = -page
	case "PageDown":
		by = page
	default:
		return false
	}
	if e.Mods.Command() || e.Mods&ui.Alt != 0 {
		if page > 1 && (by > 1 || by < -1) || e.Mods&ui.Alt != 0 {
			return false
		}
		s.scroll += float64(by) * float64(ed.line)
		return true
	}
	if s.goal == 0 {
		s.goal = ed.x(b.Line(b.Caret().Line), b.Caret().Col) + 1
	}
	to := edit.Pos{Line: b.Caret().Line + by} // MoveTo moves a place beyond the text to its start or end
	to.Col = ed.col(b.Line(to.Line), s.goal-1)
	b.MoveTo(to, e.Mods&ui.Shift != 0)
	return true
}

// indent returns the indentation of the new line when the line of the caret is broken.
func (ed *editing) indent() string {
	from, _ := ed.b.Selection()
	before := ed.b.Line(from.Line)[:from.Col]
	blank := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	end := strings.TrimRight(before, " \t")
	if slices.ContainsFunc(ed.e.Opens, func(open string) bool { return strings.HasSuffix(end, open) }) {
		return blank + "\t"
	}
	return blank
}

// tabKey indents or unindents the selected lines. Without a selection it inserts a tab.
func (ed *editing) tabKey(back bool) {
	b := ed.b
	from, to := b.Selection()
	if from.Line == to.Line && !back {
		b.Insert("\t")
		return
	}
	last := to.Line
	if to.Col == 0 && last > from.Line {
		last--
	}
	anchor, caret := b.Anchor(), b.Caret()
	var text strings.Builder
	for i := from.Line; i <= last; i++ {
		if i > from.Line {
			text.WriteByte('\n')
		}
		was := b.Line(i)
		line := was
		switch {
		case !back && was != "":
			line = "\t" + was
		case back && strings.HasPrefix(was, "\t"):
			line = was[1:]
		case back:
			line = strings.TrimPrefix(was, strings.Repeat(" ", min(tabStop, len(was)-len(strings.TrimLeft(was, " ")))))
		}
		text.WriteString(line)
		shift := len(line) - len(was)
		for _, p := range []*edit.Pos{&anchor, &caret} {
			if p.Line == i && (p.Col > 0 || shift < 0) {
				p.Col = max(p.Col+shift, 0)
			}
		}
	}
	first, end := edit.Pos{Line: from.Line}, edit.Pos{Line: last, Col: len(b.Line(last))}
	if text.String() == b.Part(first, end) {
		return
	}
	b.Replace(first, end, text.String())
	b.Select(anchor, caret)
}

// editKey handles a key in a text, except the movements up and down, which depend on the layout. It reports whether it handled the key.
// With lines the Home key goes to the start of the text of a line first.
func editKey(c *ui.Context, b *edit.Buffer, e *ui.Event, lines bool) bool {
	extend := e.Mods&ui.Shift != 0
	word := e.Mods&(ui.Control|ui.Alt) != 0
	caret := b.Caret()
	from, to := b.Selection()
	if e.Mods.Command() && commandKey(c, b, e) {
		return true
	}
	erase := func(p edit.Pos) {
		if from == to {
			b.Select(caret, p)
		}
		b.Insert("")
	}
	start, end := edit.Pos{Line: caret.Line}, edit.Pos{Line: caret.Line, Col: len(b.Line(caret.Line))}
	switch e.Name {
	case "ArrowLeft":
		switch {
		case e.Mods&ui.Meta != 0:
			b.MoveTo(start, extend)
		case word:
			b.MoveTo(b.WordLeft(caret), extend)
		case from != to && !extend:
			b.MoveTo(from, false)
		default:
			b.MoveTo(b.Left(caret), extend)
		}
	case "ArrowRight":
		switch {
		case e.Mods&ui.Meta != 0:
			b.MoveTo(end, extend)
		case word:
			b.MoveTo(b.WordRight(caret), extend)
		case from != to && !extend:
			b.MoveTo(to, false)
		default:
			b.MoveTo(b.Right(caret), extend)
		}
	case "Home":
		if e.Mods.Command() {
			start = edit.Pos{}
		} else if lines {
			s := b.Line(start.Line)
			if blank := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)); caret.Col != blank {
				start.Col = blank
			}
		}
		b.MoveTo(start, extend)
	case "End":
		if e.Mods.Command() {
			end = b.End()
		}
		b.MoveTo(end, extend)
	case "Backspace":
		if word {
			erase(b.WordLeft(caret))
		} else {
			erase(b.Left(caret))
		}
	case "Delete":
		if word {
			erase(b.WordRight(caret))
		} else {
			erase(b.Right(caret))
		}
	default:
		// The letter follows as a Text event; it is no shortcut.
		return utf8.RuneCountInString(e.Name) == 1 && !e.Mods.Command()
	}
	return true
}

// commandKey handles a key pressed with Control or Meta: select all, the clipboard, undo and redo.
func commandKey(c *ui.Context, b *edit.Buffer, e *ui.Event) bool {
	part := b.Part(b.Selection())
	switch strings.ToLower(e.Name) {
	case "a":
		b.Select(edit.Pos{}, b.End())
	case "c":
		if part != "" {
			c.Copy(part)
		}
	case "x":
		if part != "" {
			c.Copy(part)
			b.Insert("")
		}
	case "v":
		c.Paste()
	case "z":
		if e.Mods&ui.Shift != 0 {
			b.Redo()
		} else {
			b.Undo()
		}
	case "y":
		b.Redo()
	default:
		return false
	}
	return true
}
