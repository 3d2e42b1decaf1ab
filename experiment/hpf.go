package experiment

import (
	"path/filepath"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// hpfEndings are those of files with programs in HPF.
var hpfEndings = []string{".hpf", ".f", ".for", ".f90"}

func isHPF(path string) bool {
	return slices.Contains(hpfEndings, strings.ToLower(filepath.Ext(path)))
}

// findingsOfHPF says what is wrong with a program in HPF.
func findingsOfHPF(path string) ([]Finding, error) {
	text, err := readText(path, maxSource)
	if err == nil {
		err = isText(path, text)
	}
	if err != nil {
		return nil, err
	}
	_, problems := syntax.Parse(path, text, syntax.Options{Include: beside})
	findings := make([]Finding, len(problems))
	for i, p := range problems {
		findings[i] = Finding{p, syntax.Pos{File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Column + 1}}
	}
	return findings, nil
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
