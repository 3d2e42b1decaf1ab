package fidelity

import (
	"fmt"
	"io"
	"math"
	"testing"

	"whorl/internal/figures"
	"whorl/sim/policy"
	"whorl/testdata/must"
)

// An extent is the least and the largest of some values.
type extent struct{ low, high float64 }

func (e *extent) add(v float64) { e.low, e.high = min(e.low, v), max(e.high, v) }

// count returns an extent of counts as text.
func (e *extent) count() string {
	if e.low == e.high {
		return figures.Count(int64(e.low))
	}
	return figures.Count(int64(e.low)) + " to " + figures.Count(int64(e.high))
}

// share returns an extent of numbers from -1 to 1 as text.
func (e *extent) share() string {
	low, high := fmt.Sprintf("%.2f", e.low), fmt.Sprintf("%.2f", e.high)
	if low == high {
		return low
	}
	return low + " to " + high
}

// A portrait is what runs of a program for Semigroup have in common, under the default schedule.
type portrait struct{ reductions, height, suspensions, stays, one, five extent }

// portray runs a program on one PE and on five.
func portray(t *testing.T, s source) (p portrait) {
	t.Helper()
	for _, e := range []*extent{&p.reductions, &p.height, &p.suspensions, &p.stays, &p.one, &p.five} {
		*e = extent{math.Inf(1), math.Inf(-1)}
	}
	onDemand := must.Get(policy.Named(policy.Default))(t)
	for k := range seeds {
		for _, pes := range []int{1, 5} {
			if pes == 1 && k != 10 { // the bus of the machine
				continue
			}
			x := s.run(t, onDemand, pes, k)
			p.reductions.add(float64(x.tree.Len()))
			p.height.add(float64(x.tree.Height))
			share, clockwise := x.spokes()
			if pes == 1 {
				p.one.add(clockwise)
				continue
			}
			p.suspensions.add(float64(x.suspensions))
			p.stays.add(share)
			p.five.add(clockwise)
		}
	}
	return p
}

// semigroupFidelity compares the two programs for Semigroup with the paper, and says which one is the benchmark and why.
func semigroupFidelity(t *testing.T, doc io.Writer, rounds, free source) {
	a, b := portray(t, rounds), portray(t, free)
	fmt.Fprint(doc, `
### The program of Semigroup

The paper prints neither its program for Semigroup nor the vectors. Both programs here compute the same closure, and neither shows all that the
paper says. Under the default schedule, on one PE and in `, seeds, ` runs on five:

| | paper | `, "`fghc/semigroup`, in rounds", ` | without rounds |
|---|---:|---:|---:|
`)
	for _, line := range [][4]string{
		{"reductions", "15,419", a.reductions.count(), b.reductions.count()},
		{"height", "174", a.height.count(), b.height.count()},
		{"suspensions on five PEs", "few", a.suspensions.count(), b.suspensions.count()},
		{"child on the PE of its parent, of five", "almost all", a.stays.share(), b.stays.share()},
		{"threads clockwise on five PEs", "no", a.five.share(), b.five.share()},
		{"threads clockwise on one PE", "no", a.one.share(), b.one.share()},
	} {
		fmt.Fprintf(doc, "| %s | %s | %s | %s |\n", line[0], line[1], line[2], line[3])
	}
	fmt.Fprint(doc, `
The order of the threads speaks for a program without rounds. The few suspensions, and the height as far as other vectors can show it, speak
for one with rounds. `+"`fghc/semigroup`"+` keeps its rounds because it then makes the same reductions under every schedule, so that policies are
compared on equal work; without rounds the number depends on which lookup finds a member first. The paper's order of threads is therefore
not in the picture of `+"`fghc/semigroup`"+`, whose threads run clockwise on one PE and on five, but in that of

    whorl run internal/fidelity/testdata/closure.fghc --goal 'go(3, 64, X)' --pes 5 -o closure.whorl
`)
	if a.reductions.low != a.reductions.high || b.reductions.low == b.reductions.high {
		t.Errorf("reductions of Semigroup: %+v in rounds, %+v without: the reason for rounds does not hold", a.reductions, b.reductions)
	}
	if math.Abs(a.height.high-174) > math.Abs(b.height.low-174) || a.suspensions.high > b.suspensions.low {
		t.Errorf("Semigroup in rounds: %+v, without: %+v: the second is nearer to the paper", a, b)
	}
}
