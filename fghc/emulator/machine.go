// Package emulator runs compiled FGHC on real cores, each PE a goroutine, as fast as an interpreter in Go can.
//
// It executes the decision trees of package compile, lowered to compact code (lower.go, emit.go), over a flat arena of words that all PEs
// share (run.go). A goal is a record of eight words in a table. Cells of variables are the only words that PEs write at the same time: a
// binding is a compare-and-swap, and whoever makes it owns the goals that waited for the variable. Which PE does what is up to sim/live
// and its policy. Between two reductions a PE may have the world stopped and the arena collected (collect.go), which also finds the goals
// that can never go on.
//
// The techniques are those of the KL1 and FCP emulators: K. Kliger and E. Shapiro, "From decision trees to decision graphs" (1990); D.
// Rokusawa, A. Nakase, T. Chikayama, "Distributed memory implementation of KLIC" (1996).
package emulator

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/tracer"
)

// Options are what a run may be given beyond its program. The zero value is one PE.
type Options struct {
	PEs      int // 1 to live.MaxWorkers
	Policy   sim.Policy
	Network  sim.Network
	Seed     uint64
	Recorder tracer.Recorder                    // nil records nothing
	MaxWords int                                // of both halves of the arena and of the table of goals; 0 is all that memory holds
	World    *builtin.World                     // what the program can reach outside of itself; nil is nothing
	Slice    int                                // reductions of a goal before it is the turn of the PE's oldest one; 0 is the policy's order
	Poll     int                                // reductions between two safe points; 0 is chosen
	Lost     func(some []report.Pending, n int) // is told of goals that can never go on, when a collection finds them
	Native   *Native                            // the procedures as Go functions; nil is bytecode for all
	Collect  bool                               // collect at every safe point, one for each reduction: slow, and finds what a collection breaks
}

// A Machine is one run of a program.
type Machine struct {
	*program
	opts Options
	crew *live.Crew
	pes  []*pe
	solo bool
	lifo bool

	// the arena and the table of goals, replaced only while the world stands still
	arena []uint64
	spare []uint64
	goals []uint64

	levels []atomic.Uint64 // by PE, where goals have priorities: that of what it does, and 1 more; 0 for nothing. Nil where work never moves

	mu       sync.Mutex // of what follows
	top      uint64     // words of the arena given out
	records  uint64     // words of the table given out
	nextID   atomic.Uint64
	quota    atomic.Int64 // reductions still allowed, less those reserved by PEs
	reserved atomic.Int64
	err      error
	cause    Outcome

	answer      []uint64
	inputs      []uint64 // variables that wait for input; 0 where nobody does
	collections int64
	codes       codes
	lost        []report.Pending // goals that can never go on, some of them
	losses      int64
	started     time.Time
	ran         time.Duration // until the last Advance
	resumed     time.Time     // when the Advance in hand began; zero between two
	panics      any           // what a PE has panicked with
	ended       chan struct{} // closed when no PE works any more
	stalled     chan struct{} // all reductions of an Advance are done
	over        bool
}

// Records of goals: eight words. The first tells waiting goals from others. A record that is not used holds the next such one in its
// second word.
const (
	recordSize  = 8
	stateField  = 0
	recordField = 1
	idField     = 2 // and the PE where it was made or waited, above idBits
	parentField = 3 // and the PE of the parent's reduction, above idBits
	argField    = 4 // up to four arguments, or the index of a block of them in the arena
	idBits      = 48
	idMask      = 1<<idBits - 1
	homeMask    = 1<<12 - 1
	pinned      = 1 << 63 // in idField: the program said on which PE
	waiting     = 1
	resting     = 2 // with waiting: for what may never come
	levelShift  = 2 // the priority of a goal that lies in no queue, where the program has priorities
)

const (
	firstArena = 1 << 16 // words for a PE; both halves fit its second cache
	smallArena = 1 << 19
	firstGoals = 1 << 12
	maxPoll    = 1 << 12 // reductions between two safe points
	firstPoll  = 1 << 4
	crewPoll   = 1 << 9  // where there are several PEs
	reserves   = 1 << 13 // reductions that a PE reserves
	slack      = 1 << 10 // words of the arena that are there for builtins when a try begins
	spared     = 1 << 8  // of them, those that no builtin takes
)

