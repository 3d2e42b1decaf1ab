package runs

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
	"whorl/visual/edit"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Program is a text in an editor. It is checked when it has changed.
type Program struct {
	edit.Buffer
	Name     string // in errors and saved files
	checked  uint64 // the revision that was checked, plus 1
	problems []widget.Problem
}

// check finds the problems of the text.
func (p *Program) check() {
	if p.checked == p.Revision()+1 {
		return
	}
	p.checked, p.problems = p.Revision()+1, nil
	text := p.Text()
	if strings.TrimSpace(text) == "" {
		return
	}
	err := experiment.CheckText(p.Name, text)
	wrong, ok := errors.AsType[fault.Errors](err)
	switch {
	case ok:
		for _, e := range wrong {
			p.problems = append(p.problems, p.problem(e))
		}
	case err != nil: // of the text as a whole
		p.problems = []widget.Problem{{Severity: ui.Failure, Text: err.Error()}}
	}
}

// problem returns an error with the word at its place. Errors count characters from 1, editors bytes from 0.
func (p *Program) problem(e *syntax.Error) widget.Problem {
	q := widget.Problem{Line: min(max(int(e.Pos.Line)-1, 0), p.Lines()-1), Text: e.Msg, Severity: ui.Failure}
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

// Ready reports whether the program has no errors. If it has some, the caret moves to the first.
func (p *Program) Ready() bool {
	p.check()
	for _, q := range p.problems {
		if q.Severity == ui.Failure {
			p.GoTo(edit.Pos{Line: q.Line, Col: q.From})
			return false
		}
	}
	return true
}

// GoTo moves the caret and scrolls to it.
func (p *Program) GoTo(place edit.Pos) {
	p.MoveTo(place, false)
	p.Reveal()
}

// edit draws the editor of the program, with the problems at their lines. Ctrl+Enter asks for a run, Ctrl+S for a file.
func (p *Program) edit(c *ui.Context, r ui.Rect) (asks Request) {
	p.check()
	did := widget.Editor(c, r, "text", &p.Buffer, widget.EditorOptions{
		Problems: p.problems, Color: func(_ int, text string) []widget.Span { return colorLine(&c.Theme, text) }, Opens: []string{":-", "|", "(", "["},
	})
	if did.Changed {
		c.Again()
	}
	if did.Focus && c.Shortcut(ui.Control, "s") {
		asks.Save = p
	}
	asks.Run = did.Focus && c.Shortcut(ui.Control, "Enter")
	return asks
}

// FileName returns the name under which the program is saved at first.
func (p *Program) FileName() string {
	name := filepath.Base(strings.ReplaceAll(p.Name, `\`, "/"))
	if filepath.Ext(name) == "" {
		name += documents.ProgramEndings[0]
	}
	return name
}

// drawVerdict draws the first problem of a program and the number of others; in two lines of smaller type where one is too short.
func (p *Program) drawVerdict(c *ui.Context, r ui.Rect) {
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
		widget.Message(c, r, severity, text)
		return
	}
	left := r.CutLeft(c.Px(ui.Icon + 8))
	widget.Message(c, left, severity, "")
	ty := ui.Type{Size: ui.Small}
	h := min(c.ParagraphHeight(r.W(), text, ty), c.ParagraphHeight(r.W(), "1\n2", ty))
	c.Paragraph(r.Center(r.W(), h), text, ty)
}

// colorLine colours a line of FGHC: comments, quoted names and texts, variables, and the signs that divide a clause.
func colorLine(t *ui.Theme, s string) []widget.Span {
	var out []widget.Span
	add := func(from, to int, c scene.Color) {
		out = append(out, widget.Span{From: from, To: to, Color: c})
	}
	for i := 0; i < len(s); {
		b := s[i]
		j := i + 1
		switch {
		case b == '%':
			add(i, len(s), t.Muted)
			return out
		case b == '"' || b == '\'':
			for j < len(s) && s[j] != b {
				j++
			}
			j = min(j+1, len(s))
			add(i, j, t.Good)
		case wordByte(b):
			for j < len(s) && wordByte(s[j]) {
				j++
			}
			if b == '_' || b >= 'A' && b <= 'Z' {
				add(i, j, t.Link)
			}
		case b == '|' || b == ':' && j < len(s) && s[j] == '-':
			if b == ':' {
				j++
			}
			add(i, j, t.Warn)
		}
		i = j
	}
	return out
}

func wordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}
