// Package exec runs lowered HPF programs on P simulated processors.
//
// The processors run one program. What all of them compute alike (scalars, arrays that are not mapped) is computed once; what they share
// out (elements of mapped arrays, iterations of parallel loops) is done for each owner in turn. Every processor has a clock of its own: each
// instruction of a statement advances the clocks of those that execute it, and messages bring clocks together after the network's costs
// (message.go). Nothing depends on the real order, so that the same program gives the same times and the same trace everywhere.
//
// The program counter of every processor is sampled at a regular interval of its time (sample.go). Code that repeats need not be stepped:
// the instruction that a sample meets follows from the remainder.
package exec

import (
	"fmt"
	"io"
	"iter"
	"time"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/textio"
	"whorl/sim"
	"whorl/tracer"
)

// Options are what a run may be given beyond its program.
type Options struct {
	Network  sim.Network
	Model    sim.Model
	Recorder tracer.Recorder // nil records nothing
	Sample   int64           // ns between two samples of a processor; 0 takes none
	Input    io.Reader       // of READ
	Output   io.Writer       // of PRINT and WRITE
	Limits   Limits
	Live     bool         // processors are goroutines, in real time
	Stops    *Stops       // nil, or before which lines the run stops
	Promises bool         // loops that are said to be INDEPENDENT are watched, and a promise that is broken ends the run
	Check    func() error // nil, or what says at the end of a run without errors what is wrong with what it printed

	apart       bool // in tests: every sample is an event of its own
	leastShared int  // in tests: the elements that are worth the wait for others; 0 is what is worth it
}

// Limits end a run. A limit of 0 is none.
type Limits struct {
	Bytes int64 // of arrays
}

// A Machine is one run of a program.
type Machine struct {
	prog   *lower.Program
	opts   Options
	limits Limits
	procs  []processor
	solo   *processor // the only one, where nothing is executed instruction by instruction
	all    []int32    // ranks
	subset map[subsetKey][]int32
	units  map[*lower.Unit]*code
	common map[*lower.Block][]*array
	saved  map[*lower.Symbol]*array
	plans  map[*lower.Comm]*plan
	used   int64   // bytes
	count  int64   // instructions
	counts []int64 // of a tally
	left   int     // statements until the run stands still
	lines  int     // that were computed in strips
	resume func() (struct{}, bool)
	halt   func()
	yield  func(struct{}) bool
	err    error
	over   bool
	step   func(f *frame, p int32, first, last int, times int64) // in tests: executes instructions one by one
	plain  bool                                                  // nothing is compiled or computed in strips: in tests, and where promises are watched or lines stop the run
	rec    *recording
	io     *textio.Units
	random random
	depth  int
	sent   int64 // messages
	bytes  int64

	began time.Time // of a live run
	asked int64     // when DTIME was called last, ns

	crew    *crew           // of a live run; nil in a simulated one, and for a processor that does its part
	watch   *watch          // that samples a live run, or part; nil where nobody looks
	assists map[*code]*code // the codes of parts, which compile for themselves

	stepping bool       // the run stops before the next statement
	mask     *array     // where what a WHERE evaluates is needed; nil is everywhere
	promises []*promise // of loops that run, nil where they are not watched
}

// A processor is one that runs the program.
type processor struct {
	clock int64 // ps
	next  int64 // ps: the next sample
	wait  int64 // ps: waiting for messages; the rest of the clock it computes
}

// A code is a unit's instructions with the sums of their costs.
type code struct {
	unit   *lower.Unit
	sums   []int64 // of the costs of all before, in instructions
	codes  []uint32
	tables map[[2]int][]uint16 // instructions of patterns, by their offset
	laps   map[string]*laps    // by their patterns
	nests  map[any]*nest       // of statements and expressions that were met; nil for what has no strips

	blocks        map[lower.Stmt]*block // by the first statement
	instructionPs int64
	live          bool

	calls activation    // of the unit
	met   map[any]*call // by the unit
}

// A frame is a call of a unit.
type frame struct {
	*Machine
	unit    *lower.Unit
	code    *code
	vars    []*array                           // by index of symbols
	host    *frame                             // of an internal procedure
	who     []int32                            // the processors that run it
	context uint32                             // calling context of the call
	sites   []uint32                           // contexts of its instructions, that were met
	placed  map[*lower.Symbol]*lower.Placement // what REALIGN and REDISTRIBUTE said
	doing   *lower.Assign                      // the last, of those to mapped arrays, that was begun

	given, values  []*array // arguments, and cells for those that are values
	back           []func() // copy changes of arguments back
	own, arguments int64    // bytes
}

// A runError is an error of the program.
type runError struct {
	at   syntax.Pos
	text string
}

// A limitReached says which limit ended the run.
type limitReached struct{ what string }

func (l *limitReached) Error() string { return "stopped: the limit of " + l.what + " is reached" }

// A RunError is an error of a program while it runs, with its place.
type RunError struct {
	At   syntax.Pos
	Text string
}

// Error returns the place and what happened.
func (e *RunError) Error() string { return e.At.String() + ": " + e.Text }

// A LimitError says that a limit ended the run.
type LimitError struct{ What string }

