package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Pos is a place between two characters of a text: a line and a byte in it, both from 0.
type Pos struct{ Line, Col int }

func (p Pos) before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col }

// A Document is an edited text: lines, a caret and a selection, and the edits, for undo. The zero Document is empty.
type Document struct {
	lines         []string
	caret, anchor Pos // the selection lies between them
	revision      uint64
	undo, redo    []edit
	reveal        bool // scroll to the caret
	joined        bool // the next letter typed extends the last edit
}

// An edit replaced text by other text.
type edit struct {
	at             Pos
	removed, added string
	caret, anchor  Pos // before the edit
	caretAfter     Pos
}

const maxUndo = 2000

// SetText replaces the whole text and forgets all edits. Line ends become \n, and invalid UTF-8 becomes U+FFFD.
func (d *Document) SetText(text string) {
	*d = Document{lines: strings.Split(clean(text), "\n"), revision: d.revision + 1}
}

func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return s
}

// Text returns the whole text.
func (d *Document) Text() string { return strings.Join(d.lines, "\n") }

// Revision changes whenever the text does.
func (d *Document) Revision() uint64 { return d.revision }

// Lines returns the number of lines, at least 1.
func (d *Document) Lines() int { return max(len(d.lines), 1) }

// Line returns a line without its end.
func (d *Document) Line(i int) string {
	if i < 0 || i >= len(d.lines) {
		return ""
	}
	return d.lines[i]
}

// Caret returns the place where typed text goes.
func (d *Document) Caret() Pos { return d.caret }

// Selection returns the selected part; from equals to if nothing is selected.
func (d *Document) Selection() (from, to Pos) {
	if d.anchor.before(d.caret) {
		return d.anchor, d.caret
	}
	return d.caret, d.anchor
}

// Select selects from anchor to caret, both moved to the nearest places of the text.
func (d *Document) Select(anchor, caret Pos) {
	d.anchor, d.caret, d.joined = d.fit(anchor), d.fit(caret), false
}

// fit returns the nearest place of the text.
func (d *Document) fit(p Pos) Pos {
	if p.Line < 0 {
		return Pos{}
	}
	if n := d.Lines(); p.Line >= n {
		return Pos{n - 1, len(d.Line(n - 1))}
	}
	s := d.Line(p.Line)
	p.Col = min(max(p.Col, 0), len(s))
	for p.Col > 0 && p.Col < len(s) && !utf8.RuneStart(s[p.Col]) {
		p.Col--
	}
	return p
}

// Part returns the text between two places.
func (d *Document) Part(from, to Pos) string {
	from, to = d.fit(from), d.fit(to)
	if !from.before(to) {
		return ""
	}
	if from.Line == to.Line {
		return d.lines[from.Line][from.Col:to.Col]
	}
	var b strings.Builder
	b.WriteString(d.lines[from.Line][from.Col:])
	for _, l := range d.lines[from.Line+1 : to.Line] {
		b.WriteByte('\n')
		b.WriteString(l)
	}
	b.WriteByte('\n')
	b.WriteString(d.lines[to.Line][:to.Col])
	return b.String()
}

// Insert replaces the selection by a text, as typing does.
func (d *Document) Insert(text string) { d.replace(clean(text), false) }

// Replace puts text between two places and the caret behind it.
func (d *Document) Replace(from, to Pos, text string) {
	d.Select(from, to)
	d.replace(clean(text), false)
}

