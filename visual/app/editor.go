package app

import (
	"fmt"

	"whorl/visual/scene"
	"whorl/visual/ui"
)

// editor shows the user's own program, checked while he types: what is wrong stands at its line, and the first of it below.
func (a *App) editor(c *ui.Context, r ui.Rect) {
	f := &a.form
	a.checkProgram()
	head := r.CutTop(c.Px(ui.Ctl))
	c.Label(head.CutLeft(c.Px(84)), "Name", ui.Type{Color: c.Theme.Muted})
	c.Field(head, "name", &f.name, ui.FieldLook{})
	r.CutTop(c.Px(ui.Gap))
	foot := r.CutBottom(c.Px(ui.Ctl))
	problems := make([]ui.Problem, len(f.problem))
	for i, p := range f.problem {
		problems[i] = ui.Problem{Line: p.line, From: p.column, To: p.column + 1, Severity: p.severity, Text: p.text}
	}
	c.Box(r, c.Px(ui.Corner), c.Theme.Ground, c.Theme.Border)
	did := c.Edit(r.Inset(c.Px(1), c.Px(1)), "text", &a.program, ui.Editor{
		Problems: problems, Color: func(_ int, text string) []ui.Span { return colorLine(&c.Theme, text) }, Opens: []string{":-", "|", "(", "["},
	})
	if did.Changed {
		c.Again()
	}
	switch n := len(f.problem); {
	case n > 0:
		p := f.problem[0]
		text := fmt.Sprintf("Line %d: %s", p.line+1, p.text)
		if n > 1 {
			text += fmt.Sprintf(" (and %d more)", n-1)
		}
		c.Message(foot, p.severity, text)
	case a.program.Text() == "":
		c.Label(foot, "Type a program, or drop a file.", ui.Type{Color: c.Theme.Muted})
	default:
		c.Message(foot, ui.Success, "No errors")
	}
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
