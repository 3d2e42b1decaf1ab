package emulator

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"whorl/fghc/compile"
	"whorl/fghc/recording"
	"whorl/fghc/report"
	"whorl/fghc/term"
	"whorl/fghc/world"
	"whorl/internal/figures"
	"whorl/sim"
	"whorl/sim/live"
	"whorl/tracer"
)

// Options configure a run. The zero value is one PE.
type Options struct {
	PEs      int // 1 to live.MaxWorkers
	Policy   sim.Policy
	Network  sim.Network
	Seed     uint64
	Recorder tracer.Recorder                    // nil records nothing
	MaxWords int                                // limit on both halves of the arena and the table of goals together; 0 is none
	World    *world.World                       // input, output and clock of the program; nil is none
	Slice    int                                // reductions of a goal before the oldest goal has its turn; 0 is the policy's order
	Poll     int                                // reductions between two safe points; 0 adapts
	Lost     func(some []report.Pending, n int) // called when a collection finds n goals that can never continue
	Native   *Native                            // the procedures as Go functions; nil is bytecode
	Collect  bool                               // for tests: collect at every safe point, after each reduction
}

// A Machine is one run of a program.
type Machine struct {
	*program
	opts Options
	crew *live.Crew
	pes  []*pe
	solo bool
	lifo bool

	// replaced only while the world is stopped
	arena []uint64
	spare []uint64 // the other half of the arena
	kept  uint64   // words that the last collection has left
	goals []uint64 // the table of goals

	levels []atomic.Uint64 // by PE: 1 + the priority of its goals, 0 if it has none; nil if no goal has a priority or work never moves
	nextID atomic.Uint64
	limit  limit

	mu      sync.Mutex // guards the fields below
	top     uint64     // words of the arena given out
	records uint64     // words of the table given out
	err     error
	cause   tracer.Outcome

	answer      []term.Word // of the query's variables
	inputs      []uint64    // variables that wait for input; 0 for an unused number
	suppliers   []supplier
	collections int64
	codes       recording.Codes
	losses      report.Losses
	began       time.Time     // zero of the trace's clock, which stands still between two calls of Advance
	paused      time.Time     // when the PEs last stopped
	ran         time.Duration // until the end of the last Advance
	resumed     time.Time     // start of the current Advance; zero between two
	panics      any           // panic of a PE
	ended       chan struct{} // closed when all PEs have ended
	stalled     chan struct{} // all reductions of an Advance are done
	over        bool
}

// The record of a goal has eight words. Unused records form lists through recordField.
const (
	recordSize  = 8
	stateField  = 0 // waiting, resting, and the priority above levelShift
	recordField = 1 // see bytecode.RecordWord
	idField     = 2 // id, with the PE where the goal was made or waited above recording.IDBits
	parentField = 3 // id of the parent, with the PE of its reduction above recording.IDBits
	argField    = 4 // up to four arguments, or the index of more in the arena
	homeMask    = 1<<12 - 1
	pinned      = 1 << 63 // in idField: the program chose the PE
	waiting     = 1
	resting     = 2 // with waiting: the endless wait of the goal is no deadlock
	levelShift  = 2 // the priority of a goal outside a queue, in a program with priorities
)

const (
	firstArena = 1 << 16 // words per PE; both halves fit the second-level cache
	smallArena = 1 << 19
	largeArena = 1 << 22
	step       = 16 // how many times as large a collection makes a small arena at most
	firstGoals = 1 << 12
	maxPoll    = 1 << 12 // reductions between two safe points
	firstPoll  = 1 << 4
	crewPoll   = 1 << 9  // maxPoll with several PEs or a trace
	reserves   = 1 << 13 // reductions that a PE reserves at a time
	slack      = 1 << 10 // free words for builtins at the start of a try
	spared     = 1 << 8  // words of slack that builtins leave free
)

// A MemoryError reports that a run has reached its memory limit.
type MemoryError struct{ Bytes uint64 }

func (e *MemoryError) Error() string {
	return "stopped with " + figures.Size(int64(e.Bytes)) + " of terms and goals"
}

// New returns a machine that will run query on prog.
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
		opts.World = new(world.World)
	}
	traits := opts.Policy.Traits()
	functions, err := opts.functions(prog, query)
	if err != nil {
		return nil, err
	}
	code, err := newProgram(prog, query, traits.Stays, functions)
	if err != nil {
		return nil, err
	}
	m := &Machine{program: code, opts: opts, solo: opts.PEs == 1, lifo: traits.LIFO && opts.Slice == 0}
	m.losses.Warn = opts.Lost
	m.crew = live.New(opts.PEs, opts.Policy, opts.Network, opts.Seed)
	m.crew.Summon(m.summon)
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
	}
	if opts.Recorder != nil {
		m.codes = recording.NewCodes(prog, opts.Recorder.Dict())
		for _, p := range m.pes {
			p.rec.Begin(opts.Recorder, &m.codes, &m.began, len(m.pes))
		}
	}
	return m, nil
}

