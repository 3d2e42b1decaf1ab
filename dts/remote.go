package dts

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"whorl/internal/integer"
	"whorl/tracer"
)

// A Remote moves threads to other hosts. Package dts knows no network; dts/cluster implements one.
type Remote interface {
	// Accept is offered a thread when it is forked, on the goroutine of the forking worker, and should be fast. If it
	// returns true, the Remote calls Done or Return of the call once, from any goroutine, perhaps before Accept
	// returns. If it returns false, the thread stays here.
	Accept(c *Call) bool
}

// An ID identifies a thread of a run. It depends only on the position of the fork in the tree of forks, so a thread
// that is run again has the same ID, and so have the threads that it forks.
type ID [2]uint64

// String returns the ID in hexadecimal.
func (id ID) String() string { return fmt.Sprintf("%016x%016x", id[0], id[1]) }

// rootID is the ID of a main thread.
var rootID = ID{0x6a09e667f3bcc908, 0xbb67ae8584caa73b}

// child returns the ID of the n-th thread that id forks.
func (id ID) child(n uint64) ID {
	return ID{integer.Mix(id[0]^integer.Mix(n+1)) + id[1], integer.Mix(id[1]+0x9e3779b97f4a7c15*(n+1)) ^ id[0]}
}

// A Request describes a thread to another host.
type Request struct {
	ID      ID
	Task    uint64 // id in the trace
	Name    string // registered name of the function
	Arg     []byte // encoded argument; in a Call only after Encode
	From    int32  // number in the trace of the PE that forked it
	Attempt int    // number of the attempt in the trace; 0 for the first
}

// A Reply describes how a thread ended on another host.
type Reply struct {
	Result []byte        // encoded result
	Panic  *PanicError   // nil unless the thread panicked or its host ended
	PE     int32         // number in the trace of the PE where it ended
	Ran    time.Duration // time from start to end, including waits
}

// A Call is a thread offered to a Remote.
type Call struct {
	Request
	Host  string        // host that the program asks for, "" for any
	Takes time.Duration // estimate of Func.Takes; 0 if unknown
	e     *queued
	t     *thread
	over  atomic.Bool
}

// Context returns the context of the run. Once it is cancelled, the result is no longer needed.
func (c *Call) Context() context.Context { return c.e.ctx }

// Done ends the thread with the reply of another host. Only the first call of Done or Return has an effect and
// returns true.
func (c *Call) Done(r Reply) bool {
	if c.over.Swap(true) {
		return false
	}
	t := c.t
	t.failed = r.Panic
	if t.failed == nil {
		if err := t.body.accept(r.Result); err != nil {
			t.failed = &PanicError{Thread: c.Name, Value: fmt.Errorf("dts: cannot decode the result of another host: %w", err)}
		}
	}
	c.e.mu.Lock()
	delete(c.e.calls, c)
	c.e.mu.Unlock()
	t.endedOn = r.PE
	c.e.finish(t)
	return true
}

// Encode encodes the argument. That takes longer than a fork, so a Remote calls it only when it takes the thread. It
// panics if the argument cannot be encoded, which is an error of the program.
func (c *Call) Encode() []byte {
	if c.Arg == nil {
		arg, err := c.t.body.encoded()
		if err != nil {
			panic(fmt.Errorf("dts: cannot encode the argument of %s for another host: %w", c.Name, err))
		}
		c.Arg = arg
	}
	return c.Arg
}

// Return gives the thread back to run on this host.
func (c *Call) Return() bool {
	if c.over.Swap(true) {
		return false
	}
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	delete(c.e.calls, c)
	c.t.far.attempt = c.Attempt
	if c.e.stopping {
		c.e.drop(c.t)
		return true
	}
	c.e.put(int(c.t.from)-c.e.FirstPE, entry{t: c.t})
	return true
}

// Fork is like the function Fork and offers the thread to Options.Remote.
//
//go:noinline
func (f Func[A, R]) Fork(w *Worker, arg A) Handle[R] { return f.forkFrom(w, "", caller(), arg) }

// ForkOn is like Fork and asks for the host with the given name, if there is one.
//
//go:noinline
func (f Func[A, R]) ForkOn(w *Worker, host string, arg A) Handle[R] {
	return f.forkFrom(w, host, caller(), arg)
}

// forkFrom is ForkOn for a call at the program counter site.
func (f Func[A, R]) forkFrom(w *Worker, host string, site uintptr, arg A) Handle[R] {
	if w.sys.Remote == nil {
		h := Fork(w, f.f, arg)
		if site != 0 {
			h.t.site = site // instead of the place above; it is read when this PE sleeps or the run has ended
		}
		return h
	}
	other := &far{name: f.name, host: host}
	if f.takes != nil {
		other.takes = max(1, f.takes(arg))
	}
	return forkOn(w, -1, other, site, f.f, arg)
}

// child returns the state of the next thread that this thread forks.
func (f *far) child(c *far) *far {
	if c == nil {
		c = &far{}
	}
	f.forks++
	c.path = f.path.child(f.forks)
	return c
}

// takeAway offers a thread to the Remote. The thread is enlisted; the lock is not held.
func (e *queued) takeAway(t *thread) bool {
	c := &Call{e: e, t: t, Host: t.far.host, Takes: t.far.takes, Request: Request{ID: t.far.path, Task: t.id, Name: t.far.name, From: t.from}}
	e.mu.Lock()
	e.calls[c] = struct{}{}
	e.mu.Unlock()
	if e.Remote.Accept(c) {
		return true
	}
	if c.over.Swap(true) {
		return true // Done or Return was called, or the run ends
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.calls, c)
	return false
}

