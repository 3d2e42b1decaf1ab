package fidelity

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/layout/radial"
)

// A reading is one way of on-demand scheduling among those that the paper on VISTA leaves open: a value of each option.
type reading []string

// readings returns all readings, the default first.
func readings() []reading {
	all := []reading{nil}
	for _, o := range policy.Options {
		var more []reading
		for _, r := range all {
			for _, v := range o.Values {
				more = append(more, append(r[:len(r):len(r)], v.Name))
			}
		}
		all = more
	}
	return all
}

// policy returns the policy of the reading.
func (r reading) policy(t *testing.T) sim.Policy {
	t.Helper()
	name := policy.Default
	for i, o := range policy.Options {
		name += ":" + o.Name + "=" + r[i]
	}
	return must.Get(policy.Named(name))(t)
}

// A source is a compiled program with its query, whose only variable is X.
type source struct {
	code   *compile.Program
	query  *compile.Query
	answer string // of X; "" is not checked
}

func newSource(t *testing.T, file, goal, answer string) source {
	t.Helper()
	files, errs := check.Read([]check.Source{{Name: file, Text: string(must.Get(os.ReadFile(file))(t))}})
	must.Do(t, errs.Err())
	files = files.WithLibrary(goal)
	goals, errs := files.Query("goal", goal)
	must.Do(t, errs.Err())
	code, errs := compile.Compile(files...)
	must.Do(t, errs.Err())
	query, errs := code.Query(goals)
	must.Do(t, errs.Err())
	return source{code, query, answer}
}

// An execution is a run of a source with its tree.
type execution struct {
	tree        *spawntree.Tree
	layout      *radial.Layout
	thread      []bool // by node: the first reduction of a multiplication of vectors
	suspensions int64
	elapsed     sim.Time
}

// run runs the source. Runs that draw no random numbers would not differ by their seeds, so run k also has a bus whose latency is
// 90 + k percent of that of the machine.
func (s source) run(t *testing.T, p sim.Policy, pes, k int) execution {
	t.Helper()
	preset := must.Get(machines.Named(machines.Default))(t)
	preset.Model.Latency = preset.Model.Latency * sim.Time(90+k) / 100
	trace := tracer.NewMemory()
	e := engine.New(s.code, s.query, engine.Options{})
	m := must.Get(sim.New(sim.Config{Policy: p, Network: must.Get(sim.NetworkNamed(preset.Network, pes))(t), Model: preset.Model, Seed: uint64(k + 1), Recorder: trace}, e))(t)
	must.Do(t, e.Boot(m, trace.Dict()))
	for more := true; more; {
		more = must.Get(m.Advance(t.Context(), 1<<20))(t)
	}
	m.Exit(int64(tracer.Done))
	must.Do(t, trace.Close())
	if got := e.Answer()[0].Value; s.answer != "" && got != s.answer {
		t.Errorf("%v on %d PEs, run %d: X = %s, want %s", p, pes, k, got, s.answer)
	}
	tree := must.Get(spawntree.Grow(trace, nil, nil))(t)
	x := execution{tree: tree, layout: radial.New(radial.Tree{Parent: tree.Parent, Size: tree.Size, Level: tree.Level})}
	x.suspensions, x.elapsed = e.Stats().Suspensions, m.Stats().Elapsed
	x.thread = make([]bool, tree.Len())
	multiplies := func(i int32) bool { return strings.HasPrefix(trace.Dict().Code(tree.Code.At(int(i))).Name, "mul/5") }
	for i, up := range tree.Parent {
		x.thread[i] = up >= 0 && multiplies(int32(i)) && !multiplies(up)
	}
	return x
}

// spokes returns the share of the children on the PE of their parents, and the rank correlation of the time at which a thread
// begins with its angle.
func (x execution) spokes() (share, clockwise float64) {
	same, edges := together(x.tree.Parent, x.tree.PE.Numbers())
	var begin []int64
	var angle []float64
	for i, first := range x.thread {
		if first {
			begin = append(begin, x.tree.Time.At(i))
			angle = append(angle, x.layout.Angle(int32(i)))
		}
	}
	return float64(same) / float64(edges), correlation(begin, angle)
}

