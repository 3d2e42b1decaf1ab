package dts

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// A Remote takes threads away to other hosts. This package knows nothing of networks: dts/cluster has one.
type Remote interface {
	// Take is offered a thread when it is forked, on the goroutine of the worker that forks it, and should not take long. True means that
	// the Remote has it, and will call Done or Return of the call, once, from any goroutine and perhaps before Take has returned. False
	// leaves the thread here.
	Take(c *Call) bool
}

// An ID names a thread of a run. It follows from the position of the thread's fork in the tree of forks alone, so that a thread that is
// carried out again has the same one, and so have all that it forks.
type ID [2]uint64

// String returns the ID in hexadecimal.
func (id ID) String() string { return fmt.Sprintf("%016x%016x", id[0], id[1]) }

// RootID is the ID of a main thread.
var rootID = ID{0x6a09e667f3bcc908, 0xbb67ae8584caa73b}

// child is the ID of the n-th thread that id forks.
func (id ID) child(n uint64) ID {
	return ID{mix(id[0]^mix(n+1)) + id[1], mix(id[1]+0x9e3779b97f4a7c15*(n+1)) ^ id[0]}
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A Request is a thread as one host describes it to another.
type Request struct {
	ID      ID
	Task    uint64 // its id in the trace
	Name    string // of the function, as it was registered
	Arg     []byte // encoded; of a Call once Encode has been called
	From    int32  // the PE that forked it, as the trace counts
	Attempt int    // which one this is, as the trace counts, from 1; 0 is the first
}

// A Reply is how a thread ended elsewhere.
type Reply struct {
	Result []byte        // encoded
	Panic  *PanicError   // nil unless it panicked, or was cut off with its host
	PE     int32         // where it ended, as the trace counts
	Ran    time.Duration // since it began, with what it waited for
}

// A Call is a thread that a Remote is offered.
type Call struct {
	Request
	Host  string        // the one that the program wants, "" for any
	Takes time.Duration // as Func.Takes has it; 0 where that is not known
	e     *queued
	t     *thread
	over  atomic.Bool
}

// Context is that of the run: when it is cancelled nobody needs the thread any more.
func (c *Call) Context() context.Context { return c.e.ctx }

// Done ends the thread with what another host has computed. The first call of Done or Return counts, and returns true.
func (c *Call) Done(r Reply) bool {
	if c.over.Swap(true) {
		return false
	}
	t := c.t
	t.failed = r.Panic
	if t.failed == nil {
		if err := t.body.accept(r.Result); err != nil {
			t.failed = &PanicError{Thread: c.Name, Value: fmt.Errorf("dts: the result of another host cannot be read: %w", err)}
		}
	}
	c.e.mu.Lock()
	delete(c.e.away, c)
	c.e.mu.Unlock()
	t.endedOn = r.PE
	c.e.finish(t)
	return true
}

// Encode encodes the argument, which takes longer than a fork, and so is left to a Remote that means to take the thread. It panics where the
// argument cannot be encoded, since that is a fault of the program.
func (c *Call) Encode() []byte {
	if c.Arg == nil {
		arg, err := c.t.body.encoded()
		if err != nil {
			panic(fmt.Errorf("dts: the argument of %s cannot go to another host: %w", c.Name, err))
		}
		c.Arg = arg
	}
	return c.Arg
}

// Return gives the thread back: it is carried out here after all.
func (c *Call) Return() bool {
	if c.over.Swap(true) {
		return false
	}
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	delete(c.e.away, c)
	c.t.far.attempt = c.Attempt
	if c.e.stopping {
		c.e.drop(c.t)
		return true
	}
	c.e.put(int(c.t.from)-c.e.FirstPE, entry{t: c.t})
	return true
}

// Fork is like the function Fork, and lets Options.Remote take the thread to another host.
func (f Func[A, R]) Fork(w *Worker, arg A) Handle[R] { return f.ForkOn(w, "", arg) }

// ForkOn is Fork with the wish that the thread run on the host of that name, where there is one.
func (f Func[A, R]) ForkOn(w *Worker, host string, arg A) Handle[R] {
	if w.sys.Remote == nil {
		return Fork(w, f.f, arg)
	}
	other := &far{name: f.name, host: host}
	if f.takes != nil {
		other.takes = max(1, f.takes(arg))
	}
	return forkOn(w, -1, other, caller(), f.f, arg)
}

// child is what is known of the next thread that this one forks.
func (f *far) child(c *far) *far {
	if c == nil {
		c = &far{}
	}
	f.forks++
	c.path = f.path.child(f.forks)
	return c
}

// takeAway offers a thread to the Remote. The lock is not held, but the thread is counted.
func (e *queued) takeAway(t *thread) bool {
	c := &Call{e: e, t: t, Host: t.far.host, Takes: t.far.takes, Request: Request{ID: t.far.path, Task: t.id, Name: t.far.name, From: t.from}}
	e.mu.Lock()
	e.away[c] = struct{}{}
	e.mu.Unlock()
	if e.Remote.Take(c) {
		return true
	}
	if c.over.Swap(true) {
		return true // it has been called back, or the run is to end
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.away, c)
	return false
}

// A Host is a live run without a main thread, which carries out threads that other hosts have forked.
type Host struct {
	s    *system
	e    *queued
	done chan error
}

// NewHost begins a run that waits for Do. Options.Funcs has the functions; the mode is Live. It ends with Close, or at one of its limits, of which
// that of time counts from now.
func NewHost(ctx context.Context, opts Options) (*Host, error) {
	if opts.Funcs == nil {
		return nil, errors.New("dts: a host needs Options.Funcs")
	}
	opts.Mode, opts.Control = Live, nil // it goes on as its callers do
	s, err := prepare(ctx, opts)
	if err != nil {
		return nil, err
	}
	h := &Host{s: s, e: newQueued(s), done: make(chan error, 1)}
	s.engine = h.e
	h.e.open = true
	h.e.under = 1
	watched := s.watch()
	go func() {
		err := h.e.run(nil)
		watched()
		h.done <- err
	}()
	return h, nil
}

// Context is over when the host is: when it has been closed, its context was cancelled, or it has met a limit, as context.Cause says.
func (h *Host) Context() context.Context { return h.s.ctx }

// Do has a thread carried out and returns. When it has ended, done is called once, on a goroutine of the run. The error says that there is no
// such function, that the argument cannot be read, or that the host is closed.
func (h *Host) Do(r Request, done func(Reply)) error {
	h.s.Funcs.mu.RLock()
	find := h.s.Funcs.funcs[r.Name]
	h.s.Funcs.mu.RUnlock()
	if find == nil {
		return fmt.Errorf("dts: no function is registered as %q", r.Name)
	}
	b, code, err := find(r.Arg)
	if err != nil {
		return fmt.Errorf("dts: the argument of %q cannot be read: %w", r.Name, err)
	}
	t := b.head()
	t.id, t.code, t.from, t.parent = r.Task, code, r.From, r.Task
	timed := &timedBody{body: b}
	t.body = timed
	t.far = &far{path: r.ID, attempt: r.Attempt, over: func() {
		reply := Reply{PE: t.endedOn, Panic: t.failed, Ran: time.Since(timed.began)}
		if t.far.cut {
			reply.Panic = &PanicError{Thread: r.Name, Value: fmt.Errorf("dts: the host ends: %w", context.Cause(h.s.ctx))}
		} else if reply.Panic == nil {
			if reply.Result, err = b.reply(); err != nil {
				reply.Panic = &PanicError{Thread: r.Name, Value: fmt.Errorf("dts: the result cannot go to another host: %w", err)}
			}
		}
		done(reply)
	}}
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	if cause := context.Cause(h.s.ctx); cause != nil {
		return fmt.Errorf("dts: the host has ended: %w", cause)
	}
	if h.e.stopping || h.e.over {
		return errors.New("dts: the host is closed")
	}
	h.e.under++
	h.e.put(h.e.emptiest(), entry{t: t})
	return nil
}

// Load is the number of threads that wait on the PEs of the host, and of PEs that have nothing to do.
func (h *Host) Load() (waiting, idle int) {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	for i := range h.e.pes {
		waiting += len(h.e.pes[i].entries)
	}
	return waiting + len(h.e.middle), h.e.asleep
}

// A timedBody knows when it began.
type timedBody struct {
	body
	began time.Time
}

func (b *timedBody) run(w *Worker) {
	b.began = time.Now()
	b.body.run(w)
}

// PEs is the number of PEs.
func (h *Host) PEs() int { return h.s.PEs }

// Now is the time of the trace, in ns since the host began.
func (h *Host) Now() int64 {
	if b := h.s.book; b != nil {
		return b.clock.now()
	}
	return int64(time.Since(h.s.began))
}

// Next is the PE, as the trace counts, on which a thread that came now would wait.
func (h *Host) Next() int32 {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	return int32(h.e.FirstPE + h.e.emptiest())
}

// Close waits for the threads that are under way and ends the run. To end it at once, cancel its context. A *LimitError says which limit has
// ended it before.
func (h *Host) Close() error {
	h.e.mu.Lock()
	if h.e.under--; h.e.under == 0 {
		h.e.finished()
	}
	h.e.mu.Unlock()
	err := <-h.done
	var limit *LimitError
	if errors.As(context.Cause(h.s.ctx), &limit) {
		err = limit
	}
	h.s.cancel(nil)
	return err
}

// emptiest is the PE with the shortest queue.
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
