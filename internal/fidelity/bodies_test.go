package fidelity

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
	"whorl/visual/views/bodies"
)

// trafficOf runs a program on a machine whose PEs are all equally far from each other, or on a network, and returns the traffic between them.
func trafficOf(t *testing.T, program, policy, network string, pes int, seed uint64, args ...string) (*tracer.Meta, *traffic.Traffic) {
	t.Helper()
	r := experiment.Defaults(program)
	r.Args, r.PEs, r.Seed, r.Machine, r.Network = args, pes, seed, "cenju3", network
	if policy != "" {
		r.Policy = policy
	}
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatalf("%s %v: %v", program, args, result.Err)
	}
	counts := trace.Counts()
	if counts[tracer.Send] == 0 || counts[tracer.Send] != counts[tracer.Recv] {
		t.Fatalf("%s %v: %d messages were sent and %d received", program, args, counts[tracer.Send], counts[tracer.Recv])
	}
	tr := must.Get(traffic.Grow(trace, traffic.Options{}, nil, nil))(t)
	if tr.Messages != counts[tracer.Send] || tr.Bytes == 0 || tr.Ignored != 0 || tr.Moves || tr.Intervals != traffic.Intervals {
		t.Fatalf("%s %v: %d messages of %d bytes, %d ignored, in %d intervals", program, args, tr.Messages, tr.Bytes, tr.Ignored, tr.Intervals)
	}
	meta := trace.Meta()
	return &meta, tr
}

// A cloud describes the bodies of a run: their distances and the elongation, as means over time (space) and standard deviations (time).
type cloud struct{ spread, asymmetry, breathing, bending float64 }

func cloudOf(t *testing.T, meta *tracer.Meta, tr *traffic.Traffic, m bodies.Mapping) cloud {
	t.Helper()
	mo := must.Get(bodies.Grow(meta, tr, m, nil, nil))(t)
	var spread, asymmetry []float64
	for i := range tr.Intervals {
		x := mo.Places(mo.Moves(tr.Begins(i)))
		spread, asymmetry = append(spread, nbody.Spread(x)), append(asymmetry, nbody.Asymmetry(x))
	}
	var c cloud
	c.spread, c.breathing = deviation(spread)
	c.asymmetry, c.bending = deviation(asymmetry)
	return c
}

// deviation returns the mean and the standard deviation.
func deviation(v []float64) (mean, by float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		by += (x - mean) * (x - mean) / float64(len(v))
	}
	return mean, math.Sqrt(by)
}

// exceeds reports whether all measures of c are larger than those of d by more than a quarter. The margin is needed because few pairs with much
// traffic always move bodies slightly more than many pairs with little.
func (c cloud) exceeds(d cloud) bool {
	const by = 1.25
	return c.spread > by*d.spread && c.asymmetry > by*d.asymmetry && c.breathing > by*d.breathing && c.bending > by*d.bending
}

// permuted returns traffic in which the flows of each interval are shuffled among the pairs: the same amounts at the same times, between other
// pairs.
func permuted(tr *traffic.Traffic, seed uint64) *traffic.Traffic {
	r := rand.New(rand.NewPCG(seed, 1))
	other := *tr
	other.Flows = slices.Clone(tr.Flows)
	n := tr.PEs
	for first := 0; first < len(other.Flows); {
		end := first + 1
		for end < len(other.Flows) && other.Flows[end].Interval == other.Flows[first].Interval {
			end++
		}
		pairs := r.Perm(n * (n - 1))
		for k := first; k < end; k++ {
			f, p := &other.Flows[k], pairs[k-first]
			f.From = int32(p / (n - 1))
			f.To = (f.From + 1 + int32(p%(n-1))) % int32(n)
		}
		first = end
	}
	return &other
}

