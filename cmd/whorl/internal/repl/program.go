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
	"whorl/internal/nearest"
)

// typedName stands for the name of a file in errors about clauses that were typed.
const typedName = "typed"

// An entry is the clauses of a procedure that were typed.
type entry struct {
	procedure syntax.Procedure
	text      string
}

// A program is what goals are run on.
type program struct {
	sources []check.Source
	files   check.Files
	held    syntax.Errors // of typed procedures that are left out, since they call others that are still to come
}

// assemble makes the program of files and what can be used of typed clauses.
func assemble(files []check.Source, typed []entry) (p program) {
	for {
		text, ends := "", make([]int32, len(typed)) // ends: of each entry the line behind it
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

// add takes in clauses that were typed.
func (s *Session) add(text string) (string, error) {
	f, errs := check.Read([]check.Source{{Name: typedName, Text: text}})
	switch parsed, wrong := syntax.Parse(typedName, text); {
	case wrong.Failed():
		return "", wrong
	case len(parsed.Modules) > 0 || len(parsed.Public) > 0:
		return "", errors.New("clauses that are typed are of no module: write a file, and :load it")
	case len(f[0].Clauses) == 0:
		return "", errors.New("this is no clause")
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

// isMissing says whether an error is that of a procedure that may still be typed.
func isMissing(e *syntax.Error) bool { return strings.HasPrefix(e.Msg, "unknown procedure ") }

// added tells how many clauses a procedure has now, what is odd in the new ones, and what is missing for it.
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
	return strings.Join(append(lines, fmt.Sprintf("%v: %s", p, counted(len(all.Clauses), "clause"))), "\n")
}

// forget takes the typed clauses of a procedure away.
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
		return "", errors.New("nothing has been typed that could be forgotten")
	}
	return "", nearest.Unknown("typed procedure", name, known)
}

// missing tells which typed clauses cannot be called, "" for none.
func (s *Session) missing() string {
	if len(s.ready.held) == 0 {
		return ""
	}
	return "of what was typed, these cannot be called yet:\n" + s.ready.held.Error()
}

// Load reads files into the program, anew where they are in it already. Where one of them is wrong the program stays as it was.
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
			lines = append(lines, fmt.Sprintf("%s: %s", f.Name, counted(len(procedures(f)), "procedure")))
		}
	}
	if missing := s.missing(); missing != "" {
		lines = append(lines, missing)
	}
	return strings.Join(lines, "\n"), nil
}

// procedures returns the procedures of a file, in the order of the text, as a goal calls them.
func procedures(f *syntax.File) (names []string) {
	for _, c := range f.Clauses {
		name := of(c).String()
		if c.Module != "" {
			name = syntax.FormatName(c.Module) + ":" + name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fileOf returns the name of the file that has a procedure without module, typedName for one that was typed and can be called, "" for none.
func (s *Session) fileOf(p syntax.Procedure) string {
	for _, f := range s.ready.files {
		if slices.ContainsFunc(f.Clauses, func(c *syntax.Clause) bool { return c.Module == "" && of(c) == p }) {
			return f.Name
		}
	}
	return ""
}

// inModule says whether a module of a file has a procedure, which a goal that names no module calls, too.
func (s *Session) inModule(p syntax.Procedure) bool {
	for _, f := range s.ready.files {
		if slices.ContainsFunc(f.Clauses, func(c *syntax.Clause) bool { return c.Module != "" && of(c) == p }) {
			return true
		}
	}
	return false
}

// of returns the procedure of a clause.
func of(c *syntax.Clause) syntax.Procedure {
	name, args := c.Head.Name()
	return syntax.Procedure{Name: name, Arity: len(args)}
}

func isBuiltin(p syntax.Procedure) bool {
	i, ok := builtin.Find("", p.Name, p.Arity, "")
	return ok && builtin.All[i].Body
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
