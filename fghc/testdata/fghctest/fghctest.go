// Package fghctest compiles FGHC programs for tests.
package fghctest

import (
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/compile"
)

// Compile compiles a program of one file.
func Compile(t testing.TB, name, src string) *compile.Program {
	t.Helper()
	prog, _ := compiled(t, name, src, "")
	return prog
}

// Query compiles a program of one file and a query.
func Query(t testing.TB, name, src, goal string) (*compile.Program, *compile.Query) {
	t.Helper()
	prog, files := compiled(t, name, src, goal)
	goals, errs := files.Query("goal", goal)
	if errs.Failed() {
		t.Fatal(errs)
	}
	query, errs := prog.Query(goals)
	if errs.Failed() {
		t.Fatal(errs)
	}
	return prog, query
}

func compiled(t testing.TB, name, src, goal string) (*compile.Program, check.Files) {
	t.Helper()
	files, errs := check.Read([]check.Source{{Name: name, Text: src}})
	if errs.Failed() {
		t.Fatal(errs)
	}
	files = files.WithLibrary(goal)
	prog, errs := compile.Compile(files...)
	if errs.Failed() {
		t.Fatal(errs)
	}
	return prog, files
}
