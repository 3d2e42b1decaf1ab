package app

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/nearest"
)

// A runForm is what the panel for a run holds: what the user has chosen and typed, whether it makes sense or not.
type runForm struct {
	program int // of choices: a benchmark, or after them the user's own text
	args    []string
	goal    string
	pes     string
	policy  int
	machine int
	network int // 0 is the machine's own
	seed    string
}

// goalHint says what a goal is.
const goalHint = "the query that starts the program, such as main(X)"

// ownProgram is the last choice of a program.
const ownProgram = "Your own program"

func newRunForm() runForm {
	f := runForm{pes: "4", seed: "1"}
	for i, b := range benchmarks.All {
		if b.Name == "fghc/pascal" {
			f.program = i
		}
	}
	f.args = f.defaults()
	return f
}

// own says whether the program is the user's own text.
func (f *runForm) own() bool { return f.program >= len(benchmarks.All) }

// defaults are the sizes that the chosen benchmark has when nothing is said.
func (f *runForm) defaults() []string {
	if f.own() {
		return nil
	}
	var out []string
	for _, n := range benchmarks.All[f.program].Defaults() {
		out = append(out, strconv.FormatInt(n, 10))
	}
	return out
}

// names lists items for a choice.
func names(items []experiment.Item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = it.Name
	}
	return out
}

func programNames() []string {
	out := make([]string, 0, len(benchmarks.All)+1)
	for _, b := range benchmarks.All {
		out = append(out, b.Name)
	}
	return append(out, ownProgram)
}

func networkNames() []string {
	return append([]string{"machine's own"}, names(experiment.Networks())...)
}

// run is the description that the form makes; own is the user's own program.
func (f *runForm) run(own *program) (experiment.Run, error) {
	r := experiment.Defaults(own.name)
	var err error
	if r.PEs, err = strconv.Atoi(strings.TrimSpace(f.pes)); err != nil {
		return r, fmt.Errorf("the number of PEs, %s, is not a whole number", nearest.Quote(f.pes))
	}
	if r.Seed, err = strconv.ParseUint(strings.TrimSpace(f.seed), 10, 64); err != nil {
		return r, fmt.Errorf("the seed %s is not a whole number", nearest.Quote(f.seed))
	}
	r.Policy = experiment.Policies()[f.policy].Name
	r.Machine = experiment.Machines()[f.machine].Name
	if f.network > 0 {
		r.Network = experiment.Networks()[f.network-1].Name
	}
	r.Goal = strings.TrimSpace(f.goal)
	if f.own() {
		if r.Goal == "" {
			return r, fmt.Errorf("%s needs a goal: %s", own.name, goalHint)
		}
		r.Text = own.Text()
		return r, nil
	}
	r.Program = benchmarks.All[f.program].Name
	if r.Goal == "" {
		r.Args = f.args
	}
	return r, nil
}

// take fills the form with a run that was made.
func (f *runForm) take(r experiment.Run) {
	f.pes, f.seed = strconv.Itoa(r.PEs), strconv.FormatUint(r.Seed, 10)
	f.goal = r.Goal
	f.policy = max(indexOf(names(experiment.Policies()), r.Policy), 0)
	f.machine = max(indexOf(names(experiment.Machines()), r.Machine), 0)
	f.network = indexOf(names(experiment.Networks()), r.Network) + 1
	f.program = len(benchmarks.All)
	if r.Text == "" {
		if b, err := benchmarks.Lookup(r.Program); err == nil {
			for i, c := range benchmarks.All {
				if c.Name == b.Name {
					f.program = i
				}
			}
			f.args = f.defaults()
			copy(f.args, r.Args)
			return
		}
	}
}

func indexOf(all []string, s string) int {
	for i, t := range all {
		if t == s {
			return i
		}
	}
	return -1
}
