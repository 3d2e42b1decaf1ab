package experiment

import (
	"strconv"

	"whorl/benchmarks"
	"whorl/benchmarks/threads"
	"whorl/dts"
	"whorl/internal/nearest"
	"whorl/tracer"
)

// A Hosted is a benchmark of threads as the nodes of a cluster run it. Each makes it for itself; functions have the same names everywhere.
type Hosted struct {
	Name    string
	Args    []string // the sizes
	Sizes   []int64
	Funcs   *dts.Registry
	Main    dts.Func[[]int64, string] // of the sizes
	Verify  func(answer string) error // says how an answer differs from the right one
	Sources []tracer.SourceFile
}

// Hosted finds the benchmark of a run on several hosts.
func (r Run) Hosted() (*Hosted, error) {
	b, err := benchmarks.Lookup(r.Program)
	if err != nil {
		return nil, Unknown("benchmark", r.Program, hostedNames(), "whorl list benchmarks")
	}
	if own, err := benchmarks.Lookup("dts/" + r.Program); err == nil {
		b = own // a bare name means one that has threads
	}
	program, ok := b.Program.(benchmarks.DTS)
	if !ok {
		text := b.Name + " has no threads that other hosts could run: expected a benchmark dts/..., or a folder with a Go program"
		if near := nearest.Names("dts/"+b.Bare(), hostedNames()); len(near) > 0 {
			text += ", such as " + near[0]
		}
		return nil, &InputError{text}
	}
	sizes, err := b.Sizes(append(r.Args[:len(r.Args):len(r.Args)], r.Argv...))
	if err != nil {
		return nil, &InputError{err.Error()}
	}
	h := &Hosted{
		Name: b.Name, Sizes: sizes, Funcs: &dts.Registry{}, Verify: func(answer string) error { return b.Check(sizes, answer) },
		Sources: []tracer.SourceFile{{Name: program.File, Text: program.Text()}},
	}
	for _, s := range sizes {
		h.Args = append(h.Args, strconv.FormatInt(s, 10))
	}
	h.Main = program.Make(&threads.Env{Funcs: h.Funcs}).Main
	return h, nil
}

// hostedNames are the benchmarks that run on several hosts.
func hostedNames() []string {
	var known []string
	for _, b := range benchmarks.All {
		if _, ok := b.Program.(benchmarks.DTS); ok {
			known = append(known, b.Name)
		}
	}
	return known
}