// An Outcome is how a run ends: the exit status of its PEs in the trace.
type Outcome uint8

// The ways a run ends.
const (
	Done Outcome = iota
	Failed
	Limited
	Interrupted
)

// A MemoryError says that a run needs more memory than it may have.
type MemoryError struct{ Bytes uint64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("stopped with %d MiB of terms and goals", e.Bytes>>20)
}

// New makes a machine that will run query on prog.
func New(prog *compile.Program, query *compile.Query, opts Options) (*Machine, error) {
	if opts.PEs == 0 {
		opts.PEs = 1
	}
	if opts.PEs < 1 || opts.PEs > live.MaxWorkers {
		return nil, fmt.Errorf("%d PEs on real cores: expected 1 to %d", opts.PEs, live.MaxWorkers)
	}
	if opts.Policy == nil {
		opts.Policy = keep{}
	}
	if opts.Network == nil {
		n, err := sim.NetworkNamed("bus", opts.PEs)
		if err != nil {
			return nil, err
		}
		opts.Network = n
	}
	if opts.World == nil {
		opts.World = new(builtin.World)
	}
	traits := opts.Policy.Traits()
	functions, err := opts.functions(prog, query)
	if err != nil {
		return nil, err
	}
	code, err := lower(prog, query, traits.Stays, functions)
	if err != nil {
		return nil, err
	}
	m := &Machine{program: code, opts: opts, solo: opts.PEs == 1, lifo: traits.LIFO && opts.Slice == 0}
	m.crew = live.New(opts.PEs, opts.Policy, opts.Network, opts.Seed)
	if prog.Priorities && traits.Stays && !m.solo {
		m.levels = make([]atomic.Uint64, opts.PEs)
	}
	if prog.Priorities {
		m.crew.Rank(func(w sim.Work) int64 { return int64(m.goals[uint64(w)+stateField] >> levelShift) })
	}
	m.arena = make([]uint64, max(min(firstArena*opts.PEs, smallArena), 4*opts.PEs*(code.tryWords+slack)+code.constants()))
	m.goals = make([]uint64, max(firstGoals*recordSize, 2*opts.PEs*code.tryRecords))
	m.top, m.records = 1, recordSize
	m.arena[0] = null
	m.pes = make([]*pe, opts.PEs)
	for i := range m.pes {
		m.pes[i] = newPE(m, i)
		if opts.Recorder != nil {
			m.pes[i].stream = opts.Recorder.Stream(tracer.StreamInfo{Name: fmt.Sprintf("PE %d", i)})
		}
	}
	if opts.Recorder != nil {
		m.name(opts.Recorder.Dict())
		for _, p := range m.pes {
			p.bySite, p.above = m.codes.bySite, uint64(p.me)<<idBits
		}
	}
	return m, nil
}

// keep is the policy of one PE.
type keep struct{}

func (keep) Traits() sim.Traits                       { return sim.Traits{LIFO: true, Stays: true} }
func (keep) Place(_ sim.View, s *sim.Self, _ int) int { return int(s.PE) }
func (keep) Idle(sim.View, *sim.Self) sim.Ask         { return sim.Ask{From: sim.Nobody} }

// Run carries the program out. It returns nil when all goals have reduced; ctx ends it early.
func (m *Machine) Run(ctx context.Context) error {
	for more := m.Start() == nil; more; {
		more = m.Advance(ctx, math.MaxInt64, time.Hour)
		if more && ctx.Err() != nil {
			m.Stop(Interrupted, context.Cause(ctx))
			break
		}
	}
	return m.err
}

// Start puts the goals of the query on PE 0, and its PEs at the start. Nothing runs until Advance.
func (m *Machine) Start() error {
	m.started = time.Now()
	if err := m.boot(); err != nil {
		return err
	}
	m.ended, m.stalled = make(chan struct{}), make(chan struct{}, 1)
	var all sync.WaitGroup
	for _, p := range m.pes {
		all.Go(p.work)
	}
	go func() {
		all.Wait()
		close(m.ended)
	}()
	m.crew.Hold() // all have come to where they wait
	return nil
}