// A row holds what is measured under a reading, in the order of readingsHead: of Pascal's triangle on one PE the correlations of time with
// level and angle, each alone, and the suspensions; the same on five PEs, with the runs in which the level leads before the suspensions and with
// the ms after them; of Semigroup on five PEs the share of children on the PE of their parents and the correlation of threads with the
// angle; the same without rounds.
type row [12]float64

// The columns that the text is about.
const (
	oneLevel, oneAngle, oneSuspended = 0, 1, 2
	leads, elapsed                   = 5, 7
	semigroup, closure               = 8, 10 // and the next one
)

// formats are the formats of the values.
var formats = strings.Fields("%.2f %.2f %.0f %.2f %.2f %.4g %.0f %.2f %.2f %.2f %.2f %.2f")

// measure runs the programs of the paper under a reading.
func (r reading) measure(t *testing.T, pascal, rounds, free source) (m row) {
	p := r.policy(t)
	one := pascal.run(t, p, 1, 10)
	d := directionOf(one.tree, one.layout)
	m[oneLevel], m[oneAngle], m[oneSuspended] = d.levelOnly, d.angleOnly, float64(one.suspensions)
	for k := range seeds {
		x := pascal.run(t, p, 5, k)
		d := directionOf(x.tree, x.layout)
		m[3] += d.levelOnly / seeds
		m[4] += d.angleOnly / seeds
		if d.levelOnly > math.Abs(d.angleOnly) {
			m[leads]++
		}
		m[6] += float64(x.suspensions) / seeds
		m[elapsed] += float64(x.elapsed) / 1e6 / seeds
		for i, s := range []source{rounds, free} {
			share, clockwise := s.run(t, p, 5, k).spokes()
			m[semigroup+2*i] += share / seeds
			m[semigroup+2*i+1] += clockwise / seeds
		}
	}
	return m
}

// said returns how many of the paper's four sentences a row shows, with the columns of one of the programs for Semigroup.
func (m row) said(program int) (n int) {
	for _, yes := range []bool{
		math.Abs(m[oneAngle]) > m[oneLevel], m[leads] == seeds, m[program] > 0.95, math.Abs(m[program+1]) < 0.2,
	} {
		if yes {
			n++
		}
	}
	return n
}

func (m row) String() string {
	var b strings.Builder
	for i, v := range m {
		fmt.Fprintf(&b, " "+formats[i]+" |", v)
	}
	return b.String()
}

// parseRow reads the row of a reading in a table of the document.
func parseRow(t *testing.T, document, head string) (m row) {
	t.Helper()
	_, rest, ok := strings.Cut(document, "\n"+head)
	if !ok {
		t.Fatalf("docs/fidelity.md has no row %s; WHORL_SOAK=1 with -update writes it", head)
	}
	cells := strings.Split(rest, "|")
	for i := range m {
		if _, err := fmt.Sscan(cells[i], &m[i]); err != nil {
			t.Fatalf("docs/fidelity.md, row %s: %v", head, err)
		}
	}
	return m
}

// short are the readings that are measured in a test without its large sizes: the default, and one that differs in every option.
var short = []int{0, 23}

// scheduleFidelity compares the schedules that the paper leaves open with what it says of its pictures. Without the large sizes it
// takes most rows from the document as it stands.
func scheduleFidelity(t *testing.T, doc io.Writer, document string) {
	const goal, members = "go(3, 64, X)", "members(154,85841)"
	pascal := newSource(t, "../../benchmarks/fghc/pascal.fghc", "go(35, X)", "")
	rounds := newSource(t, "../../benchmarks/fghc/semigroup.fghc", goal, members)
	free := newSource(t, "testdata/closure.fghc", goal, members)
	all := readings()
	rows := make([]row, len(all))
	heads := make([]string, len(all))
	for i, r := range all {
		heads[i] = "| " + strings.Join(r, " | ") + " |"
		if testenv.Soak() || i == short[0] || i == short[1] {
			text := "\n" + heads[i] + r.measure(t, pascal, rounds, free).String()
			rows[i] = parseRow(t, text, heads[i]) // rounded like those of the document
		} else {
			rows[i] = parseRow(t, document, heads[i])
		}
	}
	writeReadings(doc, all, heads, rows)
	semigroupFidelity(t, doc, rounds, free)
	for i, m := range rows {
		if m.said(semigroup) == 4 {
			t.Errorf("%v gives everything that the paper says: it should be on-demand", all[i])
		}
	}
}