// keep is the policy of a single PE.
type keep struct{}

func (keep) Traits() sim.Traits                       { return sim.Traits{LIFO: true, Stays: true} }
func (keep) Place(_ sim.View, s *sim.Self, _ int) int { return int(s.PE) }
func (keep) Idle(sim.View, *sim.Self) sim.Ask         { return sim.Ask{From: sim.Nobody} }

// Run runs the program to its end. It returns nil when all goals have reduced. A done ctx interrupts it.
func (m *Machine) Run(ctx context.Context) error {
	for more := m.Start() == nil; more; {
		more = m.Advance(ctx, math.MaxInt64, time.Hour)
		if more && ctx.Err() != nil {
			m.Stop(tracer.Interrupted, context.Cause(ctx))
			break
		}
	}
	return m.err
}

// Start puts the goals of the query on PE 0 and starts the PEs. Nothing runs until Advance.
func (m *Machine) Start() error {
	m.began = time.Now()
	if err := m.boot(); err != nil {
		return err
	}
	m.ended, m.stalled = make(chan struct{}), make(chan struct{}, 1)
	var all sync.WaitGroup // for the PEs, which report errors and panics to the machine
	for _, p := range m.pes {
		all.Go(p.work)
	}
	go func() {
		all.Wait()
		close(m.ended)
	}()
	m.hold()
	return nil
}

// Advance runs the program until it has made a number of reductions, a time has passed, or ctx is done. It reports
// whether there is more to do. Between two calls the program stands still.
func (m *Machine) Advance(ctx context.Context, reductions int64, d time.Duration) (more bool) {
	if m.over {
		return false
	}
	m.limit.quota.Store(reductions)
	select {
	case <-m.stalled: // of the last Advance
	default:
	}
	m.mu.Lock()
	m.resumed = time.Now()
	m.mu.Unlock()
	m.release()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-m.ended:
	case <-m.stalled:
	case <-timer.C:
	case <-ctx.Done():
	}
	m.hold()
	m.mu.Lock()
	m.ran, m.resumed = m.now(), time.Time{}
	m.mu.Unlock()
	for _, p := range m.pes {
		p.settle(&m.limit)
	}
	select {
	case <-m.ended:
		m.finish()
	default:
	}
	return !m.over
}

// hold stops the PEs, and returns when all have stopped. The trace's clock stands still until release.
func (m *Machine) hold() {
	m.crew.Hold()
	m.paused = time.Now()
}

func (m *Machine) release() {
	m.began = m.began.Add(time.Since(m.paused))
	m.crew.Release()
}

// Stop ends a program that has more to do.
func (m *Machine) Stop(o tracer.Outcome, why error) {
	if m.over {
		return
	}
	m.end(o, why)
	m.release()
	<-m.ended
	m.finish()
}

// panicked ends the run after a panic of a PE.
func (m *Machine) panicked(r any) {
	m.mu.Lock()
	if m.panics == nil {
		m.panics = fmt.Sprintf("%v\n%s", r, debug.Stack())
	}
	m.mu.Unlock()
	m.crew.End()
}

// finish determines how the program has ended, after all PEs have.
func (m *Machine) finish() {
	m.over = true
	if m.panics != nil {
		panic(m.panics)
	}
	if m.cause == tracer.Done && m.err == nil && m.stuck() {
		m.cause, m.err = tracer.Failed, m.deadlock()
	}
	for _, p := range m.pes {
		p.rec.Exit(m.cause)
	}
}

// Err returns the error that ended the program, nil while it can continue and when all goals have reduced.
func (m *Machine) Err() error { return m.err }

// Now returns how long the program has run, without the time between calls of Advance. It may be called at any time.
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

// Reductions returns the number of reductions. While the program runs the number lags behind.
func (m *Machine) Reductions() (n int64) {
	for _, p := range m.pes {
		n += p.shown.Load()
	}
	return n
}

// end ends the run. The first cause counts.
func (m *Machine) end(o tracer.Outcome, err error) {
	m.mu.Lock()
	if m.cause == tracer.Done && m.err == nil {
		m.cause, m.err = o, err
	}
	m.mu.Unlock()
	m.crew.End()
}

// stuck reports whether goals wait forever whose endless wait is a deadlock.
func (m *Machine) stuck() bool {
	if m.losses.Len() > 0 {
		return true
	}
	for _, g := range m.suspended() {
		if !m.rests(g) {
			return true
		}
	}
	return false
}

// boot prepares PE 0 to run the query.
func (m *Machine) boot() error {
	p := m.pes[0]
	words := m.tryWords + slack + m.constants()
	if !p.extend(m, uint64(words), uint64(m.tryRecords)) {
		return m.err
	}
	m.load()
	for range m.query.Registers {
		m.answer = append(m.answer, (*platform)(p).NewVar())
	}
	p.publish() // the constants and the variables of the query belong to all PEs
	p.booting = true
	p.dones = 1 // the query itself is no reduction
	return m.err
}
