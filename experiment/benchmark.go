package experiment

import (
	"fmt"
	"slices"
	"strconv"

	"whorl/benchmarks"
	"whorl/fghc/check"
)

// Benchmarks lists the programs that come with Whorl, each with its sizes.
func Benchmarks() []Item {
	return items(benchmarks.All, func(b *benchmarks.Benchmark) Item {
		doc := b.Doc
		for _, p := range b.Params {
			doc += fmt.Sprintf(" [%s=%d: %s]", p.Name, p.Default, p.Doc)
		}
		return Item{b.Name, doc}
	})
}

// findBenchmark makes the program of a benchmark and its sizes. With a goal of the user's it is only a source, whose answer nobody knows.
func (p *Prepared) findBenchmark() error {
	r := &p.Description
	r.Args, r.Argv = append(slices.Clip(r.Args), r.Argv...), nil // a benchmark has no arguments but its sizes
	b, err := benchmarks.Lookup(r.Program)
	if err != nil {
		var known []string
		for _, b := range benchmarks.All {
			known = append(known, b.Name, b.Bare())
		}
		return Unknown("benchmark", r.Program, known, "whorl list benchmarks")
	}
	r.Program = b.Name
	if r.Goal != "" && len(r.Args) > 0 {
		return &InputError{"a benchmark has sizes or a goal, not both: " + Quoted(r.Args[0])}
	}
	sizes, err := b.Sizes(r.Args)
	if err != nil {
		return &InputError{err.Error()}
	}
	if r.Goal == "" {
		r.Args = nil
		for _, s := range sizes {
			r.Args = append(r.Args, strconv.FormatInt(s, 10))
		}
		p.verify = func(answer string) error { return b.Check(sizes, answer) }
	}
	switch program := b.Program.(type) {
	case benchmarks.FGHC:
		goal := r.Goal
		if goal == "" {
			goal = program.Goal(sizes)
		}
		p.program, p.Warnings, err = newFGHC([]check.Source{{Name: program.File, Text: program.Source}}, goal)
		return err
	case benchmarks.DTS:
		if r.Goal != "" {
			return &InputError{b.Name + " is a program of threads, which has sizes and no goal"}
		}
		p.program = &dtsProgram{program, sizes}
		return nil
	case benchmarks.HPF:
		if r.Goal != "" {
			return &InputError{b.Name + " is a program in HPF, which has sizes and no goal"}
		}
		return p.compileHPF(hpfSource{program.File, program.Text(sizes)})
	}
	return &InputError{b.Name + " is of a substrate that cannot be run here"}
}
