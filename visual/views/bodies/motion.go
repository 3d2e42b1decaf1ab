package bodies

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
)

// A Motion is the movement of the bodies of a run. Their positions at any time depend only on the trace and the
// mapping. A Motion keeps states at equal distances, as many as fit in mostKept bytes, and recomputes those between.
//
// Where intervals are lasting, a growing run only extends a motion. The motion stops at the end of the last complete
// interval, bodies rest until there is traffic, and means are taken over the run so far, not over the whole run.
type Motion struct {
	Mapping
	Traffic *traffic.Traffic
	Links   []nbody.Link
	Start   []nbody.Vec
	Len     int // intervals with motion

	Measures []Measure // spread, traffic, imbalance

	moves int     // steps of the integration in an interval
	every int     // intervals between two kept states
	kept  []state // each at the beginning of an interval
	end   state
	first int       // first interval with traffic
	unit  []float64 // mean traffic of a sender in Traffic.Step, which pulls with strength 1: by interval, or one value for all
	mean  []float64 // mean load of a node in Traffic.Step: by interval, or one value for all

	mu        sync.Mutex
	memo      *nbody.System
	memoMoves int // moves that memo has made
}

// A state is the positions and velocities of the bodies at an instant.
type state struct {
	x, v []nbody.Vec
	far  float64 // distance from the centre at which the outermost body is drawn
}

func stateOf(s *nbody.System) state {
	return state{slices.Clone(s.X), slices.Clone(s.V), crowdOf(s.X).outer}
}

const (
	interval  = 0.1       // model time of an interval; a run of 600 intervals takes 60
	mostKept  = 128 << 20 // bytes of kept states
	following = 10        // intervals that masses, colours and measures average over
	mostPull  = 10        // bound of a pull in a lasting interval or between many PEs, as a multiple of the mean
	mostLoad  = 10        // bound of the load that gives one of many bodies its mass, as a multiple of the mean
	empty     = 0.25      // mass of a body without load; the mean load adds 1
)

// Grow computes the motion of the bodies in a run. prev is nil or the motion of the same run when it was shorter; Grow
// reuses its equal intervals, and the result does not depend on it. tick may be nil. It receives the progress, and its
// error ends the work and is returned.
func Grow(meta *tracer.Meta, t *traffic.Traffic, m Mapping, prev *Motion, tick func(done, total int64) error) (*Motion, error) {
	if err := m.Check(t); err != nil {
		return nil, err
	}
	n, long := t.Nodes(), interval
	if t.Epoch > 0 {
		long *= traffic.Intervals / 2 / float64(t.Epoch)
	}
	switch {
	case n <= 64:
	case n <= nbody.Exact:
		m.Step = max(m.Step, interval/4)
	case n <= 4096:
		m.Step = max(m.Step, interval/2)
	default:
		m.Step = max(m.Step, interval)
		m.Hold = 4
		if n > 1<<15 {
			m.Hold, m.Theta = 12, max(m.Theta, 1.2)
		}
	}
	// One of the first, short intervals of a growing run may hold all traffic so far. A few senders among many PEs would
	// tear their network apart, and so would a few with all the load, which keep their speed while they become heavy.
	if m.MaxPull == 0 && (t.Epoch > 0 || n > nbody.Exact) {
		m.MaxPull = mostPull
	}
	if n > nbody.Exact {
		m.MaxLoad = mostLoad
	}
	m.Workers = runtime.GOMAXPROCS(0)
	mo := &Motion{Mapping: m, Traffic: t, Len: t.Intervals, moves: int(max(math.Round(long/m.Step), 1))}
	if !t.Over && t.Epoch > 0 {
		mo.Len--
	}
	mo.Step = long / float64(mo.moves)
	mo.Start, mo.Links = m.arrange(meta, t)
	mo.average()
	mo.every = 1 + t.Intervals*n*48/mostKept
	if t.Epoch > 0 && mo.every > 1 { // a power of two, so that the next motion can reuse kept states
		mo.every = 1 << bits.Len(uint(mo.every-1))
	}
	if m.Hold > 1 { // keep states where the repulsion is recomputed
		mo.every = (mo.every + m.Hold - 1) / m.Hold * m.Hold
	}
	if err := mo.integrate(prev, tick); err != nil {
		return nil, err
	}
	return mo, nil
}

// intervalTime returns the length of an interval in model time.
func (mo *Motion) intervalTime() float64 { return mo.Step * float64(mo.moves) }

