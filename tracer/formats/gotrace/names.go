package gotrace

import (
	"path"
	"slices"
	"strings"

	"whorl/tracer"
)

// about holds the facts about a goroutine that follow from the functions of its stack.
type about struct {
	library bool   // it is of a package that synchronises goroutines for the program
	wraps   bool   // it runs a function that its caller passes
	writes  bool   // it sends on a network, connects or closes a connection
	waits   string // the reason of its wait, "" if the function does not determine one
	records bool   // it is the request that records the trace
	running string // the work of the runtime that it does: the reason of Overhead; "" for a function of the program
}

// wrappers begin the names of functions that run a function which their caller passes. A goroutine is known by the function that it runs.
var wrappers = []string{
	"runtime.main", "runtime.corostart", "iter.Pull", "sync.(*WaitGroup).", "golang.org/x/sync/errgroup.", "golang.org/x/sync/singleflight.",
	"github.com/sourcegraph/conc", "whorl/observe.", "testing.tRunner", "testing.(*B).",
}

// writers begin the names of functions after which the other end of a connection can continue.
var writers = []string{
	"internal/poll.(*FD).Write", "internal/poll.(*FD).Sendmsg", "internal/poll.(*FD).Connect", "internal/poll.(*FD).destroy", "internal/poll.(*FD).Shutdown",
	"internal/poll.SendFile", "internal/poll.Splice", "net.(*netFD).connect", "net.(*netFD).Write",
}

// collectors and tracers are the functions of goroutines that collect garbage, and of those that record the trace.
var (
	collectors = []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime.forcegchelper"}
	tracers    = []string{"runtime/trace.", "runtime.traceStartReadCPU", "runtime.(*traceAdvancerState)", "runtime/trace/internal"}
)

// waitsFor holds the reasons of waits by function, for waits to which the runtime gives the same reason.
var waitsFor = []struct{ function, reason string }{
	{"sync.(*Mutex).", "mutex"},
	{"sync.(*RWMutex).", "read-write lock"},
	{"sync.(*WaitGroup).Wait", "wait group"},
	{"sync.(*Cond).", "condition"},
	{"sync.(*Once).", "once"},
	{"internal/poll.(*pollDesc).", "network"},
	{"internal/poll.setDeadlineImpl", "network"},
	{"time.Sleep", "sleep"},
	{"runtime.gcMarkDone", "gc end"},
	{"runtime.gcStart", "gc end"},
	{"runtime.GC", "gc end"},
	{"runtime.stopTheWorld", tracer.ReasonStopped},
	{"internal/poll.(*fdMutex).", "file"},
	{"internal/poll.runtime_Semacquire", "file"},
}

// libraries begin the names of functions that synchronise goroutines for others.
var libraries = []string{"runtime.", "sync.", "internal/", "time.", "syscall."}

// aboutFunction returns the facts that follow from the name of a function.
func aboutFunction(name string) (a about) {
	begins := func(with string) bool { return strings.HasPrefix(name, with) }
	a.library = slices.ContainsFunc(libraries, begins)
	a.wraps = slices.ContainsFunc(wrappers, begins)
	a.writes = slices.ContainsFunc(writers, begins)
	a.records = name == "net/http/pprof.Trace"
	for _, w := range waitsFor {
		if begins(w.function) {
			a.waits = w.reason
			break
		}
	}
	switch {
	case slices.ContainsFunc(collectors, begins):
		a.running = tracer.ReasonGC
	case slices.ContainsFunc(tracers, begins):
		a.running = tracer.ReasonTracing
	}
	return a
}

// learn collects the facts about a stack from its frames in r.frames.
func (s *stack) learn(r *reader) {
	inner := true // no function of the program so far
	for i := range r.frames {
		f := r.frames[i].fn
		s.writes, s.records = s.writes || f.writes, s.records || f.records
		if inner = inner && f.library; inner && f.waits != "" && (s.waits == "" || s.waits == "mutex") { // a condition uses a mutex
			s.waits = f.waits
		}
	}
	if s.waits != "" {
		s.reason = r.w.Reason(s.waits)
	}
	if len(r.frames) == 0 || s.frames == mostFrames { // its outermost frames are lost
		return
	}
	outer := len(r.frames) - 1
	for s.root = r.frames[outer].function; outer >= 0; outer-- {
		if f := &r.frames[outer]; !f.fn.wraps {
			s.root = f.function
			break
		}
	}
	s.wrapped = outer < 0
	if r.frames[len(r.frames)-1].fn.name == "testing.tRunner" && !s.wrapped && r.program == "" {
		r.program = testOf(r.functions[s.root].name)
	}
}

// testOf returns the name of the program that go test builds of the package of a function: hashtable.test for whorl/internal/hashtable.TestTable.
func testOf(function string) string {
	name, _, _ := strings.Cut(path.Base(function), ".")
	return strings.TrimSuffix(name, "_test") + ".test"
}

// Reasons for waits that the runtime does not name.
const (
	whyCall      = tracer.ReasonSystemCall
	whyCoroutine = "coroutine"
	whyUnknown   = "unknown"
	whyNetwork   = "network"
	whySleep     = "sleep"
	whySync      = "sync"
)

// reasons are the runtime's reasons for waits that have other names in the trace.
var reasons = map[string]string{
	"":                             whyUnknown,
	"unspecified":                  whyUnknown,
	"chan send":                    "channel send",
	"chan receive":                 "channel receive",
	"sync.(*Cond).Wait":            "condition",
	whySync:                        "lock",
	"GC mark assist wait for work": "gc assist",
	"GC background sweeper wait":   "gc sweeper",
	"GC weak to strong wait":       "gc weak pointer",
	"wait until GC ends":           "gc end",
	"system goroutine wait":        "runtime",
	"wait for debug call":          "debugger",
}

// reason returns the code of the reason of a wait, which a string names, and the runtime's name of it.
func (r *reader) reason(id uint64, s *stack) (code uint32, why string) {
	t := r.text(id)
	if t.reason == 0 {
		t.why = string(t.raw)
		name, ok := reasons[t.why]
		if !ok {
			name = t.why
		}
		t.reason = r.w.Reason(name)
	}
	if t.why == whySync && s != nil && s.waits != "" {
		return s.reason, t.why
	}
	if s != nil && s.records {
		return r.w.Reason(tracer.ReasonTracing), t.why
	}
	return t.reason, t.why
}

// ends reports whether the stack is of a call that ends a wait, such as the close of a connection.
func (s *stack) ends(why string) bool { return s != nil && s.waits == why }