// A Host is a live run without a main thread. It runs threads that other hosts have forked.
type Host struct {
	s     *system
	e     *queued
	done  chan struct{}
	err   error // of the run, once done is closed
	close sync.Once
}

// NewHost starts a live run that waits for Do. Options.Funcs contains its functions. The run ends with Close, or at a
// limit; the limit on time counts from now.
func NewHost(ctx context.Context, opts Options) (*Host, error) {
	if opts.Funcs == nil {
		return nil, errors.New("dts: a host needs Options.Funcs")
	}
	opts.Mode, opts.Control = Live, nil // each caller's Control applies on its own host
	s, err := prepare(ctx, opts)
	if err != nil {
		return nil, err
	}
	h := &Host{s: s, e: newQueued(s), done: make(chan struct{})}
	s.engine = h.e
	h.e.open = true
	h.e.alive = 1
	watched := s.watch()
	go func() {
		h.err = h.e.run(nil)
		s.elapsed = time.Since(s.began)
		watched()
		h.exit()
		close(h.done)
	}()
	return h, nil
}

// exit records the end of the host, at its last event. The host does not know how the whole run ends.
func (h *Host) exit() {
	if h.s.book == nil {
		return
	}
	last := int64(0)
	for i := range h.s.workers {
		last = max(last, h.s.workers[i].log.Last())
	}
	outcome := outcomeOf(context.Cause(h.s.ctx))
	if outcome != tracer.Limited {
		outcome = tracer.Done
	}
	h.s.complete(last, outcome)
}

// Context returns the context of the host. It is cancelled when the host was closed, its own context was cancelled, or
// it exceeded a limit; context.Cause returns the reason.
func (h *Host) Context() context.Context { return h.s.ctx }

// Do starts a thread and returns. It calls done once when the thread has ended, on a goroutine of the run. Do returns
// an error if the function does not exist, the argument cannot be decoded, or the host is closed.
func (h *Host) Do(r Request, done func(Reply)) error {
	f, ok := h.s.Funcs.find(r.Name)
	if !ok {
		return fmt.Errorf("dts: unknown function %q", r.Name)
	}
	b, err := f.call(r.Arg)
	if err != nil {
		return fmt.Errorf("dts: function %q: %w", r.Name, err)
	}
	t := b.head()
	t.id, t.code, t.from, t.parent = r.Task, f.code, r.From, r.Task
	timed := &timedBody{body: b}
	t.body = timed
	t.far = &far{path: r.ID, attempt: r.Attempt, over: func() {
		reply := Reply{PE: t.endedOn, Panic: t.failed, Ran: time.Since(timed.began)}
		if t.far.cut {
			reply.Panic = &PanicError{Thread: r.Name, Value: fmt.Errorf("dts: the host ends: %w", context.Cause(h.s.ctx))}
		} else if reply.Panic == nil {
			if reply.Result, err = b.reply(); err != nil {
				reply.Panic = &PanicError{Thread: r.Name, Value: fmt.Errorf("dts: cannot encode the result for another host: %w", err)}
			}
		}
		done(reply)
	}}
	return h.start(t)
}

// start queues a thread.
func (h *Host) start(t *thread) error {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	if cause := context.Cause(h.s.ctx); cause != nil {
		return fmt.Errorf("dts: the host has ended: %w", cause)
	}
	if h.e.stopping || h.e.over {
		return errors.New("dts: the host is closed")
	}
	h.e.alive++
	h.e.put(h.e.emptiest(), entry{t: t})
	return nil
}

// Load returns the number of threads that wait on the PEs of the host, and the number of idle PEs.
func (h *Host) Load() (waiting, idle int) {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	for i := range h.e.pes {
		waiting += len(h.e.pes[i].entries)
	}
	return waiting + len(h.e.middle), h.e.asleep
}

// A timedBody records when its thread began.
type timedBody struct {
	body
	began time.Time
}

func (b *timedBody) run(w *Worker) {
	b.began = time.Now()
	b.body.run(w)
}

// PEs returns the number of PEs.
func (h *Host) PEs() int { return h.s.PEs }

// Now returns the time of the trace, in ns since the host began.
func (h *Host) Now() int64 {
	if b := h.s.book; b != nil {
		return b.Clock.Now()
	}
	return int64(time.Since(h.s.began))
}

// Next returns the number in the trace of the PE that would receive a thread now.
func (h *Host) Next() int32 {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	return int32(h.e.FirstPE + h.e.emptiest())
}

// Close waits for the threads to end and ends the run. Cancelling its context ends it at once. Close returns the cause
// if that is a *LimitError or a *DeadlockError. Further calls return the same error.
func (h *Host) Close() error {
	h.close.Do(func() {
		h.e.mu.Lock()
		if h.e.alive--; h.e.alive == 0 {
			h.e.finished()
		}
		h.e.mu.Unlock()
		<-h.done
		var limit *LimitError
		var dead *DeadlockError
		if cause := context.Cause(h.s.ctx); errors.As(cause, &limit) || errors.As(cause, &dead) {
			h.err = cause
		}
		h.s.cancel(nil)
	})
	return h.err
}

// emptiest returns the PE with the shortest queue.
func (e *queued) emptiest() int {
	best := 0
	for i := range e.pes {
		if q := &e.pes[i]; q.asleep && len(q.entries) == 0 {
			return i
		} else if len(q.entries) < len(e.pes[best].entries) {
			best = i
		}
	}
	return best
}