// average computes the means of the traffic and of the load.
func (mo *Motion) average() {
	t := mo.Traffic
	n := float64(t.Nodes())
	sent, load := make([]float64, t.Intervals), make([]float64, t.Intervals)
	mo.first = t.Intervals
	for i := range t.Flows {
		if f := &t.Flows[i]; f.From != f.To {
			if amount := mo.amount(f); amount > 0 {
				sent[f.Interval] += float64(amount)
				mo.first = min(mo.first, int(f.Interval))
			}
		}
	}
	for i := range t.Loads {
		load[t.Loads[i].Interval] += float64(mo.weight(&t.Loads[i]))
	}
	for _, sums := range [2][]float64{sent, load} { // exact: all terms are integers
		for i := 1; i < len(sums); i++ {
			sums[i] += sums[i-1]
		}
	}
	if t.Epoch == 0 {
		mo.first = 0
		mo.unit, mo.mean = []float64{sent[t.Intervals-1] / (float64(t.Intervals) * n)}, []float64{load[t.Intervals-1] / (float64(t.Intervals) * n)}
		return
	}
	for i := range sent {
		sent[i] /= float64(t.Length(min(mo.first, i), i)) / float64(t.Step) * n
		load[i] /= float64(t.Length(0, i)) / float64(t.Step) * n
	}
	mo.unit, mo.mean = sent, load
}

// Unit returns the amount that a body sends in the intervals from first to last if it pulls with strength 1 in each of
// them: the mean.
func (mo *Motion) Unit(first, last int) float64 {
	return mo.unit[min(last, len(mo.unit)-1)] * mo.steps(first, last)
}

// steps returns the length of the intervals from first to last in units of Traffic.Step.
func (mo *Motion) steps(first, last int) float64 {
	return float64(mo.Traffic.Length(first, last)) / float64(mo.Traffic.Step)
}

// hasMass reports whether the trace has load that gives mass.
func (mo *Motion) hasMass() bool { return mo.mean[len(mo.mean)-1] > 0 }

// integrate moves the bodies through all intervals.
func (mo *Motion) integrate(prev *Motion, tick func(done, total int64) error) error {
	s, err := mo.begin()
	if err != nil {
		return err
	}
	from := mo.resume(s, prev)
	start, spread := nbody.Spread(mo.Start), make([]float64, from, mo.Len)
	if from > 0 {
		copy(spread, prev.Measures[0].Values)
	}
	for i := from; i < mo.Len; i++ {
		if i%mo.every == 0 && i/mo.every == len(mo.kept) {
			mo.kept = append(mo.kept, stateOf(s))
		}
		if tick != nil {
			if err := tick(int64(i), int64(mo.Len)); err != nil {
				return err
			}
		}
		if mo.enter(s, i) {
			for range mo.moves {
				s.Move()
			}
		}
		spread = append(spread, nbody.Spread(s.X)/start)
	}
	if len(mo.kept) == 0 {
		mo.kept = append(mo.kept, stateOf(s))
	}
	mo.end = stateOf(s)
	mo.memo, mo.memoMoves = s, mo.Len*mo.moves
	mo.Measures = []Measure{{"spread", spread}, {"traffic", mo.sent()}, {"imbalance", mo.imbalance()}}
	return nil
}

// resume restores s to the latest state of prev that is still valid, keeps the states of prev up to it, and returns
// its interval. It returns 0 if prev cannot be continued.
func (mo *Motion) resume(s *nbody.System, prev *Motion) int {
	if prev == nil || mo.Traffic.Epoch == 0 || !mo.goesOn(prev) {
		return 0
	}
	same := min(mo.same(prev), mo.Len, prev.Len)
	last, from := prev.end, same
	if same < prev.Len || same == 0 || mo.Hold > 1 {
		k := same / prev.every
		last, from = prev.kept[min(k, len(prev.kept)-1)], min(k, len(prev.kept)-1)*prev.every
	}
	for i := 0; i <= from; i += mo.every {
		if k := i / prev.every; i%prev.every == 0 && k < len(prev.kept) {
			mo.kept = append(mo.kept, prev.kept[k])
		}
	}
	copy(s.X, last.x)
	copy(s.V, last.v)
	return from
}

// goesOn reports whether prev has the same mapping, and intervals of the same lengths.
func (mo *Motion) goesOn(prev *Motion) bool {
	t, p := mo.Traffic, prev.Traffic
	return mo.Mapping == prev.Mapping && mo.moves == prev.moves && mo.first == prev.first && mo.every%prev.every == 0 &&
		t.From == p.From && t.Step == p.Step && t.Epoch == p.Epoch && t.PEs == p.PEs && t.Group == p.Group && t.Moves == p.Moves && t.Wakes == p.Wakes &&
		slices.Equal(mo.Start, prev.Start) && slices.Equal(mo.Links, prev.Links)
}

