// Package fidelity keeps docs/fidelity.md up to date: the figures and observations of the papers, measured here.
//
//	go test ./internal/fidelity -update
//
// rewrites it. The test starts no goroutines and runs without the race detector, which would make it six times slower.
package fidelity

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/layout/radial"
)

var update = flag.Bool("update", false, "write docs/fidelity.md anew")

// seeds are the seeds of the runs over which the papers' observations are measured.
const seeds = 20

// treeOf runs a program and returns its tree with the tree's layout.
func treeOf(t *testing.T, program, goal, policy string, pes int, seed uint64) (*spawntree.Tree, *radial.Layout) {
	t.Helper()
	r := experiment.Defaults(program)
	r.Goal, r.Policy, r.PEs, r.Seed = goal, policy, pes, seed
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatalf("%s under %s on %d PEs: %v", program, policy, pes, result.Err)
	}
	tree := must.Get(spawntree.Grow(trace, nil, nil))(t)
	return tree, radial.New(radial.Tree{Parent: tree.Parent, Size: tree.Size, Level: tree.Level})
}

// A spread holds the values of a quantity over the seeds.
type spread struct{ sum, min, max float64 }

func (s *spread) add(v float64) {
	if s.sum == 0 && s.min == 0 && s.max == 0 {
		s.min, s.max = v, v
	}
	s.sum, s.min, s.max = s.sum+v, min(s.min, v), max(s.max, v)
}