// bodyFidelity measures the observations of the paper on dynamic-system animation. Without the large sizes it takes the rows of long runs from
// the document as it stands.
func bodyFidelity(t *testing.T, doc io.Writer, document string) {
	fmt.Fprintf(doc, `
## Dynamic-system animation

Fibonacci numbers on 8 PEs, whose bodies begin at the corners of a cube (view `+"`bodies`"+`). Under `+"`random`"+` the paper sees them come
together regularly, under `+"`ring`"+` "imbalanced in both time and space". Measured: how far they are from each other (spread, the root of the mean
square distance from their centre) and how drawn out (asymmetry, 0 for a cube, 1 for a line), as the mean over the run and as the standard
deviation over its time. Mean over %d seeds, with the extremes; the last column counts the seeds in which ring has more of all four, by a
quarter at least. With the traffic of each 600th of the run dealt out among the pairs anew, as much at the same times between others, that is not so:
the control.

| run | spread | asymmetry | spread over time | asymmetry over time | seeds |
|---|---:|---:|---:|---:|---:|
`, seeds)
	for _, p := range []struct {
		program, n string
		long       bool
	}{
		{"fghc/fibonacci", "22", true},
		{"dts/fibonacci", "22", true},
		{"fghc/fibonacci", "16", false},
		{"dts/fibonacci", "14", false},
	} {
		name := fmt.Sprintf("| `%s %s`, ", p.program, p.n)
		if p.long && !testenv.Soak() {
			copyRows(t, doc, document, name)
			continue
		}
		plain, control := new(comparison), new(comparison)
		for seed := range uint64(seeds) {
			for k, policy := range compared {
				if policy != "ring" || seed == 0 || !p.long { // ring does not depend on the seed, as the smaller runs show
					meta, tr := trafficOf(t, p.program, policy, "all", 8, seed+1, p.n)
					m := bodies.Cube()
					m.Step = 0.025 // small enough
					plain.clouds[k] = cloudOf(t, meta, tr, m)
					if !p.long {
						control.clouds[k] = cloudOf(t, meta, permuted(tr, seed+1), m)
					}
				}
			}
			plain.add()
			control.add()
		}
		plain.write(doc, name, "")
		if plain.more*20 < seeds*19 {
			t.Errorf("%s %s: ring has more in %d of %d seeds", p.program, p.n, plain.more, seeds)
		}
		if p.long {
			continue
		}
		control.write(doc, name, ", dealt anew")
		if control.more*20 >= seeds*19 {
			t.Errorf("%s %s, permuted: ring has more in %d of %d seeds", p.program, p.n, control.more, seeds)
		}
	}
}

// compared are the policies of a comparison.
var compared = [2]string{"random", "ring"}

// A comparison holds the bodies under both policies, for one seed and over all of them.
type comparison struct {
	clouds [2]cloud // of the current seed
	rows   [2][4]spread
	more   int // number of seeds in which ring exceeds random
}

// add adds the clouds of a seed.
func (c *comparison) add() {
	for k, b := range c.clouds {
		for i, v := range [4]float64{b.spread, b.asymmetry, b.breathing, b.bending} {
			c.rows[k][i].add(v)
		}
	}
	if c.clouds[1].exceeds(c.clouds[0]) {
		c.more++
	}
}

// write writes a row of the document for each policy.
func (c *comparison) write(doc io.Writer, program, ending string) {
	for k, policy := range compared {
		fmt.Fprintf(doc, "%s`%s`%s", program, policy, ending)
		for _, s := range c.rows[k] {
			fmt.Fprintf(doc, " | %v", s)
		}
		said := ""
		if k == 1 {
			said = fmt.Sprintf("%d of %d", c.more, seeds)
		}
		fmt.Fprintf(doc, " | %s |\n", said)
	}
}

// copyRows copies the rows of a long run from the document as it stands.
func copyRows(t *testing.T, doc io.Writer, document, head string) {
	t.Helper()
	n := 0
	for line := range strings.Lines(document) {
		if strings.HasPrefix(line, head) {
			io.WriteString(doc, line)
			n++
		}
	}
	if n != len(compared) {
		t.Fatalf("docs/fidelity.md has %d rows %s; WHORL_SOAK=1 with -update writes them", n, head)
	}
}

