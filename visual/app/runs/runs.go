// Package runs draws the forms that describe runs of programs. A Panel describes one run, with an editor for a program of the user's own. A
// Comparison starts it several times with one thing changed, a Placing moves a goal to another PE, and Variations are the entries of a
// menu. An Edited is the program of a trace in an editor. State is the panel with the queues of a paused run.
//
// The package starts nothing: what it draws returns the runs that the user has asked for.
package runs

import (
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/sim/machines"
	"whorl/visual/documents"
)

// A Request asks to start a run or to save a program. Panels and editors return it.
type Request struct {
	Run    bool     // start the run
	Paused bool     // before its first reduction
	Save   *Program // write this program to a file, nil for none
}

// Name returns the name of the trace of a run: its program with its arguments, its PEs, its policy, and its other properties that are not the default.
// A server whose events are recorded has the name of its host.
func Name(r experiment.Run) string {
	if u, err := url.Parse(r.Program); err == nil && u.Host != "" {
		return u.Host
	}
	program := strings.TrimSuffix(filepath.Base(r.Program), filepath.Ext(r.Program))
	if len(r.Args) > 0 {
		program += " " + strings.Join(r.Args, " ")
	}
	parts := []string{program, figures.Counted(int64(r.PEs), "PE"), r.Policy}
	usual := facts(experiment.Defaults(r.Program))
	for i, fact := range facts(r) {
		if fact != usual[i] {
			parts = append(parts, fact)
		}
	}
	return strings.Join(parts, ", ")
}

// facts returns the properties of a run that are part of its name if they are not the default.
func facts(r experiment.Run) []string {
	mode, network := "simulated", r.Network
	if r.Mode == experiment.Live {
		mode = "live"
	}
	if preset, err := machines.Named(r.Machine); network == "" || err == nil && preset.Network == network {
		network = "machine's own network"
	}
	speeds := ""
	if len(r.Speeds) > 0 {
		speeds = "speed " + strings.Join(r.Speeds, " ")
	}
	return []string{mode, r.Machine, network, "seed " + strconv.FormatUint(r.Seed, 10), speeds}
}

// sizes returns the sizes of the benchmark of all runs, nil if they are of several programs or have other arguments.
func sizes(all []*experiment.Run) []benchmarks.Param {
	b, err := benchmarks.Lookup(all[0].Program)
	if err != nil || slices.ContainsFunc(all, func(r *experiment.Run) bool { return r.Program != all[0].Program || len(r.Args) != len(b.Params) }) {
		return nil
	}
	return b.Params
}

// Titles returns short titles that distinguish traces: the differing parts of their names, and the differing properties and goals of their runs.
// A nil run stands for a trace that is known only by its name.
func Titles(names []string, all []*experiment.Run) []string {
	long := slices.Clone(names)
	if len(all) > 0 && !slices.Contains(all, nil) {
		named := sizes(all)
		for i, r := range all {
			args := " " + strings.Join(r.Args, " ")
			if program, rest, ok := strings.Cut(names[i], args+", "); ok && named != nil && program == filepath.Base(r.Program) {
				long[i] = program
				for k, arg := range r.Args {
					long[i] += ", " + named[k].Name + " " + arg
				}
				long[i] += ", " + rest
			}
		}
		for i, r := range all {
			for _, fact := range append(facts(*r), r.Goal) {
				if fact != "" && !slices.Contains(strings.Split(names[i], ", "), fact) {
					long[i] += ", " + strings.ReplaceAll(fact, ", ", ",")
				}
			}
		}
	}
	titles := make([]string, len(long))
	for i, name := range long {
		if titles[i] = documents.ShortName(name, long); titles[i] == name {
			titles[i] = names[i]
		}
	}
	return titles
}
