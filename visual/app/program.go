package app

import (
	"errors"
	"strings"
	"unicode/utf8"

	"whorl/experiment"
	"whorl/fghc/syntax"
	"whorl/internal/fault"
	"whorl/visual/ui"
)

// A program is a text that is edited, checked whenever it has changed.
type program struct {
	ui.Document
	name     string
	checked  uint64 // the revision that problems are about, plus 1
	problems []ui.Problem
	failed   bool // one of them keeps it from running
}

// check finds what is wrong with the text as it is now.
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

// problem is an error at the word where it is: errors count characters from 1, editors bytes from 0.
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

// toProblem puts the caret where the first thing is wrong that keeps the program from running.
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
