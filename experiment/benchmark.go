package experiment

import (
	"errors"
	"slices"
	"strconv"

	"whorl/benchmarks"
	"whorl/fghc/check"
	"whorl/internal/nearest"
)

// findBenchmark prepares a benchmark with its sizes. With a goal of the user only its source is used, and the answer cannot be verified.
func (p *Prepared) findBenchmark() error {
	r := &p.Description
	r.Args, r.Argv = append(slices.Clip(r.Args), r.Argv...), nil // a benchmark has no arguments but its sizes
	b, err := benchmarks.Lookup(r.Program)
	if err != nil {
		return err
	}
	r.Program = b.Name
	if r.Goal != "" && len(r.Args) > 0 {
		return errors.New("a benchmark has sizes or a goal, not both: " + nearest.Quote(r.Args[0]))
	}
	sizes, err := b.Sizes(r.Args)
	if err != nil {
		return err
	}
	if r.Goal == "" {
		r.Args = sizeArgs(sizes)
		p.verify = func(answer string) error { return b.Check(sizes, answer) }
	}
	switch program := b.Program.(type) { // the variants of a benchmark, one for each substrate
	case benchmarks.FGHC:
		goal := r.Goal
		if goal == "" {
			goal = program.Goal(sizes)
		}
		return p.compile([]check.Source{{Name: program.File, Text: program.Source}}, goal)
	case benchmarks.DTS:
		if r.Goal != "" {
			return errors.New(b.Name + " is a program of threads, which has sizes and no goal")
		}
		p.program = &dtsProgram{program, sizes}
		return nil
	case benchmarks.HPF:
		if r.Goal != "" {
			return errors.New(b.Name + " is a program in HPF, which has sizes and no goal")
		}
		return p.compileHPF(hpfSource{program.File, program.Text(sizes)})
	}
	return errors.New(b.Name + " is of a substrate that cannot be run here")
}

// sizeArgs returns sizes as arguments.
func sizeArgs(sizes []int64) (args []string) {
	for _, s := range sizes {
		args = append(args, strconv.FormatInt(s, 10))
	}
	return args
}
