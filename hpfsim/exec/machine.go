package exec

import (
	"fmt"
	"io"
	"iter"
	"time"

	"whorl/hpfsim/charge"
	"whorl/hpfsim/folder"
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/hpfsim/unit"
	"whorl/hpfsim/wasm"
	"whorl/sim"
	"whorl/tracer"
)

// Options control a run.
type Options struct {
	Network  sim.Network
	Model    sim.Model
	Recorder tracer.Recorder // nil records nothing
	Sample   int64           // ns between two samples of a processor; 0 takes none
	Input    io.Reader       // of READ
	Output   io.Writer       // of PRINT and WRITE
	Errors   io.Writer       // of unit 0; nil is Output
	Folder   folder.Folder   // files of the program; nil is a folder in memory
	Limits   Limits
	Live     bool                           // processors are goroutines, in real time
	Stops    *Stops                         // lines that the run stops before; nil for none
	Promises bool                           // checks INDEPENDENT loops; one that is not independent ends the run
	Costs    func(x *lower.Instruction) int // cost of an instruction; nil for its own
	Check    func() error                   // checks the output after a run without errors; nil for none

	apart       bool // in tests: every sample is an event of its own
	stepwise    bool // in tests: instructions are executed one by one
	leastShared int  // in tests: replaces the constant leastShared; 0 does not
	eager       bool // in tests: DO loops run as generated code from their first iteration, not as nests
	early       bool // in tests: loops and procedures are translated after two iterations or calls
}

// Limits end a run. A limit of 0 is none.
type Limits struct {
	Bytes int64 // of arrays
}

// A Machine is one run of a program.
type Machine struct {
	prog    *lower.Program
	opts    Options
	limits  Limits
	clocks  *charge.Clocks
	solo    *charge.Processor // the only processor, where instructions may be skipped
	ranks   []int32
	sets    map[string][]int32 // the processors of each ON, by their numbers
	subsets map[subsetKey][]int32
	units   map[*lower.Unit]*code
	common  map[*lower.Block][]*array
	modules []*frame           // by their place in the program's modules
	owned   map[int32]*storage // of HPF_LOCAL subroutines, by processor
	saved   map[*lower.Symbol]*array
	pools   map[*lower.Pool]*pool
	plans   map[*lower.Comm]*plan
	used    int64 // bytes of variables and values
	lasting int64 // bytes of allocated variables
	left    int   // statements until the run pauses
	passed  int   // elements that were computed since the last check for a pause
	lines   int   // lines of elements that nests have computed
	resume  func() (struct{}, bool)
	halt    func()
	yield   func(struct{}) bool
	err     error
	over    bool
	plain   bool // nothing is compiled, and there are no nests: in tests, and with Promises or Stops
	io      *unit.Table
	in      *inlet // of io; nil for none
	out     []*outlet
	closing bool // the program has ended, and its output is written
	amid    bool // the run has paused within input or output
	gone    bool // nobody waits for the output any more
	random  random
	depth   int
	memory  *wasm.Memory // of generated code; nil where there is none

	leastGenerated int // iterations of a nest that runs as generated code

	began time.Time // of a live run
	asked int64     // time of the last call of DTIME, ns

	crew    *crew           // of a live run; nil in a simulated one, and in the machine of a crew member
	watch   *charge.Watch   // samples a live run, or a part; nil where there are no samples
	assists map[*code]*code // the codes of a crew member, which compiles for itself

	stepping bool       // the run stops before the next statement
	mask     *array     // where the values of a WHERE are needed; nil for everywhere
	promises []*promise // of the loops that run; nil without Promises
}

// A code is a unit's instructions and its compiled statements.
type code struct {
	*charge.Code
	unit  *lower.Unit
	nests map[any]*nest // by statement or expression; nil for those that are none

	blocks        map[lower.Stmt]*block // by the first statement
	loops         map[*lower.Do]*doCode
	instructionPs int64
	live          bool

	calls activation    // of the unit
	met   map[any]*call // calls by the unit
}

