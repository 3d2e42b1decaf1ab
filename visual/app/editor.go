package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/ui"
)

// editor is a program to be edited: what is wrong stands at its line while one types. It says whether Control and Enter were pressed.
func (a *App) editor(c *ui.Context, r ui.Rect, p *program) (run bool) {
	p.check()
	did := c.Edit(r, "text", &p.Document, ui.Editor{
		Problems: p.problems, Color: func(_ int, text string) []ui.Span { return colorLine(&c.Theme, text) }, Opens: []string{":-", "|", "(", "["},
	})
	if did.Changed {
		c.Again()
	}
	if did.Focus && c.Shortcut(ui.Control, "s") {
		a.saveProgram(p)
	}
	return did.Focus && c.Shortcut(ui.Control, "Enter")
}

// verdict says what is wrong with a program: the first thing, and how many more there are; in two lines of smaller type where one is too
// short.
func (a *App) verdict(c *ui.Context, r ui.Rect, p *program) {
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

// saveProgram asks for a program to be written to a file.
func (a *App) saveProgram(p *program) {
	name := filepath.Base(strings.ReplaceAll(p.name, `\`, "/"))
	if filepath.Ext(name) == "" {
		name += programEndings[0]
	}
	a.asks = append(a.asks, Ask{Do: SaveFile, Name: name, Data: []byte(p.Text())})
}

// colorLine colours a line of FGHC: comments, quoted names and texts, variables, and the signs that part a clause.
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
		case b == '_' || b >= 'A' && b <= 'Z':
			for j < len(s) && wordByte(s[j]) {
				j++
			}
			add(i, j, t.Link, false)
		case wordByte(b):
			for j < len(s) && wordByte(s[j]) {
				j++
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
