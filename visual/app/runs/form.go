package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/nearest"
	"whorl/sim/machines"
)

// A form holds the user's choices and texts in the panel, valid or not.
type form struct {
	program int // the index of a benchmark; len(benchmarks.All) is the user's own text
	args    []string
	goal    string
	pes     string
	policy  int // an index of policies
	machine int // an index of machines
	network int // 0 is the machine's own
	seed    string

	// The policy and the machine of the run that filled the form, if they have options, else "".
	policyVariant, machineVariant string
}

// goalHint explains a goal.
const goalHint = "the query that starts the program, such as main(X)"

// ownProgram is the last choice of a program.
const ownProgram = "Your own program"

// firstProgram is the benchmark that the form begins with.
const firstProgram = "fghc/pascal"

// newForm returns the form of a benchmark with its default sizes.
func newForm(benchmark string) form {
	index := slices.IndexFunc(benchmarks.All, func(b *benchmarks.Benchmark) bool { return b.Name == benchmark })
	f := form{pes: "4", seed: "1", program: max(index, 0)}
	f.args = f.defaults()
	return f
}

// own reports whether the program is the user's own text.
func (f *form) own() bool { return f.program >= len(benchmarks.All) }

// defaults returns the default sizes of the chosen benchmark.
func (f *form) defaults() []string {
	if f.own() {
		return nil
	}
	var out []string
	for _, n := range benchmarks.All[f.program].Defaults() {
		out = append(out, strconv.FormatInt(n, 10))
	}
	return out
}

// names lists the names of items.
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

// takesGoal reports whether the program is in FGHC, which a goal starts.
func (f *form) takesGoal() bool {
	if f.own() {
		return true
	}
	_, ok := benchmarks.All[f.program].Program.(benchmarks.FGHC)
	return ok
}

func networkNames() []string {
	return append([]string{"machine's own"}, names(experiment.Networks())...)
}

// policies returns the policies to choose from.
func (f *form) policies() []experiment.Item {
	all := experiment.Policies()
	if f.policyVariant != "" {
		all = append(all, experiment.Item{Name: f.policyVariant, Doc: "the policy of the run that is shown, with its options"})
	}
	return all
}

// machines returns the machines to choose from.
func (f *form) machines() []experiment.Item {
	all := experiment.Machines()
	if f.machineVariant != "" {
		all = append(all, experiment.Item{Name: f.machineVariant, Doc: "the machine of the run that is shown, with its options"})
	}
	return all
}

// run returns the run that the form describes; own is the user's own program.
func (f *form) run(own *Program) (experiment.Run, error) {
	r := experiment.Defaults(own.Name)
	var err error
	if r.PEs, err = strconv.Atoi(strings.TrimSpace(f.pes)); err != nil {
		return r, fmt.Errorf("the number of PEs, %s, is not a whole number", nearest.Quote(f.pes))
	}
	if r.Seed, err = strconv.ParseUint(strings.TrimSpace(f.seed), 10, 64); err != nil {
		return r, fmt.Errorf("the seed %s is not a whole number", nearest.Quote(f.seed))
	}
	r.Policy = f.policies()[f.policy].Name
	r.Machine = f.machines()[f.machine].Name
	if f.network > 0 {
		r.Network = experiment.Networks()[f.network-1].Name
	}
	r.Goal = strings.TrimSpace(f.goal)
	if f.own() {
		if r.Goal == "" {
			return r, fmt.Errorf("%s needs a goal: %s", own.Name, goalHint)
		}
		r.Text = own.Text()
		return r, nil
	}
	r.Program = benchmarks.All[f.program].Name
	if r.Goal == "" {
		r.Args = slices.Clone(f.args) // the fields change the form's own sizes in place
	}
	return r, nil
}

// fill fills the form with a run of the user's own program.
func (f *form) fill(r experiment.Run) {
	f.pes, f.seed = strconv.Itoa(r.PEs), strconv.FormatUint(r.Seed, 10)
	f.goal = r.Goal
	f.policyVariant, f.machineVariant = "", ""
	if f.policy = slices.Index(names(experiment.Policies()), r.Policy); f.policy < 0 {
		f.policy, f.policyVariant = len(experiment.Policies()), r.Policy
	}
	if f.machine = slices.Index(names(experiment.Machines()), r.Machine); f.machine < 0 {
		f.machine = 0
		if _, err := machines.Named(r.Machine); err == nil { // otherwise the machine of a file, which is not at hand
			f.machine, f.machineVariant = len(experiment.Machines()), r.Machine
		}
	}
	f.network = slices.Index(names(experiment.Networks()), r.Network) + 1
	f.program = len(benchmarks.All)
}