// Advance lets the program run for so many reductions, or so long, or until ctx is done, whichever comes first, and says whether there is
// more to do. Between two calls nothing moves.
func (m *Machine) Advance(ctx context.Context, reductions int64, d time.Duration) (more bool) {
	if m.over {
		return false
	}
	m.quota.Store(reductions)
	select {
	case <-m.stalled: // since the last time
	default:
	}
	m.mu.Lock()
	m.resumed = time.Now()
	m.mu.Unlock()
	m.crew.Release()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-m.ended:
	case <-m.stalled:
	case <-timer.C:
	case <-ctx.Done():
	}
	m.crew.Hold()
	m.mu.Lock()
	m.ran, m.resumed = m.now(), time.Time{}
	m.mu.Unlock()
	for _, p := range m.pes {
		p.settle()
	}
	select {
	case <-m.ended:
		m.finish()
	default:
	}
	return !m.over
}

// Stop ends a program that Advance has left with more to do.
func (m *Machine) Stop(o Outcome, why error) {
	if m.over {
		return
	}
	m.end(o, why)
	m.crew.Release()
	<-m.ended
	m.finish()
}

// panicked ends the run after the panic of a PE.
func (m *Machine) panicked(r any) {
	m.mu.Lock()
	if m.panics == nil {
		m.panics = fmt.Sprintf("%v\n%s", r, debug.Stack())
	}
	m.mu.Unlock()
	m.crew.End()
}

// finish says how the program has ended.
func (m *Machine) finish() {
	m.over = true
	if m.panics != nil {
		panic(m.panics)
	}
	if m.cause == Done && m.err == nil && m.stuck() {
		m.cause, m.err = Failed, m.deadlock()
	}
	for _, p := range m.pes {
		p.exit()
	}
}

// Err is why the program cannot go on, nil as long as it can and when all goals have reduced.
func (m *Machine) Err() error { return m.err }

// Now is how long the program has run, without the time between two calls of Advance. Anybody may ask, also while it runs.
func (m *Machine) Now() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now()
}

func (m *Machine) now() time.Duration {
	if m.resumed.IsZero() {
		return m.ran
	}
	return m.ran + time.Since(m.resumed)
}

// Reductions is the number of reductions so far. It may be called while the program runs, and lags behind then.
func (m *Machine) Reductions() (n int64) {
	for _, p := range m.pes {
		n += p.shown.Load()
	}
	return n
}

// end stops the run; the first cause counts.
func (m *Machine) end(o Outcome, err error) {
	m.mu.Lock()
	if m.cause == Done && m.err == nil {
		m.cause, m.err = o, err
	}
	m.mu.Unlock()
	m.crew.End()
}

// stuck says whether goals wait for what will never come, other than those that may.
func (m *Machine) stuck() bool {
	if m.losses > 0 {
		return true
	}
	for _, g := range m.suspended() {
		if m.goals[g+stateField]&resting == 0 {
			return true
		}
	}
	return false
}

// constants is how many words the query's variables and the constants take.
func (p *program) constants() int {
	n := len(p.query.Registers)
	for _, c := range p.Constants {
		n += 8 + len(c.Str)/8
		if c.Int != nil {
			n += len(c.Int.Bits())
		}
	}
	return n
}

// boot makes the goals of the query, on PE 0.
func (m *Machine) boot() error {
	p := m.pes[0]
	words := m.tryWords + slack + m.constants()
	if !p.part(uint64(words), uint64(m.tryRecords)) {
		return m.err
	}
	for i, w := range m.consts {
		r := w
		if w.Tag() == term.Raw {
			r = term.Word(p.constant(m.Constants[w.Index()]))
		}
		for _, q := range m.pes {
			q.x[numRegs-1-i] = uint64(r)
		}
	}
	for range m.query.Registers {
		m.answer = append(m.answer, uint64((*platform)(p).NewVar()))
	}
	p.booting = true
	p.dones = 1 // the query is no reduction
	return m.err
}

// Stats are the counts of a run.
type Stats struct {
	Reductions, Suspensions, Resumptions, Collections int64
	Steals                                            int64
	Words                                             int // of the arena in use
	Elapsed                                           time.Duration
}

// Stats returns the counts. The machine must be at rest.
func (m *Machine) Stats() Stats {
	s := Stats{Collections: m.collections, Steals: m.crew.Steals(), Words: int(m.top), Elapsed: m.Now()}
	for _, p := range m.pes {
		s.Reductions += p.tries - p.suspensions - p.dones
		s.Suspensions += p.suspensions
		s.Resumptions += p.resumptions
	}
	return s
}