// A frame is a call of a unit.
//
// It is one type because its methods, the evaluators of statements and expressions, all work on the state of that call.
type frame struct {
	*Machine
	unit    *lower.Unit
	code    *code
	vars    []*array // by index of symbols
	host    *frame   // of an internal procedure or a procedure of a module
	who     []int32  // the processors that run it
	limited bool     // they are those of an ON, which compute the elements of others too
	context charge.Call
	placed  map[*lower.Symbol]*lower.Placement // by REALIGN and REDISTRIBUTE
	doing   *lower.Assign                      // the latest assignment to a mapped array

	given, values  []*array // arguments, and memory for those that are values
	back           []func() // copy changes of arguments back after the call
	own, arguments int64    // bytes
	outLength      int      // of the value of a function CHARACTER*(*), which the caller declares
}

// A RunError is an error of a running program with its position.
type RunError struct {
	Pos  syntax.Pos
	Text string
}

// Error returns the position and the message.
func (e *RunError) Error() string { return e.Pos.String() + ": " + e.Text }

// A LimitError reports that a limit ended the run.
type LimitError struct{ What string }

// Error names the limit.
func (e *LimitError) Error() string { return "stopped: the limit of " + e.What + " is reached" }

// fail ends the run with an error of the program.
func fail(pos syntax.Pos, format string, args ...any) {
	panic(&RunError{pos, fmt.Sprintf(format, args...)})
}

// New returns a machine for a program. The network must have as many processors as the program was lowered for.
func New(prog *lower.Program, opts Options) *Machine {
	m := &Machine{
		prog: prog, opts: opts, limits: opts.Limits, subsets: map[subsetKey][]int32{},
		units: map[*lower.Unit]*code{}, common: map[*lower.Block][]*array{}, saved: map[*lower.Symbol]*array{}, pools: map[*lower.Pool]*pool{}, plans: map[*lower.Comm]*plan{}, random: newRandom(1),
	}
	m.ranks = make([]int32, prog.Processors)
	for i := range m.ranks {
		m.ranks[i] = int32(i)
	}
	for _, u := range prog.Units {
		m.units[u] = newCode(u, opts)
	}
	m.plain = opts.Stops != nil
	if opts.Promises && prog.Doubtful() {
		m.plain, m.promises = true, []*promise{}
	}
	if !m.plain && !opts.stepwise {
		m.memory, _ = wasm.NewMemory() // without it, loops are evaluated
		m.leastGenerated = leastGenerated
	}
	m.io = m.newUnits()
	o := charge.Options{Network: opts.Network, Model: opts.Model, Recorder: opts.Recorder, Sample: opts.Sample, Apart: opts.apart, Stepwise: opts.stepwise}
	if opts.Live {
		o.Live = func() int64 { return int64(time.Since(m.began)) }
	}
	m.clocks = charge.New(prog.Processors, o)
	m.solo = m.clocks.Solo()
	return m
}

// Advance executes a number of statements, and reports whether the program continues. Nests pause only between chunks
// of iterations, and their statements count by the time that they take. The error is a *RunError,
// a *LimitError, or an error of writing the output.
func (m *Machine) Advance(statements int) (more bool, err error) {
	if m.over {
		return false, m.err
	}
	if m.resume == nil {
		m.resume, m.halt = iter.Pull(m.program)
	}
	m.left = statements
	_, more = m.resume()
	m.over = !more
	return more, m.err
}

// Close ends a run before its end, with an exit status for its trace.
func (m *Machine) Close(status int64) {
	if m.over {
		return
	}
	m.over = true
	if m.halt != nil {
		m.halt()
	}
	m.clocks.End(status)
}

