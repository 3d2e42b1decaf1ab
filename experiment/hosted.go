package experiment

import (
	"errors"

	"whorl/benchmarks"
	"whorl/benchmarks/threads"
	"whorl/dts"
	"whorl/internal/nearest"
	"whorl/tracer"
)

// A Hosted is a benchmark of threads for the nodes of a cluster. Each node makes its own; functions have the same names on all nodes.
type Hosted struct {
	Name    string
	Args    []string // the sizes
	Sizes   []int64
	Funcs   *dts.Registry
	Main    dts.Func[[]int64, string] // of the sizes
	Verify  func(answer string) error // returns an error for a wrong answer
	Sources []tracer.SourceFile
}

// Hosted finds the benchmark of a run on several hosts.
func (r Run) Hosted() (*Hosted, error) {
	var known []string
	for _, b := range benchmarks.All {
		if _, ok := b.Program.(benchmarks.DTS); ok {
			known = append(known, b.Name)
		}
	}
	if isSource(r.Program) {
		return nil, errors.New(r.Program + " is a source file, which other hosts could not run: expected a benchmark dts/..., or a folder with a Go program")
	}
	b, err := benchmarks.Lookup(r.Program)
	if err != nil {
		return nil, &nearest.UnknownError{Kind: "benchmark", Name: r.Program, Known: known, See: "whorl list benchmarks"}
	}
	if own, err := benchmarks.Lookup("dts/" + r.Program); err == nil {
		b = own // a bare name means the benchmark with threads
	}
	program, ok := b.Program.(benchmarks.DTS)
	if !ok {
		text := b.Name + " has no threads that other hosts could run: expected a benchmark dts/..., or a folder with a Go program"
		if near := nearest.Names("dts/"+b.Bare(), known); len(near) > 0 {
			text += ", such as " + near[0]
		}
		return nil, errors.New(text)
	}
	sizes, err := b.Sizes(append(r.Args[:len(r.Args):len(r.Args)], r.Argv...))
	if err != nil {
		return nil, err
	}
	h := &Hosted{
		Name: b.Name, Args: sizeArgs(sizes), Sizes: sizes, Funcs: &dts.Registry{}, Verify: func(answer string) error { return b.Check(sizes, answer) },
		Sources: []tracer.SourceFile{{Name: program.File, Text: program.Text()}},
	}
	h.Main = threads.Make(program.File, &threads.Env{Funcs: h.Funcs}).Main
	return h, nil
}
