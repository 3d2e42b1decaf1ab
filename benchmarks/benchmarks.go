// Package benchmarks contains the programs that come with Whorl, with their sizes and checks of their answers.
//
// A benchmark has a full name, substrate/name, and a bare name, which refers to the first benchmark that has it. Its sizes are integers with
// defaults and bounds. Its check computes the right answer by other means, in Go; no expected values are written down.
//
// To add a benchmark, add a file here, its program in the folder of its substrate, and a line in All (see docs/extending.md).
package benchmarks

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// All lists the benchmarks, grouped by substrate. A bare name stands for the first benchmark of that name.
var All = []*Benchmark{
	pascal, semigroup, quicksort, naiveReverse, primes, queens, fibonacci, hanoi, life, matmul, rsa, mastermind,
	dtsFibonacci, dtsRSA, dtsBubbleSort, dtsPascal, dtsSemigroup, dtsMandelbrot, dtsNQueens, dtsQuicksort, dtsMatMul, dtsStencil,
	hpfPascal, hpfFibonacci, hpfRSA, hpfSemigroup, hpfJacobi, hpfRedBlack, hpfShallow, hpfCG, hpfLU, hpfMatMul, hpfLife, hpfNBody, hpfHeat, hpfMesh, hpfMixture, hpfSpike,
}

// A Benchmark is a program with sizes and a checked answer.
type Benchmark struct {
	Name    string // substrate/name
	Doc     string // what the benchmark demonstrates
	Params  []Param
	Program Program
	// Check returns an error if answer, the output of a run with the sizes p, is wrong. White space in the answer does not count.
	Check func(p []int64, answer string) error
}

// A Param is a size of a benchmark.
type Param struct {
	Name              string
	Default, Min, Max int64
	Doc               string
}

// A Program is an FGHC, a DTS or an HPF.
type Program interface {
	Substrate() string // the first part of the benchmark's name
	// Prepare calls the method of h for the substrate with the program for the sizes p.
	Prepare(p []int64, h Host) error
}

// A Host prepares runs of programs, with a method for each substrate.
type Host interface {
	FGHC(file, text, goal string) error
	DTS(program DTS, sizes []int64) error
	HPF(file, text string) error
}

// An FGHC is a program in FGHC and its query.
type FGHC struct {
	File, Source string
	Goal         func(p []int64) string // returns the query for the sizes p
}

// fghcProgram returns a program and its query, a format for the sizes.
func fghcProgram(file, goal string) FGHC {
	return FGHC{File: file, Source: source("fghc/" + file), Goal: func(p []int64) string {
		sizes := make([]any, len(p))
		for i, n := range p {
			sizes[i] = n
		}
		return fmt.Sprintf(goal, sizes...)
	}}
}

//go:embed fghc/*.fghc hpf/*.hpf threads/*.go
var sources embed.FS

// source returns the text of an embedded program.
func source(path string) string {
	text, err := sources.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Substrate returns "fghc".
func (FGHC) Substrate() string { return "fghc" }

// Prepare calls h.FGHC.
func (f FGHC) Prepare(p []int64, h Host) error { return h.FGHC(f.File, f.Source, f.Goal(p)) }

// Bare returns the name without the substrate.
func (b *Benchmark) Bare() string {
	_, bare, _ := strings.Cut(b.Name, "/")
	return bare
}

// Defaults returns the default sizes.
func (b *Benchmark) Defaults() []int64 {
	p := make([]int64, len(b.Params))
	for i, q := range b.Params {
		p[i] = q.Default
	}
	return p
}

// Sizes parses sizes given in order ("35") or by name ("n=35"). Other sizes have their defaults.
func (b *Benchmark) Sizes(args []string) ([]int64, error) {
	p := b.Defaults()
	for i, arg := range args {
		name, text, named := strings.Cut(arg, "=")
		index := i
		if named {
			index = slices.IndexFunc(b.Params, func(q Param) bool { return q.Name == name })
		} else {
			text = arg
		}
		switch {
		case index < 0:
			return nil, fmt.Errorf("%s has no size %q; its sizes are %s", b.Name, name, b.paramNames())
		case index >= len(b.Params):
			sizes := "sizes"
			if len(b.Params) == 1 {
				sizes = "size"
			}
			return nil, fmt.Errorf("%s takes %d %s (%s); %q is one too many", b.Name, len(b.Params), sizes, b.paramNames(), arg)
		}
		q := b.Params[index]
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < q.Min || v > q.Max {
			return nil, fmt.Errorf("size %s of %s is a whole number from %d to %d, not %q", q.Name, b.Name, q.Min, q.Max, text)
		}
		p[index] = v
	}
	return p, nil
}

func (b *Benchmark) paramNames() string {
	names := make([]string, len(b.Params))
	for i, q := range b.Params {
		names[i] = q.Name
	}
	return strings.Join(names, ", ")
}

// Lookup returns the benchmark with a full name, or the first one with a bare name.
func Lookup(name string) (*Benchmark, error) {
	var known []string
	for _, b := range All {
		if b.Name == name || b.Bare() == name {
			return b, nil
		}
		if known = append(known, b.Name); !slices.Contains(known, b.Bare()) {
			known = append(known, b.Bare())
		}
	}
	return nil, &nearest.UnknownError{Kind: "benchmark", Name: name, Known: known, See: "whorl list benchmarks"}
}