// Error names the limit.
func (e *LimitError) Error() string { return "stopped: the limit of " + e.What + " is reached" }

// fail ends the run with an error of the program.
func fail(at syntax.Pos, format string, args ...any) {
	panic(&runError{at, fmt.Sprintf(format, args...)})
}

// New returns a machine for a program that was lowered for as many processors as the network has.
func New(prog *lower.Program, opts Options) *Machine {
	m := &Machine{
		prog: prog, opts: opts, limits: opts.Limits, procs: make([]processor, prog.Processors), subset: map[subsetKey][]int32{},
		units: map[*lower.Unit]*code{}, common: map[*lower.Block][]*array{}, saved: map[*lower.Symbol]*array{}, plans: map[*lower.Comm]*plan{}, random: newRandom(1),
	}
	m.all = make([]int32, prog.Processors)
	for i := range m.all {
		m.all[i] = int32(i)
	}
	for _, u := range prog.Units {
		c := &code{unit: u, sums: make([]int64, len(u.Code)+1), nests: map[any]*nest{}, blocks: map[lower.Stmt]*block{}, instructionPs: opts.Model.InstructionPs, live: opts.Live}
		for i, ins := range u.Code {
			c.sums[i+1] = c.sums[i] + int64(ins.Cost)
		}
		m.units[u] = c
	}
	m.plain = opts.Stops != nil
	if opts.Promises {
		m.plain, m.promises = true, []*promise{}
	}
	m.io = textio.NewUnits(opts.Input, opts.Output)
	m.rec = newRecording(m)
	return m
}

// Advance lets the program execute so many statements, and says whether there are more; loops that are computed in strips stand still
// between strips only, and statements in them count by the time that they take. The error is a *RunError of the program, a *LimitError, or
// that of writing the output.
func (m *Machine) Advance(statements int) (more bool, err error) {
	if m.over {
		return false, m.err
	}
	if m.resume == nil {
		m.resume, m.halt = iter.Pull(m.program)
	}
	if m.left = statements; len(m.procs) == 1 && m.step == nil {
		m.solo = &m.procs[0]
	}
	_, more = m.resume()
	m.over = !more
	return more, m.err
}

// Close ends a run that has not ended, with an exit status for its trace.
func (m *Machine) Close(status int64) {
	if m.over {
		return
	}
	m.over = true
	if m.halt != nil {
		m.halt()
	}
	m.rec.end(status)
}

// program runs the program; it stands still in yield.
func (m *Machine) program(yield func(struct{}) bool) {
	m.yield = yield
	if m.opts.Live {
		m.startCrew()
		defer m.endCrew()
	}
	m.rec.begin()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *runError:
			m.err = &RunError{r.at, r.text}
		case *limitReached:
			m.err = &LimitError{r.what}
		case abandoned:
			return
		case stopped:
			m.err = r.err
		default:
			panic(r)
		}
		if failed := m.io.Close(); m.err == nil {
			m.err = failed
		}
		if m.err == nil && m.opts.Check != nil {
			m.err = m.opts.Check()
		}
		status := int64(0)
		if m.err != nil {
			status = 1
		}
		m.rec.end(status)
	}()
	f := m.frame(m.prog.Main, m.all, nil)
	f.locals()
	f.block(m.prog.Main.Body)
}

// abandoned unwinds a run that is closed before its end.
type abandoned struct{}

// Flush writes out what was printed so far, but for a line that has not ended.
func (m *Machine) Flush() {
	m.io.Flush()
}

// frame makes the frame of a call.
func (m *Machine) frame(u *lower.Unit, who []int32, host *frame) *frame {
	return &frame{Machine: m, unit: u, code: m.codeOf(u), vars: make([]*array, len(u.Symbols)), who: who, host: host}
}

// variable finds the storage of a symbol.
func (f *frame) variable(s *lower.Symbol) *array {
	for f.unit != s.Unit {
		f = f.host
	}
	return f.vars[s.Index]
}

// Now is the virtual time of the processor that is ahead of all others, or the time since a live run began, in ns.
func (m *Machine) Now() int64 {
	if m.opts.Live {
		return m.elapsed()
	}
	most := int64(0)
	for i := range m.procs {
		most = max(most, m.procs[i].clock)
	}
	return most / 1000
}

// Totals are sums over the processors.
type Totals struct {
	Instructions, Messages, Bytes int64
	BusyNs, WaitNs                int64
}

// Totals returns what was done so far.
func (m *Machine) Totals() Totals {
	t := Totals{Instructions: m.count, Messages: m.sent, Bytes: m.bytes}
	for i := range m.procs {
		t.BusyNs += (m.procs[i].clock - m.procs[i].wait) / 1000
		t.WaitNs += m.procs[i].wait / 1000
	}
	return t
}

// tick lets the run stand still before a statement.
func (m *Machine) tick() {
	if m.left--; m.left < 0 {
		m.stand()
	}
}

// stand lets the run stand still before a statement, which is the first that it may execute then.
//
//go:noinline
func (m *Machine) stand() {
	if m.watch != nil {
		m.watch.goes(m.watch.at)
		defer m.watch.pass()
	}
	if !m.yield(struct{}{}) {
		panic(abandoned{})
	}
	m.left--
}
