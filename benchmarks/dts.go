package benchmarks

import (
	"embed"

	"whorl/benchmarks/threads"
)

// A DTS is a program of threads in Go, on package dts.
type DTS struct {
	File    string // whose text Text returns
	Make    func(*threads.Env) threads.Program
	Threads func(p []int64) int64 // how many a run has, the main thread among them, by formula
}

// Substrate returns "dts".
func (DTS) Substrate() string { return "dts" }

//go:embed threads/*.go
var threadSources embed.FS

// Text is the text of the program.
func (d DTS) Text() string {
	text, err := threadSources.ReadFile("threads/" + d.File)
	if err != nil {
		panic(err) // the file is one of this module's
	}
	return string(text)
}

// power is b to the n.
func power(b, n int64) int64 {
	v := int64(1)
	for range n {
		v *= b
	}
	return v
}
