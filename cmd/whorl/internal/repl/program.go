package repl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/fghc/builtin"
	"whorl/fghc/check"
	"whorl/fghc/syntax"
	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// typedName is the file name of typed clauses in errors.
const typedName = "typed"

// An entry is the typed clauses of a procedure.
type entry struct {
	procedure syntax.Procedure
	text      string
}

// A program is the files and typed clauses on which goals run.
type program struct {
	sources []check.Source
	files   check.Files
	held    syntax.Errors // of typed procedures that are left out because they call procedures that do not exist yet
}

// assemble makes a program of files and of the typed clauses without errors.
func assemble(files []check.Source, typed []entry) (p program) {
	for {
		text, ends := "", make([]int32, len(typed)) // the line after each entry
		for i, e := range typed {
			text += e.text + "\n"
			ends[i] = int32(strings.Count(text, "\n")) + 1
		}
		p.sources = slices.Clone(files)
		if text != "" {
			p.sources = append(p.sources, check.Source{Name: typedName, Text: text})
		}
		var problems syntax.Errors
		p.files, problems = check.Read(p.sources)
		bad := map[int]bool{}
		for _, e := range problems {
			if e.Severity == syntax.Fault && e.Pos.File == typedName {
				p.held = append(p.held, e)
				bad[slices.IndexFunc(ends, func(end int32) bool { return e.Pos.Line < end })] = true
			}
		}
		if len(bad) == 0 {
			return p
		}
		var rest []entry
		for i, e := range typed {
			if !bad[i] {
				rest = append(rest, e)
			}
		}
		typed = rest
	}
}

// add adds typed clauses.
func (s *Session) add(text string) (string, error) {
	f, errs := check.Read([]check.Source{{Name: typedName, Text: text}})
	switch parsed, wrong := syntax.Parse(typedName, text); {
	case wrong.Failed():
		return "", wrong
	case len(parsed.Modules) > 0 || len(parsed.Public) > 0:
		return "", errors.New("typed clauses belong to no module: write a file and :load it")
	case len(f[0].Clauses) == 0:
		return "", errors.New("this is not a clause")
	}
	name, args := f[0].Clauses[0].Head.Name()
	p := syntax.Procedure{Name: name, Arity: len(args)}
	if file := s.fileOf(p); file != "" && file != typedName {
		return "", fmt.Errorf("%v is a procedure of %s: change it there, then :reload", p, file)
	}
	typed := slices.Clone(s.typed)
	i := slices.IndexFunc(typed, func(e entry) bool { return e.procedure == p })
	if i < 0 {
		i = len(typed)
		typed = append(typed, entry{procedure: p})
	}
	typed[i].text = strings.TrimSpace(typed[i].text + "\n" + text)

	ready := assemble(s.files, typed)
	for _, e := range ready.held {
		if !slices.ContainsFunc(s.ready.held, func(known *syntax.Error) bool { return known.Msg == e.Msg }) && !isMissing(e) {
			return "", syntax.Errors{e}
		}
	}
	s.typed, s.ready = typed, ready
	return s.added(p, errs), nil
}

// isMissing reports whether an error is about a procedure that may still be typed.
func isMissing(e *syntax.Error) bool { return strings.HasPrefix(e.Msg, "unknown procedure ") }

// added returns the warnings of new clauses, and the number of clauses of the procedure or what it still needs.
func (s *Session) added(p syntax.Procedure, errs syntax.Errors) string {
	lines := []string{}
	for _, e := range errs {
		if e.Severity == syntax.Warning {
			lines = append(lines, e.Error())
		}
	}
	if s.fileOf(p) == "" {
		lines = append(lines, fmt.Sprintf("%v cannot be called yet:", p), s.ready.held.Error())
		return strings.Join(lines, "\n")
	}
	i := slices.IndexFunc(s.typed, func(e entry) bool { return e.procedure == p })
	all, _ := syntax.Parse(typedName, s.typed[i].text)
	return strings.Join(append(lines, fmt.Sprintf("%v: %s", p, figures.Counted(int64(len(all.Clauses)), "clause"))), "\n")
}

// forget removes the typed clauses of a procedure.
func (s *Session) forget(name string) (string, error) {
	var known []string
	for i, e := range s.typed {
		known = append(known, e.procedure.String())
		if known[i] == name {
			s.typed = slices.Delete(slices.Clone(s.typed), i, i+1)
			s.ready = assemble(s.files, s.typed)
			return s.missing(), nil
		}
	}
	if len(known) == 0 {
		return "", errors.New("no clause has been typed")
	}
	return "", nearest.Unknown("typed procedure", name, known)
}

// missing lists the typed clauses that cannot be called, "" for none.
func (s *Session) missing() string {
	if len(s.ready.held) == 0 {
		return ""
	}
	return "these typed procedures cannot be called yet:\n" + s.ready.held.Error()
}

// Load reads files into the program, or reads them again. If one of them has errors, the program does not change.
func (s *Session) Load(paths []string) (string, error) {
	files := slices.Clone(s.files)
	var bad []error
	for _, path := range paths {
		text, _, err := experiment.ReadSource(path)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		source := check.Source{Name: path, Text: text}
		if i := slices.IndexFunc(files, func(f check.Source) bool { return f.Name == path }); i >= 0 {
			files[i] = source
		} else {
			files = append(files, source)
		}
	}
	if len(bad) > 0 {
		return "", errors.Join(bad...)
	}
	read, problems := check.Read(files)
	if problems.Failed() {
		return "", problems
	}
	s.files, s.ready = files, assemble(files, s.typed)
	var lines []string
	for _, e := range problems {
		if slices.Contains(paths, e.Pos.File) {
			lines = append(lines, e.Error())
		}
	}
	for _, f := range read {
		if slices.Contains(paths, f.Name) {
			lines = append(lines, fmt.Sprintf("%s: %s", f.Name, figures.Counted(int64(len(procedures(f))), "procedure")))
		}
	}
	if missing := s.missing(); missing != "" {
		lines = append(lines, missing)
	}
	return strings.Join(lines, "\n"), nil
}

// procedures returns the procedures of a file as goals call them, in the order of the text.
func procedures(f *syntax.File) (names []string) {
	for _, c := range f.Clauses {
		name := procedureOf(c).String()
		if c.Module != "" {
			name = syntax.FormatName(c.Module) + ":" + name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fileOf returns the name of the file that contains a procedure outside modules: typedName for a typed procedure, "" for none.
func (s *Session) fileOf(p syntax.Procedure) string {
	for _, f := range s.ready.files {
		if slices.ContainsFunc(f.Clauses, func(c *syntax.Clause) bool { return c.Module == "" && procedureOf(c) == p }) {
			return f.Name
		}
	}
	return ""
}

// inModule reports whether a module has the procedure; goals may call it without naming the module.
func (s *Session) inModule(p syntax.Procedure) bool {
	for _, f := range s.ready.files {
		if slices.ContainsFunc(f.Clauses, func(c *syntax.Clause) bool { return c.Module != "" && procedureOf(c) == p }) {
			return true
		}
	}
	return false
}

// procedureOf returns the procedure of a clause.
func procedureOf(c *syntax.Clause) syntax.Procedure {
	name, args := c.Head.Name()
	return syntax.Procedure{Name: name, Arity: len(args)}
}

func isBuiltin(p syntax.Procedure) bool {
	i, ok := builtin.Find("", p.Name, p.Arity, "")
	return ok && builtin.All[i].Body
}
