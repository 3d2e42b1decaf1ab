package experiment

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"whorl/fghc/check"
	"whorl/fghc/encoding"
	"whorl/fghc/syntax"
)

// A Finding is what is wrong at a place of a program, or only doubtful, and where that place ends.
type Finding struct {
	*syntax.Error
	End syntax.Pos
}

// CheckFiles reads source files and says what is wrong with them, in the order of the files and of their texts, and what is doubtful in those
// without errors. Files in HPF come first: they are one program where one of them alone has a main program. Of the others, files with
// :- module are one program, every other file is one of its own. With a goal, which takes one program, that is checked, too, and what it does
// not lead to is doubtful. The error is of files that are no programs.
func CheckFiles(paths []string, goal string) ([]Finding, error) {
	var programs [][]check.Source
	modules := -1 // the program of the files with modules
	var bad []error
	var hpf []string
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			bad = append(bad, &InputError{path + " is given twice"})
			continue
		}
		if isHPF(path) {
			hpf = append(hpf, path)
			continue
		}
		text, err := readSource(path)
		if err == nil {
			err = isText(path, text)
		}
		if err != nil {
			bad = append(bad, err)
			continue
		}
		s := check.Source{Name: path, Text: text}
		if f, _ := syntax.Parse(path, text); len(f.Modules) == 0 {
			programs = append(programs, []check.Source{s})
		} else if modules < 0 {
			modules = len(programs)
			programs = append(programs, []check.Source{s})
		} else {
			programs[modules] = append(programs[modules], s)
		}
	}
	if goal = strings.TrimSpace(goal); goal != "" && len(programs) != 1 {
		bad = append(bad, &InputError{"--goal is a query of one program"})
	}
	findings, err := findingsOfHPF(hpf)
	if err != nil {
		bad = append(bad, err)
	}
	for _, sources := range programs {
		findings = append(findings, findingsOf(sources, goal)...)
	}
	return findings, errors.Join(bad...)
}

func findingsOf(sources []check.Source, goal string) []Finding {
	files, problems := check.Read(sources)
	var goals []syntax.Goal
	if !problems.Failed() && goal != "" {
		var more syntax.Errors
		files = files.WithLibrary(goal)
		goals, more = files.Query(goalName, goal)
		problems = append(problems, more...)
	}
	if !problems.Failed() {
		problems = append(problems, files.Doubts(goals)...)
	}
	var findings []Finding
	for _, s := range append(sources, check.Source{Name: goalName, Text: goal}) {
		own := located(problems, []check.Source{s})
		for i, end := range syntax.Ends(own, s.Text) {
			findings = append(findings, Finding{own[i], end})
		}
	}
	return findings
}

// ReadSource reads the text of a program for one who will write it again, and its encoding.
func ReadSource(path string) (string, encoding.Encoding, error) {
	raw, err := readText(path, maxSource)
	if err != nil {
		return "", encoding.UTF8, err
	}
	text, e := encoding.Decode(raw)
	return text, e, isText(path, text)
}