// same returns the number of initial intervals with the same traffic and load as in prev.
func (mo *Motion) same(prev *Motion) int {
	t, p := mo.Traffic, prev.Traffic
	flows := differ(t.Flows, p.Flows, func(f traffic.Flow) int32 { return f.Interval })
	loads := differ(t.Loads, p.Loads, func(l traffic.Load) int32 { return l.Interval })
	return min(t.Intervals, p.Intervals, flows, loads)
}

// differ returns the first interval with different cells in two lists.
func differ[T comparable](a, b []T, interval func(T) int32) int {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return int(interval(b[i]))
		case i >= len(b):
			return int(interval(a[i]))
		case a[i] != b[i]:
			return int(min(interval(a[i]), interval(b[i])))
		}
	}
	return math.MaxInt
}

// begin returns the bodies in their initial state.
func (mo *Motion) begin() (*nbody.System, error) { return nbody.New(mo.Model, mo.Start, mo.Links) }

// enter sets the pulls and the masses of an interval. It reports whether the bodies move in it.
func (mo *Motion) enter(s *nbody.System, i int) bool {
	if i < mo.first {
		return false
	}
	flows, unit := mo.Traffic.FlowsOf(i, i), mo.Unit(i, i)
	pulls := make([]nbody.Pull, len(flows))
	for k := range flows {
		f := &flows[k]
		pulls[k] = nbody.Pull{From: f.From, To: f.To, Strength: float64(mo.amount(f)) / unit}
		if mo.MaxPull > 0 {
			pulls[k].Strength = min(pulls[k].Strength, mo.MaxPull)
		}
	}
	s.Pull(pulls)
	if mo.hasMass() {
		for body, m := range mo.Masses(i) {
			s.Load(body, m)
		}
	}
	return true
}

// Masses returns the masses of the bodies in an interval, which follow the load of the last ten intervals.
func (mo *Motion) Masses(i int) []float64 {
	m := make([]float64, len(mo.Start))
	mean := mo.mean[min(i, len(mo.mean)-1)]
	if mean == 0 {
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
		m[k] /= mean * mo.steps(first, i)
		if mo.MaxLoad > 0 {
			m[k] = min(m[k], mo.MaxLoad)
		}
		m[k] += empty
	}
	return m
}

// Moves returns the number of moves that the bodies have made at a time of the trace.
func (mo *Motion) Moves(time int64) int {
	i := mo.Traffic.Interval(time)
	if i >= mo.Len {
		return mo.Last()
	}
	into, long := max(time-mo.Traffic.Begins(i), 0), mo.Traffic.Length(i, i)
	return i*mo.moves + int(min(float64(into)/float64(long), 1)*float64(mo.moves))
}

// Places returns the positions of the bodies after a number of moves, from 0 to Last. Callers must not change them.
func (mo *Motion) Places(moves int) []nbody.Vec {
	if i := moves / mo.moves; moves%mo.moves == 0 && i%mo.every == 0 && i/mo.every < len(mo.kept) {
		return mo.kept[i/mo.every].x
	}
	mo.mu.Lock()
	defer mo.mu.Unlock()
	k := min(moves/mo.moves/mo.every, len(mo.kept)-1)
	if from := k * mo.every * mo.moves; mo.memo == nil || mo.memoMoves > moves || mo.memoMoves < from {
		s, err := mo.begin()
		if err != nil {
			return mo.Start
		}
		copy(s.X, mo.kept[k].x)
		copy(s.V, mo.kept[k].v)
		mo.memo, mo.memoMoves = s, from
	}
	for ; mo.memoMoves < moves; mo.memoMoves++ {
		i := mo.memoMoves / mo.moves
		if mo.memoMoves%mo.moves == 0 {
			mo.enter(mo.memo, i)
		}
		if i >= mo.first {
			mo.memo.Move()
		}
	}
	return slices.Clone(mo.memo.X)
}

// Last returns the number of moves of the motion.
func (mo *Motion) Last() int { return mo.Len * mo.moves }

// recent returns the first and last interval that colours and masses average over, after a number of moves.
func (mo *Motion) recent(moves int) (first, last int) {
	last = max(min(moves/mo.moves, mo.Len-1), 0)
	return max(last-following+1, 0), last
}

func distance(a, b nbody.Vec) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}
