// Package benchmarks holds the programs that come with Whorl: their text, their sizes, and how to tell that an answer is right.
//
// A benchmark has a full name, substrate/name, and may be called by its bare name where that says enough. Its sizes are integers with a
// default and bounds. Check computes what must come out by other means, in Go, and compares: no expected value is written down anywhere.
//
// Adding one is a file here (and its program in the folder of its substrate) and a line in All.
package benchmarks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// All are the benchmarks, those of one substrate together, in the order in which a bare name is looked for.
var All = []*Benchmark{
	pascal, semigroup, quicksort, naiveReverse, primes, queens, fibonacci, hanoi, life, matmul, rsa, mastermind,
	dtsFibonacci, dtsRSA, dtsBubbleSort, dtsPascal, dtsSemigroup, dtsMandelbrot, dtsNQueens, dtsQuicksort, dtsMatMul, dtsStencil,
	hpfPascal, hpfFibonacci, hpfRSA, hpfSemigroup, hpfJacobi, hpfRedBlack, hpfShallow, hpfCG, hpfLU, hpfMatMul, hpfLife, hpfNBody, hpfHeat, hpfMesh, hpfMixture, hpfSpike,
}

// A Benchmark is a program with sizes and a checked answer.
type Benchmark struct {
	Name    string // substrate/name
	Doc     string // what it teaches, a sentence
	Params  []Param
	Program Program
	// Check says how an answer, as a run prints it, differs from the right one for the sizes p. White space does not matter.
	Check func(p []int64, answer string) error
}

// A Param is a size of a benchmark.
type Param struct {
	Name              string
	Default, Min, Max int64
	Doc               string
}

// A Program is what a substrate runs: an FGHC, a DTS or an HPF.
type Program interface {
	Substrate() string // the name that the benchmark's begins with
}

// An FGHC is a program in FGHC and the query that starts it.
type FGHC struct {
	File, Source string
	Goal         func(p []int64) string // the query for the sizes p
}

// Substrate returns "fghc".
func (FGHC) Substrate() string { return "fghc" }

// Bare returns the name without its substrate.
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

// Sizes reads sizes as a command line gives them, in order ("35") or by name ("n=35"). What is not given keeps its default.
func (b *Benchmark) Sizes(args []string) ([]int64, error) {
	p := b.Defaults()
	for i, arg := range args {
		name, text, named := strings.Cut(arg, "=")
		at := i
		if named {
			at = slices.IndexFunc(b.Params, func(q Param) bool { return q.Name == name })
		} else {
			text = arg
		}
		switch {
		case at < 0:
			return nil, fmt.Errorf("%s has no size %q; its sizes are %s", b.Name, name, b.paramNames())
		case at >= len(b.Params):
			sizes := "sizes"
			if len(b.Params) == 1 {
				sizes = "size"
			}
			return nil, fmt.Errorf("%s takes %d %s (%s), and %q is one too many", b.Name, len(b.Params), sizes, b.paramNames(), arg)
		}
		q := b.Params[at]
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < q.Min || v > q.Max {
			return nil, fmt.Errorf("size %s of %s is an integer from %d to %d, not %q", q.Name, b.Name, q.Min, q.Max, text)
		}
		p[at] = v
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

// Lookup finds a benchmark by its full name, or by its bare name the first that has it. The error for an unknown name tells the nearest.
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
	if near := nearest.Names(name, known); len(near) > 0 {
		return nil, fmt.Errorf("there is no benchmark %q; did you mean %s?", name, strings.Join(near, ", "))
	}
	return nil, fmt.Errorf("there is no benchmark %q; `whorl list benchmarks` shows them all", name)
}
