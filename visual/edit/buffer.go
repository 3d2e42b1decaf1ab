// Package edit holds a text while a user edits it: the lines, the caret, the selection, and the changes for undo. It knows the
// movements by characters and words, and nothing of keys and pixels: an editor shows a Buffer and calls its methods.
package edit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Pos is a place between two characters of a text: a line and a byte in it, both from 0.
type Pos struct{ Line, Col int }

// before reports whether p lies before q.
func (p Pos) before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col }

// A Buffer is a text with a caret and a selection, and its changes. The zero Buffer is empty.
type Buffer struct {
	lines         []string
	caret, anchor Pos // the selection lies between them
	revision      uint64
	undo, redo    []change
	reveal        bool // the editor scrolls to the caret
	joined        bool // the next character typed extends the last change
}

// A change put text in the place of other text.
type change struct {
	from           Pos
	removed, added string
	caret, anchor  Pos // before the change
	caretAfter     Pos
}

const maxUndo = 2000 // changes

// SetText replaces the whole text and forgets all changes. Here and in Insert and Type line ends become \n, and invalid UTF-8 U+FFFD.
func (b *Buffer) SetText(text string) {
	*b = Buffer{lines: strings.Split(clean(text), "\n"), revision: b.revision + 1}
}

// clean makes the line ends of a text \n, and its invalid UTF-8 U+FFFD.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

// Text returns the whole text.
func (b *Buffer) Text() string { return strings.Join(b.lines, "\n") }

// Revision changes whenever the text does.
func (b *Buffer) Revision() uint64 { return b.revision }

// Lines returns the number of lines, at least 1.
func (b *Buffer) Lines() int { return max(len(b.lines), 1) }

// Line returns a line without its end.
func (b *Buffer) Line(i int) string {
	if i < 0 || i >= len(b.lines) {
		return ""
	}
	return b.lines[i]
}

// End returns the end of the text.
func (b *Buffer) End() Pos {
	last := b.Lines() - 1
	return Pos{last, len(b.Line(last))}
}

// Caret returns the place where typed text goes.
func (b *Buffer) Caret() Pos { return b.caret }

// Anchor returns the end of the selection opposite the caret; the caret if nothing is selected.
func (b *Buffer) Anchor() Pos { return b.anchor }

// Reveal asks the editor that shows the buffer next to scroll to the line of the caret.
func (b *Buffer) Reveal() { b.reveal = true }

// Revealing reports whether Reveal was called since Revealed was.
func (b *Buffer) Revealing() bool { return b.reveal }

// Revealed says that an editor has scrolled to the caret.
func (b *Buffer) Revealed() { b.reveal = false }

// Selection returns the selected part; from equals to if nothing is selected.
func (b *Buffer) Selection() (from, to Pos) {
	if b.anchor.before(b.caret) {
		return b.anchor, b.caret
	}
	return b.caret, b.anchor
}

// Select selects from anchor to caret, both moved to the nearest places of the text.
func (b *Buffer) Select(anchor, caret Pos) {
	b.anchor, b.caret, b.joined = b.fit(anchor), b.fit(caret), false
}

// fit returns the nearest place of the text.
func (b *Buffer) fit(p Pos) Pos {
	if p.Line < 0 {
		return Pos{}
	}
	if p.Line >= b.Lines() {
		return b.End()
	}
	s := b.Line(p.Line)
	p.Col = min(max(p.Col, 0), len(s))
	for p.Col > 0 && p.Col < len(s) && !utf8.RuneStart(s[p.Col]) {
		p.Col--
	}
	return p
}

// Part returns the text between two places.
func (b *Buffer) Part(from, to Pos) string {
	from, to = b.fit(from), b.fit(to)
	if !from.before(to) {
		return ""
	}
	if from.Line == to.Line {
		return b.lines[from.Line][from.Col:to.Col]
	}
	var text strings.Builder
	text.WriteString(b.lines[from.Line][from.Col:])
	for _, l := range b.lines[from.Line+1 : to.Line] {
		text.WriteByte('\n')
		text.WriteString(l)
	}
	text.WriteByte('\n')
	text.WriteString(b.lines[to.Line][:to.Col])
	return text.String()
}

// Insert replaces the selection by a text and puts the caret behind it. Undo takes the text back as a whole.
func (b *Buffer) Insert(text string) { b.insert(clean(text), false) }

// Type inserts typed or pasted text, without control characters. Undo takes characters typed in a row back together, word by word.
func (b *Buffer) Type(text string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, clean(text))
	if text != "" {
		b.insert(text, utf8.RuneCountInString(text) == 1 && text != "\n")
	}
}

// Replace puts a text between two places and the caret behind it.
func (b *Buffer) Replace(from, to Pos, text string) {
	b.Select(from, to)
	b.Insert(text)
}

// insert replaces the selection by a text. join extends the last change if it inserted the characters before.
func (b *Buffer) insert(text string, join bool) {
	from, to := b.Selection()
	c := change{from: from, removed: b.Part(from, to), added: text, caret: b.caret, anchor: b.anchor}
	if c.removed == "" && text == "" {
		return
	}
	b.splice(from, c.removed, text)
	b.caret = after(from, text)
	b.anchor = b.caret
	c.caretAfter = b.caret
	b.redo = nil
	join = join && c.removed == ""
	if n := len(b.undo); join && b.joined && n > 0 {
		last := &b.undo[n-1]
		word := text != " " && strings.HasSuffix(last.added, " ") // a new word begins
		if after(last.from, last.added) == from && !word {
			last.added += text
			last.caretAfter = b.caret
			return
		}
	}
	b.joined = join
	if len(b.undo) == maxUndo {
		b.undo = append(b.undo[:0], b.undo[maxUndo/10:]...)
	}
	b.undo = append(b.undo, c)
}

