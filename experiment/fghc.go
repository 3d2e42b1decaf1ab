package experiment

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whorl/fghc/builtin"
	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/sim"
	"whorl/tracer"
)

// goalName stands for the name of a file in errors about the query.
const goalName = "goal"

// fghcEndings are the endings of the names of FGHC files.
var fghcEndings = []string{".fghc", ".kl1"}

// fghcProgram is a compiled program with its query.
type fghcProgram struct {
	files check.Files
	code  *compile.Program
	query *compile.Query
	goal  string
	texts []check.Source // without the library

	observe func(*engine.Observation) // is told of each goal of a simulated run, nil for nobody
}

// A SourceError holds all that is wrong with a source text. Its text names file, line and column and shows the line.
type SourceError struct{ Errors syntax.Errors }

func (e *SourceError) Error() string { return e.Errors.Error() }

// newFGHC reads a program of one or more files and its query; without one it is main, where the program has that. The warnings are lines
// for the user.
func newFGHC(sources []check.Source, goal string) (p *fghcProgram, warnings []string, err error) {
	for _, s := range append(slices.Clone(sources), check.Source{Name: goalName, Text: goal}) {
		if err := isText(s.Name, s.Text); err != nil {
			return nil, nil, err
		}
	}
	files, problems := check.Read(sources)
	if problems.Failed() {
		return nil, nil, &SourceError{problems}
	}
	for _, w := range problems {
		warnings = append(warnings, w.Error())
	}
	if strings.TrimSpace(goal) == "" {
		var ok bool
		if goal, ok = files.Main(); !ok {
			return nil, nil, noGoal(files)
		}
	}
	files = files.WithLibrary(goal)
	goals, problems := files.Query(goalName, goal)
	if problems.Failed() {
		return nil, nil, &SourceError{problems}
	}
	code, problems := compile.Compile(files...)
	if problems.Failed() {
		return nil, nil, &SourceError{located(problems, sources)}
	}
	query, problems := code.Query(goals)
	if problems.Failed() {
		return nil, nil, &SourceError{problems.Locate(goal)}
	}
	code.Files = append(slices.Clone(code.Files), &syntax.File{Name: goalName, Source: goal}) // for errors that point into it
	return &fghcProgram{files: files, code: code, query: query, goal: goal, texts: sources}, warnings, nil
}

// FGHC returns the files, without the library, and the query of a program in FGHC. Others are not ok.
func (p *Prepared) FGHC() (files []check.Source, query string, ok bool) {
	f, ok := p.program.(*fghcProgram)
	if !ok {
		return nil, "", false
	}
	return f.texts, f.goal, true
}

// located gives errors the lines of the files that they are in.
func located(problems syntax.Errors, sources []check.Source) (all syntax.Errors) {
	for _, s := range sources {
		var own syntax.Errors
		for _, e := range problems {
			if e.Pos.File == s.Name {
				own = append(own, e)
			}
		}
		all = append(all, own.Locate(s.Text)...)
	}
	return all
}

// noGoal says that a program needs a query, and which procedures it has.
func noGoal(files check.Files) error {
	const most = 8
	name := files[0].Name
	var procs []string
	for _, f := range files {
		for _, c := range f.Clauses {
			atom, args := c.Head.Name()
			if p := fmt.Sprintf("%s/%d", atom, len(args)); len(procs) <= most && !slices.Contains(procs, p) {
				procs = append(procs, p)
			}
		}
	}
	if len(procs) == 0 {
		return &InputError{name + " has no procedure, and so nothing that could be run"}
	}
	has := strings.Join(procs[:min(most, len(procs))], " ")
	if len(procs) > most {
		has += " ..."
	}
	return &InputError{fmt.Sprintf("%s needs a query, as in --goal 'main'; it has %s", name, has)}
}

// isText is an error for what no editor of programs writes: a binary file would have a hundred errors that all say the same.
func isText(name, text string) error {
	if utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
		return nil
	}
	return &InputError{name + ": not a text file in UTF-8"}
}

// checkFGHC says what is wrong with a program, warnings included.
func checkFGHC(name, text string) error {
	if err := isText(name, text); err != nil {
		return err
	}
	if _, problems := check.Program(name, text); len(problems) > 0 {
		return &SourceError{problems}
	}
	return nil
}

func (p *fghcProgram) begin(prep *Prepared, rec tracer.Recorder) (c course, booted, err error) {
	if prep.Description.Mode == Live {
		return p.beginLive(prep, rec)
	}
	return p.beginSim(prep, rec)
}

// describe fills in what the metadata say of the program.
func (p *fghcProgram) describe(m *tracer.Meta) {
	m.Substrate, m.CostModel, m.Goal = "fghc", engine.CostModel, p.goal
	for _, f := range p.files {
		m.Source = append(m.Source, tracer.SourceFile{Name: f.Name, Text: f.Source})
	}
}

// load is a fresh run of the program on a simulated machine; rec may be nil.
func (p *fghcProgram) load(rec tracer.Recorder, w *builtin.World) *fghcLoad {
	f := &fghcLoad{Engine: engine.New(p.code, p.query, engine.Options{World: w, Observe: p.observe, Lost: report.LostWarner(p.code, w.Warn)})}
	if rec != nil {
		f.dict = rec.Dict()
	}
	return f
}

// A fghcLoad is one run of the program.
type fghcLoad struct {
	*engine.Engine
	dict *tracer.Dict
}

func (l *fghcLoad) Boot(m *sim.Machine) error { return l.Engine.Boot(m, l.dict) }

func (l *fghcLoad) Reductions() int64 { return l.Stats().Reductions }

// Answer is a line for each variable of the query that is bound.
func (l *fghcLoad) Answer() string {
	var lines []string
	for _, b := range l.Engine.Answer() {
		if b.Value != b.Name {
			lines = append(lines, b.Name+" = "+b.Value)
		}
	}
	return strings.Join(lines, "\n")
}

func (l *fghcLoad) Inspect() inspector { return fghcInspector{l.Engine.Inspect()} }

type fghcInspector struct{ *engine.Inspector }

func (i fghcInspector) Work(w sim.Work) Pending { return pendingGoal(i.Goal(w)) }

func (i fghcInspector) Waiting(most int) ([]Pending, int) {
	goals, total := i.Inspector.Waiting(most)
	out := make([]Pending, len(goals))
	for k, g := range goals {
		out[k] = pendingGoal(g)
	}
	return out, total
}

func pendingGoal(g report.Pending) Pending {
	return Pending{Task: g.Task, Text: g.Goal, File: g.Pos.File, Line: g.Pos.Line, Column: g.Pos.Column, PE: g.PE, Waits: g.Waits}
}
