package fidelity

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/views/bodies"
)

// meshFidelity measures the observations of that paper on a mesh.
func meshFidelity(t *testing.T, doc io.Writer) {
	fmt.Fprint(doc, `
A stencil on 27 PEs, a mesh of 3 x 3 x 3, whose links are elastic and whose masses are the busy time (`+"`hpf/mesh`"+`). Balanced, the paper sees
that the shape "is almost maintained"; otherwise it is distorted, and heavy bodies move less. Here a corner of 2 x 2 x 2 has most of the traffic.
Measured: the mean length of each link over the run, the shortest and the longest of them; the ways of the bodies of the corner and of the others,
in lengths of a link; and the way of the corner when all masses are the same: the control.

| run | links | way of the corner | of the others | of the corner, masses equal |
|---|---:|---:|---:|---:|
`)
	type shape struct{ short, long, corner, others, equal float64 }
	var all []shape
	for _, c := range []struct{ name, extra, growth string }{{"balanced", "0", "1"}, {"imbalanced, light", "4", "1"}, {"imbalanced, heavy", "4", "40"}} {
		meta, tr := trafficOf(t, "hpf/mesh", "", "mesh3d", 27, 1, "16", "100", c.extra, c.growth)
		for i := range tr.Flows { // only neighbours communicate, except for the sums at the end
			if f := &tr.Flows[i]; distance(meta, f.From, f.To) != 1 && int(f.Interval) < tr.Intervals*9/10 {
				t.Fatalf("%s: PE %d sends to PE %d", c.name, f.From, f.To)
			}
		}
		m := bodies.Mesh()
		mo := moved(t, meta, tr, m)
		if len(mo.Links) != 54 {
			t.Fatalf("%d links", len(mo.Links))
		}
		f := shape{short: math.Inf(1)}
		for _, l := range lengths(mo) {
			f.short, f.long = min(f.short, l), max(f.long, l)
		}
		f.corner, f.others = ways(mo)
		m.Mass = "nothing"
		f.equal, _ = ways(moved(t, meta, tr, m))
		fmt.Fprintf(doc, "| %s | %.2f to %.2f | %.1f | %.1f | %.1f |\n", c.name, f.short, f.long, f.corner, f.others, f.equal)
		all = append(all, f)
	}
	balanced, light, heavy := all[0], all[1], all[2]
	if balanced.long/balanced.short > 1.2 {
		t.Errorf("balanced, links are %.2f to %.2f long", balanced.short, balanced.long)
	}
	for i, f := range all[1:] {
		if f.long/f.short < 1.4 {
			t.Errorf("imbalanced %d, links are only %.2f to %.2f long", i, f.short, f.long)
		}
	}
	if heavy.corner > 0.8*light.corner || heavy.corner > heavy.others/3 || heavy.corner > 0.7*heavy.equal {
		t.Errorf("heavy bodies move %.2f, light ones %.2f, others %.2f, with equal masses %.2f", heavy.corner, light.corner, heavy.others, heavy.equal)
	}
}

// placeFidelity measures on which PE a child of the Fibonacci program runs.
func placeFidelity(t *testing.T, doc io.Writer) {
	t.Helper()
	var here []string
	for _, policy := range compared {
		r := experiment.Defaults("fghc/fibonacci")
		r.PEs, r.Policy = 8, policy
		result, trace := run(t, r)
		if result.Outcome != tracer.Done {
			t.Fatal(result.Err)
		}
		tree := must.Get(spawntree.Grow(trace, nil, nil))(t)
		same, edges := together(tree.Parent, tree.PE.Numbers())
		if same != 0 {
			t.Errorf("under %s %d of %d children run on the PE of their parent", policy, same, edges)
		}
		here = append(here, fmt.Sprintf("%d of %s", same, figures.Count(edges)))
	}
	fmt.Fprintf(doc, `
A child function runs on another PE than its parent.

| | paper | here |
|---|---:|---:|
| children on the PE of their parent, under `+"`random` and `ring`"+` | none | %s |
`, strings.Join(here, "; "))
}

// distance returns the hops between two PEs of a mesh.
func distance(meta *tracer.Meta, a, b int32) (hops int32) {
	for k, c := range meta.PEInfo[a].Coords {
		d := c - meta.PEInfo[b].Coords[k]
		hops += max(d, -d)
	}
	return hops
}

// lengths returns the mean lengths of the links.
func lengths(mo *bodies.Motion) []float64 {
	means := make([]float64, len(mo.Links))
	for i := range mo.Traffic.Intervals {
		x := mo.Places(mo.Moves(mo.Traffic.Begins(i)))
		for k, l := range mo.Links {
			means[k] += length(x[l.A], x[l.B]) / float64(mo.Traffic.Intervals)
		}
	}
	return means
}