// after returns the end of a text that begins at p.
func after(p Pos, text string) Pos {
	n := strings.Count(text, "\n")
	if n == 0 {
		return Pos{p.Line, p.Col + len(text)}
	}
	return Pos{p.Line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
}

// splice puts added in the place of removed, which begins at from.
func (b *Buffer) splice(from Pos, removed, added string) {
	if b.lines == nil {
		b.lines = []string{""}
	}
	b.revision++
	end := after(from, removed)
	first, last := b.lines[from.Line][:from.Col], b.lines[end.Line][end.Col:]
	if !strings.Contains(added, "\n") {
		b.lines[from.Line] = first + added + last
		b.lines = slices.Delete(b.lines, from.Line+1, end.Line+1)
		return
	}
	parts := strings.Split(added, "\n")
	parts[0] = first + parts[0]
	parts[len(parts)-1] += last
	b.lines = slices.Replace(b.lines, from.Line, end.Line+1, parts...)
}

// Undo undoes the last change. It reports whether there was one.
func (b *Buffer) Undo() bool {
	n := len(b.undo)
	if n == 0 {
		return false
	}
	c := b.undo[n-1]
	b.undo = b.undo[:n-1]
	b.redo = append(b.redo, c)
	b.splice(c.from, c.added, c.removed)
	b.caret, b.anchor, b.joined = c.caret, c.anchor, false
	return true
}

// Redo makes the last undone change again. It reports whether there was one.
func (b *Buffer) Redo() bool {
	n := len(b.redo)
	if n == 0 {
		return false
	}
	c := b.redo[n-1]
	b.redo = b.redo[:n-1]
	b.undo = append(b.undo, c)
	b.splice(c.from, c.removed, c.added)
	b.caret, b.anchor, b.joined = c.caretAfter, c.caretAfter, false
	return true
}

// MoveTo moves the caret to p. extend keeps the other end of the selection.
func (b *Buffer) MoveTo(p Pos, extend bool) {
	b.caret = b.fit(p)
	if !extend {
		b.anchor = b.caret
	}
	b.joined = false
}

// Left returns the place one character before p; combining marks belong to their character.
func (b *Buffer) Left(p Pos) Pos {
	if p.Col == 0 {
		if p.Line == 0 {
			return p
		}
		return Pos{p.Line - 1, len(b.Line(p.Line - 1))}
	}
	s := b.Line(p.Line)
	for p.Col > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:p.Col])
		p.Col -= n
		if !unicode.Is(unicode.Mn, r) {
			break
		}
	}
	return p
}

// Right returns the place one character after p.
func (b *Buffer) Right(p Pos) Pos {
	s := b.Line(p.Line)
	if p.Col >= len(s) {
		if p.Line+1 >= b.Lines() {
			return p
		}
		return Pos{p.Line + 1, 0}
	}
	_, n := utf8.DecodeRuneInString(s[p.Col:])
	p.Col += n
	for p.Col < len(s) {
		r, n := utf8.DecodeRuneInString(s[p.Col:])
		if !unicode.Is(unicode.Mn, r) {
			break
		}
		p.Col += n
	}
	return p
}

// class returns the class of a character, for movements by words: 0 blank, 1 letter or digit, 2 other.
func class(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
		return 1
	}
	return 2
}

// WordLeft returns the start of the word before p.
func (b *Buffer) WordLeft(p Pos) Pos {
	if p.Col == 0 {
		return b.Left(p)
	}
	s := b.Line(p.Line)[:p.Col]
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	if s != "" {
		last, _ := utf8.DecodeLastRuneInString(s)
		s = strings.TrimRightFunc(s, func(r rune) bool { return class(r) == class(last) })
	}
	return Pos{p.Line, len(s)}
}

// WordRight returns the end of the word after p.
func (b *Buffer) WordRight(p Pos) Pos {
	s := b.Line(p.Line)
	if p.Col >= len(s) {
		return b.Right(p)
	}
	rest := strings.TrimLeftFunc(s[p.Col:], unicode.IsSpace)
	if rest != "" {
		first, _ := utf8.DecodeRuneInString(rest)
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return class(r) == class(first) })
	}
	return Pos{p.Line, len(s) - len(rest)}
}

// Word returns the bounds of the word, the blanks or the signs around p.
func (b *Buffer) Word(p Pos) (from, to Pos) {
	s := b.Line(p.Line)
	if s == "" {
		return p, p
	}
	col := min(p.Col, len(s))
	if col == len(s) {
		_, n := utf8.DecodeLastRuneInString(s)
		col -= n
	}
	r, _ := utf8.DecodeRuneInString(s[col:])
	same := func(x rune) bool { return class(x) == class(r) }
	return Pos{p.Line, len(strings.TrimRightFunc(s[:col], same))}, Pos{p.Line, len(s) - len(strings.TrimLeftFunc(s[col:], same))}
}