// replace puts text in the place of another. Letters typed in a row become one edit.
func (d *Document) replace(text string, typed bool) {
	from, to := d.Selection()
	e := edit{at: from, removed: d.Part(from, to), added: text, caret: d.caret, anchor: d.anchor}
	if e.removed == "" && text == "" {
		return
	}
	d.splice(from, e.removed, text)
	d.caret = after(from, text)
	d.anchor = d.caret
	e.caretAfter = d.caret
	d.redo = nil
	one := typed && e.removed == "" && !strings.Contains(text, "\n")
	if n := len(d.undo); one && d.joined && n > 0 {
		last := &d.undo[n-1]
		starts := text != " " && strings.HasSuffix(last.added, " ") // a new word
		if after(last.at, last.added) == from && !starts {
			last.added += text
			last.caretAfter = d.caret
			return
		}
	}
	d.joined = one
	if len(d.undo) == maxUndo {
		d.undo = append(d.undo[:0], d.undo[maxUndo/10:]...)
	}
	d.undo = append(d.undo, e)
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
func (d *Document) splice(from Pos, removed, added string) {
	if d.lines == nil {
		d.lines = []string{""}
	}
	d.revision++
	end := after(from, removed)
	first, last := d.lines[from.Line][:from.Col], d.lines[end.Line][end.Col:]
	if !strings.Contains(added, "\n") {
		d.lines[from.Line] = first + added + last
		d.lines = cutLines(d.lines, from.Line+1, end.Line+1, nil)
		return
	}
	parts := strings.Split(added, "\n")
	parts[0] = first + parts[0]
	parts[len(parts)-1] += last
	d.lines = cutLines(d.lines, from.Line, end.Line+1, parts)
}

func cutLines(lines []string, from, to int, put []string) []string {
	if to-from == len(put) {
		copy(lines[from:to], put)
		return lines
	}
	tail := lines[to:]
	if grow := len(put) - (to - from); grow > 0 {
		n := len(lines)
		for range grow {
			lines = append(lines, "")
		}
		copy(lines[to+grow:], lines[to:n])
		copy(lines[from:], put)
		return lines
	}
	copy(lines[from:], put)
	n := copy(lines[from+len(put):], tail)
	clear(lines[from+len(put)+n:])
	return lines[:from+len(put)+n]
}

// Undo undoes the last edit. It reports whether there was one.
func (d *Document) Undo() bool {
	n := len(d.undo)
	if n == 0 {
		return false
	}
	e := d.undo[n-1]
	d.undo = d.undo[:n-1]
	d.redo = append(d.redo, e)
	d.splice(e.at, e.added, e.removed)
	d.caret, d.anchor, d.joined = e.caret, e.anchor, false
	return true
}

// Redo makes the last undone edit again. It reports whether there was one.
func (d *Document) Redo() bool {
	n := len(d.redo)
	if n == 0 {
		return false
	}
	e := d.redo[n-1]
	d.redo = d.redo[:n-1]
	d.undo = append(d.undo, e)
	d.splice(e.at, e.removed, e.added)
	d.caret, d.anchor, d.joined = e.caretAfter, e.caretAfter, false
	return true
}

// CanUndo reports whether there is an edit to undo.
func (d *Document) CanUndo() bool { return len(d.undo) > 0 }

// CanRedo reports whether there is an undone edit.
func (d *Document) CanRedo() bool { return len(d.redo) > 0 }

// moveTo moves the caret to p. extend keeps the other end of the selection.
func (d *Document) moveTo(p Pos, extend bool) {
	d.caret = d.fit(p)
	if !extend {
		d.anchor = d.caret
	}
	d.joined = false
}

// left returns the place one character before p; combining marks belong to their character.
func (d *Document) left(p Pos) Pos {
	if p.Col == 0 {
		if p.Line == 0 {
			return p
		}
		return Pos{p.Line - 1, len(d.Line(p.Line - 1))}
	}
	s := d.Line(p.Line)
	for p.Col > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:p.Col])
		p.Col -= n
		if !unicode.Is(unicode.Mn, r) {
			break
		}
	}
	return p
}

// right returns the place one character after p.
func (d *Document) right(p Pos) Pos {
	s := d.Line(p.Line)
	if p.Col >= len(s) {
		if p.Line+1 >= d.Lines() {
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

// sort returns the class of a character, for movements by words: 0 blank, 1 letter or digit, 2 other.
func sort(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return 0
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
		return 1
	}
	return 2
}

// wordLeft returns the start of the word before p.
func (d *Document) wordLeft(p Pos) Pos {
	if p.Col == 0 {
		return d.left(p)
	}
	s := d.Line(p.Line)[:p.Col]
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	if s != "" {
		last, _ := utf8.DecodeLastRuneInString(s)
		s = strings.TrimRightFunc(s, func(r rune) bool { return sort(r) == sort(last) })
	}
	return Pos{p.Line, len(s)}
}

// wordRight returns the end of the word after p.
func (d *Document) wordRight(p Pos) Pos {
	s := d.Line(p.Line)
	if p.Col >= len(s) {
		return d.right(p)
	}
	rest := strings.TrimLeftFunc(s[p.Col:], unicode.IsSpace)
	if rest != "" {
		first, _ := utf8.DecodeRuneInString(rest)
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return sort(r) == sort(first) })
	}
	return Pos{p.Line, len(s) - len(rest)}
}

// wordAt returns the word, the blanks or the signs around p.
func (d *Document) wordAt(p Pos) (from, to Pos) {
	s := d.Line(p.Line)
	if s == "" {
		return p, p
	}
	col := min(p.Col, len(s))
	if col == len(s) {
		_, n := utf8.DecodeLastRuneInString(s)
		col -= n
	}
	r, _ := utf8.DecodeRuneInString(s[col:])
	same := func(x rune) bool { return sort(x) == sort(r) }
	return Pos{p.Line, len(strings.TrimRightFunc(s[:col], same))}, Pos{p.Line, len(s) - len(strings.TrimLeftFunc(s[col:], same))}
}