// forceFidelity compares forces of the model between two bodies that are 2 apart with the equations of the paper.
func forceFidelity(t *testing.T, doc io.Writer) {
	t.Helper()
	x := []nbody.Vec{{0, 0, 0}, {2, 0, 0}}
	force := func(add func(f []nbody.Vec)) string {
		f := make([]nbody.Vec, 2)
		add(f)
		return fmt.Sprintf("%.2f; %.2f", f[0][0]+0, f[1][0]+0)
	}
	pull := []nbody.Pull{{From: 0, To: 1, Strength: 3}}
	fmt.Fprint(doc, `
The forces of the equations of motion, on two bodies at 0 and at 2. The paper reads the traffic every 0.1 s; here a run has from 300 to 600 intervals.

| | paper | here |
|---|---:|---:|
`)
	for _, row := range []struct {
		force, paper string
		add          func(f []nbody.Vec)
	}{
		{"repulsion, R = 1: R / r²", "-0.25; 0.25", func(f []nbody.Vec) { nbody.Repel(x, 1, f) }},
		{"traffic of 3 from the first to the second, case 1: on the sender only", "3.00; 0.00", func(f []nbody.Vec) { nbody.Attract(x, pull, 1, false, f) }},
		{"the same, case 2: symmetric", "3.00; -3.00", func(f []nbody.Vec) { nbody.Attract(x, pull, 1, true, f) }},
		{"link of length L = 1, k = 4: k (L - r)", "4.00; -4.00", func(f []nbody.Vec) { nbody.Stretch(x, []nbody.Link{{A: 0, B: 1, Rest: 1}}, 4, f) }},
	} {
		here := force(row.add)
		if here != row.paper {
			t.Errorf("%s: %s, want %s", row.force, here, row.paper)
		}
		fmt.Fprintf(doc, "| %s | %s | %s |\n", row.force, row.paper, here)
	}
}

// returnFidelity measures whether a mesh comes back to its shape after pulls have distorted it, with the weak repulsion of the model and without.
func returnFidelity(t *testing.T, doc io.Writer) {
	t.Helper()
	settle := func(m nbody.Model, pulls []nbody.Pull) []nbody.Vec {
		x, links := nbody.Grid(nbody.Cells(27), m.Length)
		s := must.Get(nbody.New(m, x, links))(t)
		for _, phase := range [][]nbody.Pull{pulls, nil} {
			s.Pull(phase)
			for range int(100 / m.Step) {
				s.Move()
			}
		}
		return s.X
	}
	r := rand.New(rand.NewPCG(1, 3))
	var pulls []nbody.Pull
	for range 6 {
		pulls = append(pulls, nbody.Pull{From: r.Int32N(27), To: r.Int32N(27), Strength: 1})
	}
	var errors []float64 // the largest of a distance between two bodies
	for _, repulsion := range []float64{nbody.Mesh().Repulsion, 0} {
		m := nbody.Mesh()
		m.Step, m.Repulsion = 0.02, repulsion
		calm, after := settle(m, nil), settle(m, pulls)
		most := 0.0
		for i := range calm {
			for j := range i {
				most = max(most, math.Abs(length(calm[i], calm[j])-length(after[i], after[j])))
			}
		}
		errors = append(errors, most/m.Length)
	}
	if errors[0] > 0.03 || errors[1] < 0.5 {
		t.Errorf("distances are wrong by %.3f with repulsion, and by %.3f without", errors[0], errors[1])
	}
	fmt.Fprintf(doc, `
Six pulls distort a mesh, and end. With the weak repulsion it comes back to its shape; without it, it has others in which all links have
their lengths.

| | paper | here |
|---|---:|---:|
| largest error of a distance in the mesh, in links, with weak repulsion and without | restored; not restored | %.2f; %.2f |
| bodies whose repulsion is computed by the method of Barnes and Hut | more than 1,000 | more than %d |
`, errors[0], errors[1], nbody.Exact)
}

func moved(t *testing.T, meta *tracer.Meta, tr *traffic.Traffic, m bodies.Mapping) *bodies.Motion {
	t.Helper()
	return must.Get(bodies.Grow(meta, tr, m, nil, nil))(t)
}

// ways returns the mean path lengths of the bodies in a corner of 2 x 2 x 2 of a mesh of 3 x 3 x 3, and of the others.
func ways(mo *bodies.Motion) (corner, others float64) {
	last := mo.Places(0)
	for i := range mo.Traffic.Intervals {
		x := mo.Places(mo.Moves(mo.Traffic.Begins(i + 1)))
		for b := range x {
			if b%3 < 2 && b/3%3 < 2 && b/9 < 2 {
				corner += length(x[b], last[b]) / 8
			} else {
				others += length(x[b], last[b]) / 19
			}
		}
		last = x
	}
	return corner, others
}

func length(a, b nbody.Vec) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
