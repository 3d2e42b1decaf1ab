package experiment

import (
	"errors"
	"os"
	"slices"
	"strconv"

	"whorl/benchmarks"
	"whorl/fghc/check"
	"whorl/internal/nearest"
)

// findBenchmark prepares a benchmark with its sizes. With a goal of the user only its source is used, and the answer cannot be verified.
func (p *Prepared) findBenchmark(c compiler) error {
	r := &p.Description
	r.Args, r.Argv = append(slices.Clip(r.Args), r.Argv...), nil // a benchmark has no arguments but its sizes
	b, err := lookup(r.Program)
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
	return b.Program.Prepare(sizes, benchmarkHost{r, c})
}

// lookup returns the benchmark with a name. If the name means a folder, the error says that only whorl run runs its program.
func lookup(name string) (*benchmarks.Benchmark, error) {
	b, err := benchmarks.Lookup(name)
	if err == nil {
		return b, nil
	}
	if info, absent := os.Stat(name); absent == nil && info.IsDir() {
		err = errors.New(name + " is a folder; the Go program of a folder is for whorl run alone")
	}
	return nil, err
}

// A benchmarkHost passes the program of a benchmark to a compiler.
type benchmarkHost struct {
	description *Run
	compiler
}

func (h benchmarkHost) FGHC(file, text, goal string) error {
	if own := h.description.Goal; own != "" {
		goal = own
	}
	return h.compileFGHC([]check.Source{{Name: file, Text: text}}, goal)
}

func (h benchmarkHost) DTS(program benchmarks.DTS, sizes []int64) error {
	if err := h.withoutGoal("a program of threads"); err != nil {
		return err
	}
	return h.compileDTS(program, sizes)
}

func (h benchmarkHost) HPF(file, text string) error {
	if err := h.withoutGoal("a program in HPF"); err != nil {
		return err
	}
	return h.compileHPF(hpfSource{file, text})
}

// withoutGoal returns an error if the user gave a goal to a benchmark of a kind that has none.
func (h benchmarkHost) withoutGoal(kind string) error {
	if h.description.Goal == "" {
		return nil
	}
	return errors.New(h.description.Program + " is " + kind + ", which has sizes and no goal")
}

// sizeArgs returns sizes as arguments.
func sizeArgs(sizes []int64) (args []string) {
	for _, s := range sizes {
		args = append(args, strconv.FormatInt(s, 10))
	}
	return args
}
