package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// editKeys handles a key in a text, except the movements up and down, which depend on the layout. It reports whether it handled the key.
// lines allows several lines.
func (c *Context) editKeys(d *Document, e *Event, lines, fixed bool) bool {
	extend := e.Mods&Shift != 0
	word := e.Mods&(Control|Alt) != 0
	from, to := d.Selection()
	some := from != to
	if e.Mods.Command() && c.commandKeys(d, e, fixed) {
		return true
	}
	erase := func(p Pos) {
		if fixed {
			return
		}
		if !some {
			d.Select(d.caret, p)
		}
		d.replace("", false)
	}
	switch e.Name {
	case "ArrowLeft":
		switch {
		case e.Mods&Meta != 0:
			d.moveTo(Pos{d.caret.Line, 0}, extend)
		case word:
			d.moveTo(d.wordLeft(d.caret), extend)
		case some && !extend:
			d.moveTo(from, false)
		default:
			d.moveTo(d.left(d.caret), extend)
		}
	case "ArrowRight":
		switch {
		case e.Mods&Meta != 0:
			d.moveTo(Pos{d.caret.Line, len(d.Line(d.caret.Line))}, extend)
		case word:
			d.moveTo(d.wordRight(d.caret), extend)
		case some && !extend:
			d.moveTo(to, false)
		default:
			d.moveTo(d.right(d.caret), extend)
		}
	case "Home":
		p := Pos{d.caret.Line, 0}
		if e.Mods.Command() {
			p = Pos{}
		} else if lines { // first to the start of the text
			s := d.Line(p.Line)
			if in := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)); d.caret.Col != in {
				p.Col = in
			}
		}
		d.moveTo(p, extend)
	case "End":
		p := Pos{d.caret.Line, len(d.Line(d.caret.Line))}
		if e.Mods.Command() {
			p = Pos{d.Lines() - 1, len(d.Line(d.Lines() - 1))}
		}
		d.moveTo(p, extend)
	case "Backspace":
		switch {
		case word:
			erase(d.wordLeft(d.caret))
		default:
			erase(d.left(d.caret))
		}
	case "Delete":
		if word {
			erase(d.wordRight(d.caret))
		} else {
			erase(d.right(d.caret))
		}
	default:
		// The letter follows as a Text event; it is no shortcut.
		return utf8.RuneCountInString(e.Name) == 1 && !e.Mods.Command() && !fixed
	}
	return true
}

func (c *Context) commandKeys(d *Document, e *Event, fixed bool) bool {
	from, to := d.Selection()
	name := e.Name
	if len(name) == 1 {
		name = lower(name)
	}
	switch name {
	case "a":
		d.Select(Pos{}, Pos{d.Lines(), 0})
	case "c":
		if from != to {
			c.copied = d.Part(from, to)
		}
	case "x":
		if from != to {
			c.copied = d.Part(from, to)
			if !fixed {
				d.replace("", false)
			}
		}
	case "v":
		c.paste = !fixed
	case "z":
		switch {
		case fixed:
		case e.Mods&Shift != 0:
			d.Redo()
		default:
			d.Undo()
		}
	case "y":
		if !fixed {
			d.Redo()
		}
	default:
		return false
	}
	return true
}