// program runs the program. It pauses in yield.
func (m *Machine) program(yield func(struct{}) bool) {
	m.yield = yield
	if m.opts.Live {
		m.startCrew()
		defer m.endCrew()
	}
	var codes []*charge.Code
	for _, u := range m.prog.Units {
		if u.Kind.Executable() {
			codes = append(codes, m.units[u].Code)
		}
	}
	m.clocks.Begin(codes)
	defer func() {
		r := recover()
		m.closing = true
		if m.memory != nil {
			m.memory.Close()
		}
		switch r := r.(type) {
		case nil:
		case *RunError:
			m.err = r
		case *LimitError:
			m.err = r
		case abandoned:
			m.gone = true
			_ = m.closeUnits() // nobody waits for the error
			return
		case stopped:
			m.err = r.err
		default:
			panic(r)
		}
		if failed := m.closeUnits(); m.err == nil {
			m.err = failed
		}
		if m.gone { // closed while its output was written
			m.err = nil
			return
		}
		if m.err == nil && m.opts.Check != nil {
			m.err = m.opts.Check()
		}
		status := int64(0)
		if m.err != nil {
			status = 1
		}
		m.clocks.End(status)
	}()
	for _, u := range m.prog.Modules {
		g := m.frame(u, m.ranks, nil)
		m.modules = append(m.modules, g)
		g.keep()
		g.locals()
	}
	f := m.frame(m.prog.Main, m.ranks, nil)
	f.keep()
	f.locals()
	f.block(m.prog.Main.Body)
}

// abandoned unwinds a run that is closed before its end.
type abandoned struct{}

// frame makes the frame of a call.
func (m *Machine) frame(u *lower.Unit, who []int32, host *frame) *frame {
	c := m.codeOf(u)
	return &frame{Machine: m, unit: u, code: c, context: charge.Call{Code: c.Code}, vars: make([]*array, len(u.Symbols)), who: who, host: host}
}

// variable returns the storage of a symbol.
func (f *frame) variable(s *lower.Symbol) *array {
	if s.Slot != nil {
		return f.slot(s)
	}
	for f.unit != s.Unit {
		if f.host == nil {
			return f.modules[s.Unit.Module].vars[s.Index]
		}
		f = f.host
	}
	return f.vars[s.Index]
}

// within returns the frame of a unit, which is the frame itself, one of its hosts, or the frame of a module.
func (f *frame) within(u *lower.Unit) *frame {
	for g := f; g != nil; g = g.host {
		if g.unit == u {
			return g
		}
	}
	return f.modules[u.Module]
}

// Now returns the virtual time of the processor that is ahead of all others, or the time since a live run began, in ns.
func (m *Machine) Now() int64 {
	if m.opts.Live {
		return m.elapsed()
	}
	return m.clocks.Latest()
}

// Totals returns the counts so far, summed over the processors.
func (m *Machine) Totals() charge.Totals { return m.clocks.Totals() }

// tick counts a statement and lets the run pause before it.
func (m *Machine) tick() {
	if m.left--; m.left < 0 {
		m.stand()
	}
}

// stand pauses the run before a statement, which is the first to be executed after the pause.
//
//go:noinline
func (m *Machine) stand() {
	if m.watch != nil {
		m.watch.Move(m.watch.Site())
		defer m.watch.Pass()
	}
	if !m.yield(struct{}{}) {
		panic(abandoned{})
	}
	m.left--
}

// elementsBetween is the number of elements between the places where a statement on arrays lets the run pause.
const elementsBetween = 1 << 14

// pace counts elements that a statement has computed, and lets the run pause now and then.
func (m *Machine) pace(elements int) {
	if m.passed += elements; m.passed < elementsBetween {
		return
	}
	m.left -= m.passed/chunkSpeed + 1
	m.passed = 0
	if m.left < 0 {
		m.stand()
	}
}

// each calls visit with the place of every element of an array. The run may pause in between.
func (m *Machine) each(a *array, visit func(at int)) {
	a.eachElement(func(at int) {
		visit(at)
		m.pace(1)
	})
}
