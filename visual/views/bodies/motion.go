package bodies

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
)

// A Motion is how the bodies of a run move: where they are at any time is a function of the trace and the mapping alone. States are kept at
// equal distances, as many as there is room for, and what is between them is computed again.
type Motion struct {
	Mapping
	Traffic *traffic.Traffic
	Links   []nbody.Link
	Start   []nbody.Vec
	Unit    float64 // of Mapping.Force in an interval: what pulls with strength 1, the mean of what a PE sent

	Measures []Measure // the spread, the traffic and the imbalance

	moves int // of an interval
	every int // intervals between two states that are kept
	kept  []state
	mean  float64 // load of a node in an interval

	mu   sync.Mutex
	memo *nbody.System
	at   int // moves that memo has made
}

// A state is of the bodies at the end of an interval.
type state struct{ x, v []nbody.Vec }

// interval is how long an interval of the traffic takes in the model's time, so that a run of 600 of them takes 60.
const (
	interval  = 0.1
	mostKept  = 128 << 20 // bytes of states
	following = 10        // intervals that a mass is the mean of
	empty     = 0.25      // mass of a body without load; the mean load adds 1
)

// Move computes how bodies move in a run. tick, which may be nil, is told of the progress; its error ends the work and is returned.
func Move(meta *tracer.Meta, t *traffic.Traffic, m Mapping, tick func(done, total int64) error) (*Motion, error) {
	if err := m.Check(t); err != nil {
		return nil, err
	}
	n := t.Nodes()
	switch {
	case n <= 64:
	case n <= nbody.Exact:
		m.Step = max(m.Step, interval/4)
	case n <= 4096:
		m.Step = max(m.Step, interval/2)
	default:
		m.Step = max(m.Step, interval)
	}
	m.Workers = runtime.GOMAXPROCS(0)
	mo := &Motion{Mapping: m, Traffic: t, moves: int(max(math.Round(interval/m.Step), 1))}
	mo.Step = interval / float64(mo.moves)
	mo.Start, mo.Links = m.arrange(meta, t)
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			mo.Unit += float64(m.amount(f))
		}
	}
	mo.Unit /= float64(t.Intervals) * float64(n)
	for i := range t.Loads {
		mo.mean += float64(m.weight(&t.Loads[i]))
	}
	mo.mean /= float64(t.Intervals) * float64(n)
	mo.every = 1 + t.Intervals*n*48/mostKept
	s, err := mo.begin()
	if err != nil {
		return nil, err
	}
	start, spread := nbody.Spread(mo.Start), make([]float64, 0, t.Intervals)
	for i := range t.Intervals {
		if i%mo.every == 0 {
			mo.kept = append(mo.kept, state{slices.Clone(s.X), slices.Clone(s.V)})
		}
		if tick != nil {
			if err := tick(int64(i), int64(t.Intervals)); err != nil {
				return nil, err
			}
		}
		mo.enter(s, i)
		for range mo.moves {
			s.Move()
		}
		spread = append(spread, nbody.Spread(s.X)/start)
	}
	mo.memo, mo.at = s, t.Intervals*mo.moves
	mo.Measures = []Measure{{"spread", spread}, {"traffic", mo.sent()}, {"imbalance", mo.imbalance()}}
	return mo, nil
}

// begin is the bodies before anything has happened.
func (mo *Motion) begin() (*nbody.System, error) { return nbody.New(mo.Model, mo.Start, mo.Links) }

// enter gives bodies the pulls and the masses of an interval.
func (mo *Motion) enter(s *nbody.System, i int) {
	flows := mo.Traffic.FlowsOf(i, i)
	pulls := make([]nbody.Pull, len(flows))
	for k := range flows {
		f := &flows[k]
		pulls[k] = nbody.Pull{From: f.From, To: f.To, Strength: float64(mo.amount(f)) / mo.Unit}
	}
	s.Pull(pulls)
	if mo.mean > 0 {
		for body, m := range mo.Masses(i) {
			s.Load(body, m)
		}
	}
}

// Masses are those of the bodies in an interval: of the load of the last ones.
func (mo *Motion) Masses(i int) []float64 {
	m := make([]float64, len(mo.Start))
	if mo.mean == 0 {
		for k := range m {
			m[k] = 1
		}
		return m
	}
	first := max(i-following+1, 0)
	loads := mo.Traffic.LoadsOf(first, i)
	for k := range loads {
		m[loads[k].Node] += float64(mo.weight(&loads[k]))
	}
	for k := range m {
		m[k] = empty + m[k]/(mo.mean*float64(i-first+1))
	}
	return m
}

// Moves is how many moves the bodies have made at a time of the trace.
func (mo *Motion) Moves(at int64) int {
	t := mo.Traffic
	return int(min(max(float64(at-t.From)/float64(t.Step), 0), float64(t.Intervals)) * float64(mo.moves))
}

// Places are where the bodies are after some moves, from 0 to those of all intervals. Nobody changes them.
func (mo *Motion) Places(moves int) []nbody.Vec {
	if i := moves / mo.moves; moves%mo.moves == 0 && i%mo.every == 0 && i/mo.every < len(mo.kept) {
		return mo.kept[i/mo.every].x
	}
	mo.mu.Lock()
	defer mo.mu.Unlock()
	k := min(moves/mo.moves/mo.every, len(mo.kept)-1)
	if from := k * mo.every * mo.moves; mo.memo == nil || mo.at > moves || mo.at < from {
		s, err := mo.begin()
		if err != nil {
			return mo.Start
		}
		copy(s.X, mo.kept[k].x)
		copy(s.V, mo.kept[k].v)
		mo.memo, mo.at = s, from
		if i := mo.at / mo.moves; i < mo.Traffic.Intervals {
			mo.enter(s, i)
		}
	}
	for ; mo.at < moves; mo.at++ {
		if mo.at%mo.moves == 0 {
			mo.enter(mo.memo, mo.at/mo.moves)
		}
		mo.memo.Move()
	}
	return slices.Clone(mo.memo.X)
}

// Last is how many moves there are.
func (mo *Motion) Last() int { return mo.Traffic.Intervals * mo.moves }

// recent are the first and the last of the intervals that colours and masses are of, after some moves.
func (mo *Motion) recent(moves int) (first, last int) {
	last = min(moves/mo.moves, mo.Traffic.Intervals-1)
	return max(last-following+1, 0), last
}

func distance(a, b nbody.Vec) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}
