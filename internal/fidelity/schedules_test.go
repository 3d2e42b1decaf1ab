package fidelity

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/internal/figures"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/layout/radial"
)

// A schedule is one way of on-demand scheduling among those that the paper on VISTA leaves open.
type schedule struct {
	asked    string // whom an idle PE asks: random (the first with work from a random PE on), next, or longest (queue)
	oldest   bool   // a PE takes its oldest goal first, not its newest
	reversed bool   // the last goal of a body comes first
}

// Traits implements sim.Policy.
func (s *schedule) Traits() sim.Traits { return sim.Traits{LIFO: !s.oldest, Stays: true} }

// Place implements sim.Policy: goals stay.
func (s *schedule) Place(_ sim.View, self *sim.Self, _ int) int { return int(self.PE) }

// Idle implements sim.Policy.
func (s *schedule) Idle(v sim.View, self *sim.Self) sim.Ask {
	from := -1
	switch s.asked {
	case "random":
		from = v.Offered(self.Rand.N(v.PEs()))
	case "next":
		from = v.Offered(int(self.PE))
	case "longest":
		for q := range v.PEs() {
			if v.Offered(q-1) == q && (from < 0 || v.Load(q) > v.Load(from)) {
				from = q
			}
		}
	}
	if from < 0 || from == int(self.PE) {
		return sim.Ask{From: sim.Later}
	}
	return sim.Ask{From: from, Share: sim.Surplus}
}

// tree runs a benchmark under the schedule and returns its tree with the tree's layout.
func (s *schedule) tree(t *testing.T, program, goal string, pes int, seed uint64) (*spawntree.Tree, *radial.Layout) {
	t.Helper()
	name := "../../benchmarks/fghc/" + program + ".fghc"
	files, errs := check.Read([]check.Source{{Name: name, Text: string(must.Get(os.ReadFile(name))(t))}})
	if errs.Failed() {
		t.Fatal(errs)
	}
	if s.reversed {
		for _, c := range files[0].Clauses {
			slices.Reverse(c.Body)
		}
	}
	files = files.WithLibrary(goal)
	goals, errs := files.Query("goal", goal)
	if errs.Failed() {
		t.Fatal(errs)
	}
	code, errs := compile.Compile(files...)
	if errs.Failed() {
		t.Fatal(errs)
	}
	query, errs := code.Query(goals)
	if errs.Failed() {
		t.Fatal(errs)
	}
	preset := must.Get(machines.Named(machines.Default))(t)
	trace := tracer.NewMemory()
	e := engine.New(code, query, engine.Options{})
	m := must.Get(sim.New(sim.Config{Policy: s, Network: must.Get(sim.NetworkNamed(preset.Network, pes))(t), Model: preset.Model, Seed: seed, Recorder: trace}, e))(t)
	must.Do(t, e.Boot(m, trace.Dict()))
	for more := true; more; {
		more = must.Get(m.Advance(t.Context(), 1<<20))(t)
	}
	m.Exit(int64(tracer.Done))
	must.Do(t, trace.Close())
	tree := must.Get(spawntree.Grow(trace, nil, nil))(t)
	return tree, radial.New(radial.Tree{Parent: tree.Parent, Size: tree.Size, Level: tree.Level})
}

// goalOf returns the query of a benchmark.
func goalOf(t *testing.T, program string) string {
	t.Helper()
	r := experiment.Defaults("fghc/" + program)
	r.PEs = 1
	_, trace := run(t, r)
	meta := trace.Meta()
	return meta.Goal
}

// scheduleFidelity compares the schedules that the paper leaves open with what it says of its pictures.
func scheduleFidelity(t *testing.T, doc io.Writer) {
	fmt.Fprintf(doc, `
### Schedules that the paper leaves open

The paper calls the scheduling of Panda "simple on-demand scheduling" and says no more of it than that goals run depth-first where nothing
suspends. Here each reading runs the programs of the two sections above: whom an idle PE asks (the first PE with work from a random one on,
as in `+"`on-demand`"+`, or from the next one on, or the one with the longest queue), whether a PE goes on with its newest or its oldest goal, and
whether the goals of a body run in their order or in reverse. An asked PE gives its oldest work; a goal that waited is resumed on its PE, as its
newest goal. What the paper says: on one PE time runs around the spiral of Pascal's triangle (the angle leads, in either
direction); on five PEs it runs outwards (the level leads, over %d seeds); the spokes of Semigroup stay on their PE; and time does not run clockwise in Semigroup (with the
angle, alone, near 0).

| asked | goal taken | body | one PE: level leads | five PEs: level leads, seeds | parent and child on one PE | Semigroup: angle alone | says what the paper says |
|---|---|---|---:|---:|---:|---:|---|
`, seeds)
	pascal, semigroup := goalOf(t, "pascal"), goalOf(t, "semigroup")
	var three, four int
	for _, asked := range []string{"random", "next", "longest"} {
		for k := range 4 {
			s := &schedule{asked, k&2 > 0, k&1 > 0}
			leading := func(pes int, seed uint64) bool {
				d := directionOf(s.tree(t, "pascal", pascal, pes, seed))
				return d.levelOnly > math.Abs(d.angleOnly)
			}
			one := leading(1, 1)
			leads := 0
			for seed := range uint64(seeds) {
				if leading(5, seed+1) {
					leads++
				}
			}
			tree, layout := s.tree(t, "semigroup", semigroup, 5, 1)
			same, edges := together(tree.Parent, tree.PE)
			share, angle := float64(same)/float64(edges), directionOf(tree, layout).angleOnly
			said := 0
			for _, yes := range []bool{!one, leads == seeds, share > 0.95, math.Abs(angle) < 0.2} {
				if yes {
					said++
				}
			}
			switch said {
			case 3:
				three++
			case 4:
				four++
			}
			fmt.Fprintf(doc, "| %s | %s | %s | %s | %d | %.2f | %.2f | %d of 4 |\n", asked, map[bool]string{false: "newest", true: "oldest"}[s.oldest],
				map[bool]string{false: "in order", true: "reversed"}[s.reversed], map[bool]string{false: "no", true: "yes"}[one], leads, share, angle, said)
		}
	}
	fmt.Fprintf(doc, `
Readings that give all four: %s of 12; three: %s. In every one time runs around Semigroup, in one direction or the other: the vectors
of the program here are not the paper's. `+"`on-demand`"+` is the first row. The other two ways of asking draw no
random number, so that their %d runs are one run.
`, figures.Count(int64(four)), figures.Count(int64(three)), seeds)
	if four > 0 {
		t.Errorf("%d schedules give everything that the paper says: on-demand should be one of them", four)
	}
}
