package experiment

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// hpfEndings are those of files with programs in HPF.
var hpfEndings = []string{".hpf", ".f", ".for", ".f90"}

func isHPF(path string) bool {
	return slices.Contains(hpfEndings, strings.ToLower(filepath.Ext(path)))
}

// mostProcessors is how many there are where a program is only checked: so many that no arrangement of them is too large.
const mostProcessors = 1 << 20

// lowerHPF reads a program in HPF and resolves it for so many processors; what is wrong with it is in the order of its text.
func lowerHPF(path string, processors int) (*lower.Program, syntax.Errors, error) {
	text, err := readText(path, maxSource)
	if err == nil {
		err = isText(path, text)
	}
	if err != nil {
		return nil, nil, err
	}
	file, problems := syntax.Parse(path, text, syntax.Options{Include: beside})
	if problems.Failed() {
		return nil, problems, nil
	}
	prog, more := lower.Lower(file, processors)
	return prog, append(problems, file.Locate(more)...), nil
}

// findingsOfHPF says what is wrong with a program in HPF.
func findingsOfHPF(path string) ([]Finding, error) {
	_, problems, err := lowerHPF(path, mostProcessors)
	findings := make([]Finding, len(problems))
	for i, p := range problems {
		findings[i] = Finding{p, syntax.Pos{File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Column + 1}}
	}
	return findings, err
}

// ListHPF writes a program in HPF as its processors run it: for each line what they send each other and the instructions that it becomes.
func ListHPF(w io.Writer, path string, processors int) error {
	if !isHPF(path) {
		return &InputError{path + ": not a program in HPF: their names end in " + strings.Join(hpfEndings, " or ")}
	}
	prog, problems, err := lowerHPF(path, processors)
	if err != nil {
		return err
	}
	if problems.Failed() {
		return &SourceError{Errors: problems}
	}
	return lower.Listing(w, prog)
}

// beside finds a file that a source includes: in the source's folder.
func beside(from, name string) (text, path string, err error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	text, err = readText(name, maxSource)
	if err == nil {
		err = isText(name, text)
	}
	return text, name, err
}
