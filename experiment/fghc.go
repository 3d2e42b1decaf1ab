package experiment

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/fghc/world"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/tracer"
	"whorl/tracer/open"
)

// goalName is the file name of the query in errors.
const goalName = "goal"

// fghcEndings are the endings of FGHC files.
var fghcEndings = []string{".fghc", ".kl1"}

func isFGHC(path string) bool { return slices.Contains(fghcEndings, filepath.Ext(path)) }

// An fghcProgram is a compiled program with its query.
type fghcProgram struct {
	*fghcText
	code  *compile.Program
	query *compile.Query

	observe func(*engine.Observation) // receives the events of goals of a simulated run; nil for none
}

// An fghcText is a checked program with its query.
type fghcText struct {
	files check.Files
	texts []check.Source // without the library
	goal  string
	goals []syntax.Goal // of the query
}

// readFGHC reads and checks a program of one or more files and its query. The default query is main, if the program has main.
func readFGHC(sources []check.Source, goal string) (t *fghcText, warnings []string, err error) {
	for _, s := range append(slices.Clone(sources), check.Source{Name: goalName, Text: goal}) {
		if err := isText(s.Name, s.Text); err != nil {
			return nil, nil, err
		}
	}
	parsed, problems := check.Read(sources)
	if problems.Failed() {
		return nil, nil, problems
	}
	for _, w := range problems {
		warnings = append(warnings, w.Error())
	}
	if strings.TrimSpace(goal) == "" {
		var ok bool
		if goal, ok = parsed.Main(); !ok {
			return nil, nil, noGoal(parsed)
		}
	}
	parsed = parsed.WithLibrary(goal)
	goals, problems := parsed.Query(goalName, goal)
	if problems.Failed() {
		return nil, nil, problems
	}
	return &fghcText{parsed, sources, goal, goals}, warnings, nil
}

// newFGHC compiles a program and its query.
func newFGHC(t *fghcText) (*fghcProgram, error) {
	code, problems := compile.Compile(t.files...)
	if problems.Failed() {
		return nil, check.Locate(problems, t.texts)
	}
	query, problems := code.Query(t.goals)
	if problems.Failed() {
		return nil, problems.Locate(t.goal)
	}
	code.Files = append(slices.Clone(code.Files), &syntax.File{Name: goalName, Source: t.goal}) // for errors in it
	return &fghcProgram{fghcText: t, code: code, query: query}, nil
}

// TracedProgram returns the names and the source text of the clauses of an FGHC program, for a trace that contains only
// the clauses' numbers. The program is a source file or a benchmark; it is not run.
func TracedProgram(name string) (*open.Program, error) {
	r := Defaults(name)
	if isSource(name) && !IsHPF(name) {
		r.Goal = "true" // the program need not have main
	}
	p, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	if p.fghc == nil {
		return nil, errors.New(name + ": not a program in FGHC")
	}
	var m tracer.Meta
	p.fghc.describe(&m)
	d := &tracer.Dict{}
	report.Codes(p.fghc.code, d)
	return &open.Program{Name: name, Clauses: d, Source: m.Source}, nil
}

// FGHC returns the files, without the library, and the query of a program in FGHC; ok is false for other programs.
func (p *Prepared) FGHC() (files []check.Source, query string, ok bool) {
	if p.fghc == nil {
		return nil, "", false
	}
	return p.fghc.texts, p.fghc.goal, true
}

// noGoal returns the error for a program that needs a query. It names the procedures of the program.
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
		none := check.NoClauses(check.Source{Name: name, Text: files[0].Source})
		return fmt.Errorf("%s has no procedure to run: %s", name, none.Msg)
	}
	has := strings.Join(procs[:min(most, len(procs))], ", ")
	if len(procs) > most {
		has += ", ..."
	}
	return fmt.Errorf("%s needs a query, as in --goal 'main'; it has %s", name, has)
}

// isText returns an error for a binary file, which would have hundreds of equal syntax errors.
func isText(name, text string) error {
	switch {
	case strings.ContainsRune(text, 0):
		return errors.New(name + ": not a text file")
	case !utf8.ValidString(text):
		return syntax.Errors{syntax.NotUTF8(name, text)}.Locate(text)
	}
	return nil
}

// CheckText returns the errors and warnings of a program in FGHC as fault.Errors with places, nil for none. name is the file name in the errors.
func CheckText(name, text string) error {
	if err := isText(name, text); err != nil {
		return err
	}
	if _, problems := check.Program(name, text); len(problems) > 0 {
		return problems
	}
	return nil
}

func (f *fghcProgram) refuse(r *Run) error {
	if r.Mode == Live {
		if _, err := policy.Unordered(r.Policy); err != nil {
			return err
		}
	}
	return r.checkHPF()
}

func (f *fghcProgram) begin(p *Prepared, rec tracer.Recorder) (c course, failed, err error) {
	if p.Description.Mode == Live {
		return f.beginLive(p, rec)
	}
	return f.beginSim(p, rec)
}

// describe fills in the metadata of the program.
func (f *fghcProgram) describe(m *tracer.Meta) {
	m.Substrate, m.CostModel, m.Goal = "fghc", engine.CostModel, f.goal
	for _, file := range f.files {
		m.Source = append(m.Source, tracer.SourceFile{Name: file.Name, Text: file.Source})
	}
}

// load returns a fresh run of the program on a simulated machine; rec may be nil.
func (f *fghcProgram) load(rec tracer.Recorder, w *world.World, speeds []sim.Speed) *fghcLoad {
	l := &fghcLoad{Engine: engine.New(f.code, f.query, engine.Options{Speeds: speeds, World: w, Observe: f.observe, Lost: report.LostWarner(f.code, w.Warn)})}
	if rec != nil {
		l.dict = rec.Dict()
	}
	return l
}

// An fghcLoad is one run of the program.
type fghcLoad struct {
	*engine.Engine
	dict *tracer.Dict
}

func (l *fghcLoad) Boot(m *sim.Machine) error { return l.Engine.Boot(m, l.dict) }
func (l *fghcLoad) Reductions() int64         { return l.Stats().Reductions }
func (l *fghcLoad) Answer() string            { return bindings(l.Engine.Answer()) }
func (l *fghcLoad) Inspect() inspector        { return fghcInspector{l.Engine.Inspect()} }

// bindings returns a line for each variable of the query that is bound.
func bindings[B ~struct{ Name, Value string }](all []B) string {
	var lines []string
	for _, b := range all {
		if v := struct{ Name, Value string }(b); v.Value != v.Name {
			lines = append(lines, v.Name+" = "+v.Value)
		}
	}
	return strings.Join(lines, "\n")
}

type fghcInspector struct{ *engine.Inspector }

func (i fghcInspector) Work(w sim.Work) Pending { return pendingGoal(i.Goal(w)) }

func (i fghcInspector) Waiting(most int) ([]Pending, int) {
	goals, total := i.Inspector.Waiting(most)
	return pendingGoals(goals), total
}

func pendingGoals(goals []report.Pending) []Pending { return pendings(goals, pendingGoal) }

// pendings describes goals or threads.
func pendings[T any](all []T, describe func(T) Pending) []Pending {
	out := make([]Pending, len(all))
	for k, x := range all {
		out[k] = describe(x)
	}
	return out
}

func pendingGoal(g report.Pending) Pending {
	return Pending{Task: g.Task, Text: g.Goal, File: g.Pos.File, Line: g.Pos.Line, Column: g.Pos.Column, PE: g.PE, Waits: g.Waits}
}
