package experiment

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whorl/fghc/check"
	"whorl/fghc/encoding"
	"whorl/fghc/syntax"
	"whorl/internal/files"
)

// A Finding is an error or a warning of a program, with the end of its place.
type Finding struct {
	*syntax.Error
	End syntax.Pos
}

// CheckFiles checks source files. It returns errors in the order of the files and their texts, and warnings for programs without errors.
// Files in HPF come first. Files in FGHC with :- module are one program; every other file is a program of its own. A goal, which needs a
// single program, is checked too; procedures that it does not reach get warnings. Files in HPF are checked for a number of processors and with macros of the
// preprocessor, as NAME or NAME=VALUE. The error is for files that are not programs.
func CheckFiles(paths []string, goal string, processors int, defines []string) ([]Finding, error) {
	var programs [][]check.Source
	modules := -1 // the index of the program of files with modules
	var bad []error
	var hpf []string
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			bad = append(bad, errors.New(path+" is given twice"))
			continue
		}
		if IsHPF(path) {
			hpf = append(hpf, path)
			continue
		}
		text, err := readSource(path, files.ReadText)
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
	if goal = strings.TrimSpace(goal); goal != "" && len(programs) != 1 && len(bad) == 0 {
		lack := errors.New("--goal is a query of one program in FGHC, not of " + strconv.Itoa(len(programs)))
		if len(programs) == 0 {
			lack = errors.New("--goal is a query of a program in FGHC, and " + hpf[0] + " is in HPF")
		}
		bad = append(bad, lack)
	}
	findings, err := hpfFindings(hpf, processors, defines)
	if err != nil {
		bad = append(bad, err)
	}
	for _, sources := range programs {
		findings = append(findings, fghcFindings(sources, goal)...)
	}
	return findings, errors.Join(bad...)
}

// fghcFindings checks a program in FGHC and its goal.
func fghcFindings(sources []check.Source, goal string) []Finding {
	parsed, problems := check.Read(sources)
	var goals []syntax.Goal
	if !problems.Failed() && goal != "" {
		var more syntax.Errors
		parsed = parsed.WithLibrary(goal)
		goals, more = parsed.Query(goalName, goal)
		problems = append(problems, more...)
	}
	if !problems.Failed() {
		problems = append(problems, parsed.Doubts(goals)...)
	}
	var findings []Finding
	for _, s := range append(sources, check.Source{Name: goalName, Text: goal}) {
		own := check.Locate(problems, []check.Source{s})
		for i, end := range syntax.Ends(own, s.Text) {
			findings = append(findings, Finding{own[i], end})
		}
	}
	return findings
}

// ReadSource reads the text of a program in FGHC, and refuses files in HPF. It also returns the encoding of the file, so that the caller may write the text back.
func ReadSource(path string) (string, encoding.Encoding, error) {
	if IsHPF(path) {
		return "", encoding.UTF8, errors.New(path + ": a program in HPF; only programs in FGHC have a layout that is written")
	}
	raw, err := files.ReadText(path, maxSource)
	if err != nil {
		return "", encoding.UTF8, err
	}
	text, e := encoding.Decode(raw)
	return text, e, isText(path, text)
}