func (s spread) String() string {
	if s.max-s.min < 0.005 {
		return fmt.Sprintf("%.2f", s.sum/seeds)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", s.sum/seeds, s.min, s.max)
}

// direction holds the rank correlations of time with the level and the angle of the nodes of a run, plain and partial given the other one.
type direction struct{ level, angle, levelOnly, angleOnly float64 }

// outward returns the excess of the correlation of time with the level over that with the angle.
func (d direction) outward() float64 { return d.levelOnly - d.angleOnly }

func directionOf(tree *spawntree.Tree, l *radial.Layout) direction {
	angle := make([]float64, tree.Len())
	for i := range angle {
		angle[i] = l.Angle(int32(i))
	}
	time, level := tree.Time.Numbers(), tree.Level.Numbers()
	return direction{correlation(time, level), correlation(time, angle), partial(time, level, angle), partial(time, angle, level)}
}

// TestFidelity measures the figures and observations of the papers, and compares them with docs/fidelity.md.
func TestFidelity(t *testing.T) {
	const file = "../../docs/fidelity.md"
	var doc bytes.Buffer
	doc.WriteString(`# What the papers print, and what comes out here

Written by a test (` + "`go test ./internal/fidelity -update`" + `), which also checks it.

## VISTA

| | paper | here |
|---|---:|---:|
`)
	quickSortFidelity(t, &doc)
	pascalFidelity(t, &doc)
	starFidelity(t, &doc)
	doc.WriteString(`
The names A, C, D, E, J, M and N of nodes are those of the paper. From trace to picture it took 45 s for the 15,419 reductions of Semigroup, and 4 s for
another picture of them, on a SPARC of 1991; ` + "`make bench PKG=./visual/views/kaleidoscope BENCH='FirstPicture|Recolour'`" + ` measures both here. A table of numbers
has no place for times, which depend on the computer.
`)
	fmt.Fprintf(&doc, `
### Along the arms or around the spiral

On five PEs the paper sees the colours of time run outwards, level by level, "although not perfectly so"; on one PE it sees them run around
the spiral. Measured: the rank correlation of the time of a reduction with its level, and with its angle. Because rows further round
the spiral also lie further out, the two rise together; "alone" is what is left of each when the other is taken out. Mean over %d seeds,
with the extremes. Under `+"`depth-first`"+` one PE does everything, whatever the number of PEs: the control.

| policy | PEs | time with level | time with angle | level alone | angle alone | seeds where level leads |
|---|---:|---:|---:|---:|---:|---:|
`, seeds)
	direct := func(policy string, pes int) []direction {
		var level, angle, levelOnly, angleOnly spread
		ds, leads := make([]direction, seeds), 0
		for i := range ds {
			d := directionOf(treeOf(t, "fghc/pascal", "", policy, pes, uint64(i+1)))
			ds[i] = d
			level.add(d.level)
			angle.add(d.angle)
			levelOnly.add(d.levelOnly)
			angleOnly.add(d.angleOnly)
			if d.outward() > 0 {
				leads++
			}
		}
		fmt.Fprintf(&doc, "| `%s` | %d | %v | %v | %v | %v | %d |\n", policy, pes, level, angle, levelOnly, angleOnly, leads)
		return ds
	}
	one, five := direct("on-demand", 1), direct("on-demand", 5)
	breadth := direct("breadth-first", 5)
	control := direct("depth-first", 5)
	for i := range one {
		if one[i].outward() >= 0 {
			t.Errorf("seed %d: on one PE time follows the level by %.2f more than the angle", i+1, one[i].outward())
		}
		if five[i].outward() <= one[i].outward()+0.2 {
			t.Errorf("seed %d: five PEs move time outwards by %.2f", i+1, five[i].outward()-one[i].outward())
		}
		if breadth[i].outward() <= 0 {
			t.Errorf("seed %d: breadth-first follows the level by only %.2f", i+1, breadth[i].outward())
		}
		if math.Abs(control[i].outward()-one[i].outward()) > 1e-9 {
			t.Errorf("seed %d: depth-first on five PEs differs from one PE", i+1)
		}
	}

	fmt.Fprintf(&doc, `
So on one PE time always runs around. On five PEs it runs outwards much more than on one, in every one of the runs, and in some
of them more than around; it does so entirely under `+"`breadth-first`"+`.

### Spokes that stay on their PE

In Semigroup on five PEs the paper sees almost no task switch inside a spoke. Measured: the share of reductions that ran on
the PE of their parent. Under `+"`random`"+` every goal goes to another PE, and under `+"`round-robin`"+` to the next: the controls.

| policy | PEs | parent and child on one PE |
|---|---:|---:|
`)
	for _, c := range []struct {
		policy   string
		low, top float64
	}{{"on-demand", 0.95, 0.9999}, {"random", 0, 0.01}, {"round-robin", 0.15, 0.25}} {
		var share spread
		for seed := range uint64(seeds) {
			tree, _ := treeOf(t, "fghc/semigroup", "", c.policy, 5, seed+1)
			same, edges := together(tree.Parent, tree.PE.Numbers())
			v := float64(same) / float64(edges)
			share.add(v)
			if v < c.low || v > c.top {
				t.Errorf("%s, seed %d: %.3f of the children are on the PE of their parent, expected %g to %g", c.policy, seed+1, v, c.low, c.top)
			}
		}
		fmt.Fprintf(&doc, "| `%s` | 5 | %v |\n", c.policy, share)
	}

	document := string(must.Get(os.ReadFile(file))(t))
	scheduleFidelity(t, &doc, document)
	threadFidelity(t, &doc)
	lineFidelity(t, &doc)
	bodyFidelity(t, &doc, document)
	placeFidelity(t, &doc)
	meshFidelity(t, &doc)
	returnFidelity(t, &doc)
	forceFidelity(t, &doc)
	contextFidelity(t, &doc)

	if *update {
		must.Do(t, os.WriteFile(file, doc.Bytes(), 0o644))
	}
	want := must.Get(os.ReadFile(file))(t)
	if diff := cmp.Diff(string(want), doc.String()); diff != "" {
		t.Errorf("docs/fidelity.md is out of date (-update rewrites it):\n%s", diff)
	}
}

// weightsOf returns the weight of each node: its height plus the weights of its children (the paper, section 3.2).
func weightsOf(tree *spawntree.Tree) []int64 {
	weights := make([]int64, tree.Len())
	for i := tree.Len() - 1; i >= 0; i-- {
		weights[i] += int64(tree.Height - tree.Level.At(i) + 1)
		if up := tree.Parent[i]; up >= 0 {
			weights[up] += weights[i]
		}
	}
	return weights
}

// childrenOf returns the children of a node, in order.
func childrenOf(tree *spawntree.Tree, node int32) (out []int32) {
	for i, p := range tree.Parent {
		if p == node {
			out = append(out, int32(i))
		}
	}
	return out
}

func join(weights []int64, nodes []int32) string {
	var s []string
	for _, n := range nodes {
		s = append(s, fmt.Sprint(weights[n]))
	}
	return strings.Join(s, ", ")
}

func sectors(l *radial.Layout, nodes []int32) string {
	var s []string
	for _, n := range nodes {
		start, sweep := l.Sector(n)
		s = append(s, fmt.Sprintf("%.0f+%.0f", start, sweep))
	}
	return strings.Join(s, ", ")
}

// run executes a run and returns its result and its trace.
func run(t *testing.T, r experiment.Run) (*experiment.Result, *tracer.Memory) {
	t.Helper()
	p := must.Get(r.Resolve())(t)
	trace := tracer.NewMemory()
	result := must.Get(p.Run(t.Context(), trace, nil))(t)
	must.Do(t, trace.Close())
	return result, trace
}
