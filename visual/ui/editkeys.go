package ui

import (
	"strings"
	"unicode/utf8"
)

// keys handles the keys and the text of this pass.
func (ed *editing) keys() {
	c, d, s := ed.c, ed.d, ed.s
	if !ed.t.focus || c.ev == nil {
		return
	}
	switch c.ev.Kind {
	case Text:
		e := c.take()
		text := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
				return -1
			}
			return r
		}, clean(e.Text))
		if text != "" && !ed.e.Fixed {
			d.replace(text, utf8.RuneCountInString(text) == 1)
			s.goal, s.leave = 0, false
		}
	case Key:
		leave := s.leave
		s.leave = c.ev.Name == "Escape"
		if ed.vertical(c.ev) {
			c.take()
			return
		}
		took := true
		switch name := c.ev.Name; {
		case name == "Escape":
			if from, to := d.Selection(); from != to {
				d.moveTo(d.caret, false)
			}
			took = !ed.t.ring
		case name == "Tab" && (leave || ed.e.Fixed || c.ev.Mods.Command()):
			took = false
		case name == "Tab":
			ed.tabKey(c.ev.Mods&Shift != 0)
		case name == "Enter" && c.ev.Mods.Command():
			took = false // a shortcut, to run the program
		case name == "Enter":
			if !ed.e.Fixed {
				d.replace("\n"+ed.indent(), false)
			}
		default:
			took = c.editKeys(d, c.ev, true, ed.e.Fixed)
		}
		if took {
			c.take()
			s.goal = 0
		}
	}
}

// vertical moves the caret between lines. The caret keeps its column over shorter lines.
func (ed *editing) vertical(e *Event) bool {
	d, s := ed.d, ed.s
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
	if e.Mods.Command() || e.Mods&Alt != 0 {
		if page > 1 && (by > 1 || by < -1) || e.Mods&Alt != 0 {
			return false
		}
		s.scroll += float64(by) * float64(ed.line)
		return true
	}
	if s.goal == 0 {
		s.goal = ed.x(d.Line(d.caret.Line), d.caret.Col) + 1
	}
	to := Pos{Line: d.caret.Line + by}
	switch {
	case to.Line < 0:
		to = Pos{}
	case to.Line >= d.Lines():
		to = Pos{d.Lines() - 1, len(d.Line(d.Lines() - 1))}
	default:
		to.Col = ed.col(d.Line(to.Line), s.goal-1)
	}
	d.moveTo(to, e.Mods&Shift != 0)
	return true
}

// indent returns the indentation of the new line when the line of the caret is broken.
func (ed *editing) indent() string {
	from, _ := ed.d.Selection()
	before := ed.d.Line(from.Line)[:from.Col]
	blank := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	opens := ed.e.Opens
	if opens == nil {
		opens = defaultOpens
	}
	end := strings.TrimRight(before, " \t")
	for _, o := range opens {
		if strings.HasSuffix(end, o) {
			return blank + ed.unit()
		}
	}
	return blank
}

func (ed *editing) unit() string {
	if ed.e.Spaces {
		return strings.Repeat(" ", ed.tab)
	}
	return "\t"
}

// tabKey indents or unindents the selected lines. Without a selection it inserts a tab.
func (ed *editing) tabKey(back bool) {
	d := ed.d
	from, to := d.Selection()
	if from.Line == to.Line && !back {
		tab := "\t"
		if ed.e.Spaces {
			at := int(ed.x(d.Line(from.Line), from.Col)/ed.cell + 0.5)
			tab = strings.Repeat(" ", ed.tab-at%ed.tab)
		}
		d.replace(tab, false)
		return
	}
	last := to.Line
	if to.Col == 0 && last > from.Line {
		last--
	}
	anchor, caret := d.anchor, d.caret
	var b strings.Builder
	for i := from.Line; i <= last; i++ {
		if i > from.Line {
			b.WriteByte('\n')
		}
		was := d.Line(i)
		line := was
		switch {
		case !back && was != "":
			line = ed.unit() + was
		case back && strings.HasPrefix(was, "\t"):
			line = was[1:]
		case back:
			line = strings.TrimPrefix(was, strings.Repeat(" ", min(ed.tab, len(was)-len(strings.TrimLeft(was, " ")))))
		}
		b.WriteString(line)
		shift := len(line) - len(was)
		for _, p := range []*Pos{&anchor, &caret} {
			if p.Line == i && (p.Col > 0 || shift < 0) {
				p.Col = max(p.Col+shift, 0)
			}
		}
	}
	text := b.String()
	if text == d.Part(Pos{from.Line, 0}, Pos{last, len(d.Line(last))}) {
		return
	}
	d.Replace(Pos{from.Line, 0}, Pos{last, len(d.Line(last))}, text)
	d.Select(anchor, caret)
}
