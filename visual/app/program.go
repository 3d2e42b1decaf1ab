package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"whorl/experiment"
	"whorl/fghc/syntax"
	"whorl/internal/fault"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// A program is a text in an editor, which is checked when it has changed.
type program struct {
	ui.Document
	name     string
	checked  uint64 // the revision that was checked, plus 1
	problems []ui.Problem
	failed   bool // a problem keeps the program from running
}

// check finds the problems of the text.
func (p *program) check() {
	if p.checked == p.Revision()+1 {
		return
	}
	p.checked, p.problems, p.failed = p.Revision()+1, nil, false
	text := p.Text()
	if strings.TrimSpace(text) == "" {
		return
	}
	err := experiment.CheckText(p.name, text)
	wrong, ok := errors.AsType[fault.Errors](err)
	switch {
	case ok:
		for _, e := range wrong {
			p.problems = append(p.problems, p.problem(e))
			p.failed = p.failed || e.Severity != syntax.Warning
		}
	case err != nil: // of the text as a whole
		p.problems, p.failed = []ui.Problem{{Severity: ui.Failure, Text: err.Error()}}, true
	}
}

// problem returns an error with the word at its place. Errors count characters from 1, editors bytes from 0.
func (p *program) problem(e *syntax.Error) ui.Problem {
	q := ui.Problem{Line: min(max(int(e.Pos.Line)-1, 0), p.Lines()-1), Text: e.Msg, Severity: ui.Failure}
	if e.Want != "" {
		q.Text += "; expected " + e.Want
	}
	if e.Severity == syntax.Warning {
		q.Severity = ui.Warning
	}
	line := p.Line(q.Line)
	for n := int(e.Pos.Column) - 1; n > 0 && q.From < len(line); n-- {
		_, size := utf8.DecodeRuneInString(line[q.From:])
		q.From += size
	}
	for q.To = q.From; q.To < len(line) && wordByte(line[q.To]); q.To++ {
	}
	return q
}

// toProblem moves the caret to the first problem that keeps the program from running.
func (p *program) toProblem() {
	for _, q := range p.problems {
		if q.Severity == ui.Failure {
			at := ui.Pos{Line: q.Line, Col: q.From}
			p.Select(at, at)
			p.Reveal()
			return
		}
	}
}

// editor draws the editor of a program, with the problems at their lines. It reports whether Ctrl+Enter was pressed.
func (m *model) editor(c *ui.Context, r ui.Rect, p *program) (run bool) {
	p.check()
	did := c.Edit(r, "text", &p.Document, ui.Editor{
		Problems: p.problems, Color: func(_ int, text string) []ui.Span { return colorLine(&c.Theme, text) }, Opens: []string{":-", "|", "(", "["},
	})
	if did.Changed {
		c.Again()
	}
	if did.Focus && c.Shortcut(ui.Control, "s") {
		m.saveProgram(p)
	}
	return did.Focus && c.Shortcut(ui.Control, "Enter")
}

// saveProgram asks for a program to be written to a file.
func (m *model) saveProgram(p *program) {
	name := filepath.Base(strings.ReplaceAll(p.name, `\`, "/"))
	if filepath.Ext(name) == "" {
		name += documents.ProgramEndings[0]
	}
	m.ask(Ask{Do: SaveFile, Name: name, Data: []byte(p.Text())})
}

// drawVerdict draws the first problem of a program and the number of others; in two lines of smaller type where one is too short.
func (p *program) drawVerdict(c *ui.Context, r ui.Rect) {
	severity, text := ui.Success, "No errors"
	switch n := len(p.problems); {
	case n > 0:
		q := p.problems[0]
		severity, text = q.Severity, fmt.Sprintf("Line %d: %s", q.Line+1, q.Text)
		if n > 1 {
			text += fmt.Sprintf(" (and %d more)", n-1)
		}
	case strings.TrimSpace(p.Text()) == "":
		c.Label(r, "Type a program, or drop a file.", ui.Type{Color: c.Theme.Muted})
		return
	}
	if room := r.W() - c.Px(ui.Icon+8); c.TextWidth(text, ui.Type{}) <= room || r.H() < c.Px(32) {
		c.Message(r, severity, text)
		return
	}
	left := r.CutLeft(c.Px(ui.Icon + 8))
	c.Message(left, severity, "")
	ty := ui.Type{Size: ui.Small}
	h := min(c.ParagraphHeight(r.W(), text, ty), c.ParagraphHeight(r.W(), "1\n2", ty))
	c.Paragraph(r.Center(r.W(), h), text, ty)
}

// colorLine colours a line of FGHC: comments, quoted names and texts, variables, and the signs that divide a clause.
func colorLine(t *ui.Theme, s string) []ui.Span {
	var out []ui.Span
	add := func(from, to int, c scene.Color, bold bool) {
		out = append(out, ui.Span{From: from, To: to, Color: c, Bold: bold})
	}
	for i := 0; i < len(s); {
		b := s[i]
		j := i + 1
		switch {
		case b == '%':
			add(i, len(s), t.Muted, false)
			return out
		case b == '"' || b == '\'':
			for j < len(s) && s[j] != b {
				j++
			}
			j = min(j+1, len(s))
			add(i, j, t.Good, false)
		case wordByte(b):
			for j < len(s) && wordByte(s[j]) {
				j++
			}
			if b == '_' || b >= 'A' && b <= 'Z' {
				add(i, j, t.Link, false)
			}
		case b == '|' || b == ':' && j < len(s) && s[j] == '-':
			if b == ':' {
				j++
			}
			add(i, j, t.Warn, true)
		}
		i = j
	}
	return out
}

func wordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}
