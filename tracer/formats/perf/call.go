package perf

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats/tracks"
)

// A call is a line of perf trace:
//
//	1.338 ( 0.021 ms): worker/15319 futex(uaddr: 0x55feefa45108, op: WAIT|PRIVATE_FLAG) = 0
//
// A line that other threads interrupt is in two parts: the first ends with dots and has no duration, the second has no arguments.
type call struct {
	time      int64 // ns; -1 for unknown
	duration  int64 // ns; -1 for unknown
	comm      string
	tid       int64 // -1 for unknown: there is one thread
	name      string
	args      string
	result    string
	first     bool // part
	continued bool // second part
}

// parseCall parses a line of perf trace.
func parseCall(line string) (c call, ok bool) {
	w := next(line, 0)
	if w.from == w.to || line[w.from] != '?' && (line[w.from] < '0' || line[w.from] > '9') {
		return c, false
	}
	c.time, c.tid = -1, -1
	if s := line[w.from:w.to]; s != "?" {
		if c.time, ok = milliseconds(s); !ok {
			return c, false
		}
	}
	span, rest, ok := strings.Cut(line[w.to:], "): ")
	span, isOpen := strings.CutPrefix(strings.TrimSpace(span), "(")
	if !ok || !isOpen {
		return c, false
	}
	c.duration = -1
	if span = strings.TrimSpace(span); span != "" {
		number, is := strings.CutSuffix(span, " ms")
		if c.duration, ok = milliseconds(strings.TrimSpace(number)); !is || !ok {
			return c, false
		}
	}
	rest = strings.TrimSpace(c.thread(rest))
	if more, is := strings.CutPrefix(rest, "... [continued]: "); is {
		c.continued, rest = true, more
	}
	name, args, is := strings.Cut(rest, "(")
	if !is || name == "" || strings.ContainsAny(name, " =") {
		return c, false
	}
	c.name, c.args = name, args
	if before, after, is := cutLast(args, ") = "); is {
		c.args, c.result = before, after
	} else if before, after, is := cutLast(args, " = "); is {
		c.args, c.result = strings.TrimSuffix(strings.TrimSpace(before), ")"), after
	} else {
		c.first = strings.HasSuffix(args, "...")
	}
	return c, true
}

// thread finds comm/tid at the beginning of s and returns the rest, or all of s if it is not there.
func (c *call) thread(s string) (rest string) {
	for at := range len(s) {
		switch {
		case s[at] == '(':
			return s
		case s[at] == '/':
			if tid, ok := number(s[at+1:]); ok {
				c.comm, c.tid = strings.TrimSpace(s[:at]), tid
				return strings.TrimLeft(s[at+1:], "0123456789")
			}
		}
	}
	return s
}

// milliseconds parses a time in ms with three digits after the point, and returns it in ns.
func milliseconds(s string) (int64, bool) {
	whole, part, ok := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 44) // 272 years
	if !ok || err != nil || n < 0 || len(part) > 6 || !digits(part) {
		return 0, false
	}
	m, _ := strconv.ParseInt((part + "000000")[:6], 10, 64)
	return n*1e6 + m, true
}

// calls holds the state of a file of perf trace.
type calls struct {
	threads map[int64]*caller
	now     int64 // end of the line before
	asleep  []sleeper
	alarms  []alarm
}

// A caller is a thread of perf trace. It has a PE of its own, because the CPUs are not in the file.
type caller struct {
	*thread
	lane   tracks.ID
	open   call // first part of a call, without a name for none
	begun  bool
	exited bool
}

// A sleeper is a wait for a futex, and an alarm a call that wakes threads that wait for one.
type sleeper struct {
	from, to int64
	address  string
	thread   *caller
	reason   string
	name     tracks.Text
}

type alarm struct {
	time    int64
	address string
	by      tracks.ID
}

// Lengths of system calls in ns from which on a thread waits in them.
const (
	waitsFrom     = 20_000  // in those that are made for waiting
	transfersFrom = 100_000 // in those that read and write
)

var waitingCalls = map[string]bool{
	"futex": true, "futex_waitv": true, "poll": true, "ppoll": true, "select": true, "pselect6": true, "epoll_wait": true, "epoll_pwait": true, "epoll_pwait2": true,
	"nanosleep": true, "clock_nanosleep": true, "wait4": true, "waitid": true, "pause": true, "rt_sigsuspend": true, "rt_sigtimedwait": true, "io_getevents": true,
	"io_pgetevents": true, "msgrcv": true, "semop": true, "semtimedop": true, "mq_timedreceive": true, "accept": true, "accept4": true, "connect": true,
	"flock": true, "vfork": true, "restart_syscall": true,
}

var transfers = map[string]bool{
	"read": true, "pread64": true, "readv": true, "preadv": true, "preadv2": true, "write": true, "pwrite64": true, "writev": true, "pwritev": true, "pwritev2": true,
	"recvfrom": true, "recvmsg": true, "recvmmsg": true, "sendto": true, "sendmsg": true, "sendmmsg": true, "fsync": true, "fdatasync": true, "sync": true,
	"msync": true, "syncfs": true, "sendfile": true, "splice": true, "io_uring_enter": true, "getrandom": true, "fcntl": true,
}

// blocks reports whether a thread waits in a call.
func (c *call) blocks() bool {
	switch {
	case c.name == "futex" && !strings.Contains(c.args, "WAIT") && !strings.Contains(c.args, "LOCK_PI") && c.args != "":
		return false
	case waitingCalls[c.name]:
		return c.duration < 0 || c.duration >= waitsFrom
	}
	return transfers[c.name] && (c.duration < 0 || c.duration >= transfersFrom)
}

// called handles a line of perf trace.
func (f *file) called(c *call) {
	if strings.Contains(c.name, ":") || strings.Contains(c.name, "fault") {
		f.w.Dropped.Add("events of perf trace other than system calls", 1)
		return
	}
	out := f.begin()
	t := f.caller(c)
	known := c.time >= 0
	switch {
	case known && c.duration >= 0:
		f.sched.calls.now = c.time + c.duration
	case known:
		f.sched.calls.now = max(f.sched.calls.now, c.time)
	default:
		c.time = f.sched.calls.now
	}
	at := f.sinceFirst(c.time)
	if !t.begun {
		t.begun = true
		out.Switch(t.lane, at, 0, tracks.Off{}, t.id)
	}
	switch {
	case t.exited:
		return
	case c.continued:
		if t.open.name == c.name {
			c.args = t.open.args
		}
		t.open = call{}
		if !known || c.duration < 0 {
			return
		}
	case c.result == "?" || strings.HasPrefix(c.name, "exit"):
		t.exited = true
		out.Switch(t.lane, at, t.id, tracks.Off{State: tracks.Dead}, 0)
		return
	case c.first || c.duration < 0:
		t.open = *c
		return
	}
	f.creates(c, t, at)
	f.spend(c, t, at)
}

// caller returns the thread of a call.
func (f *file) caller(c *call) *caller {
	s := &f.sched.calls
	if s.threads == nil {
		s.threads = map[int64]*caller{}
	}
	tid := max(c.tid, 1)
	t := s.threads[tid]
	if t != nil && t.exited && c.continued && c.time < 0 { // the number is used again
		t = nil
		delete(f.sched.threads, tid)
	}
	out := f.sched.all.out
	if t == nil {
		t = &caller{thread: f.thread(tid, "", -1), lane: out.Track(tracks.CPU, f.sched.process, strconv.FormatInt(tid, 10))}
		out.Alone(t.lane)
		s.threads[tid] = t
	}
	if c.comm != "" && c.comm != t.comm {
		f.thread(tid, c.comm, -1)
		if c.comm[0] != ':' {
			out.NameTrack(t.lane, c.comm+" "+strconv.FormatInt(tid, 10))
		}
	}
	return t
}

// creates records that a call creates a thread.
func (f *file) creates(c *call, t *caller, at int64) {
	if name := c.name; name != "clone" && name != "clone3" && name != "fork" && name != "vfork" {
		return
	}
	if tid, ok := number(c.result); ok && tid > 0 {
		out := f.sched.all.out
		child := f.caller(&call{tid: tid})
		out.Create(t.lane, at, tracks.Cause{By: t.id}, child.id)
	}
}

// spend records a call with its duration.
func (f *file) spend(c *call, t *caller, at int64) {
	out, s := f.sched.all.out, &f.sched.calls
	name := out.Text(out.String([]byte("system call")), out.String([]byte(c.name)))
	end := f.sinceFirst(c.time + c.duration)
	out.Complete(t.id, at, end-at, name, tracks.NoClock, -1, 0)
	_, address, _ := strings.Cut(c.args, "uaddr: ")
	address, _, _ = strings.Cut(address, ",")
	switch futex := c.name == "futex" && address != ""; {
	case !c.blocks():
		out.System(t.id, at, true)
		out.System(t.id, end, false)
		if futex {
			s.alarms = append(s.alarms, alarm{at, address, t.id})
		}
	case futex:
		s.asleep = append(s.asleep, sleeper{at, end, address, t, c.name, name})
	default:
		f.sleeps(sleeper{at, end, "", t, c.name, name}, 0)
	}
}

// sleeps records a wait, and the thread that ends it.
func (f *file) sleeps(w sleeper, by tracks.ID) {
	out := f.sched.all.out
	out.Switch(w.thread.lane, w.from, w.thread.id, tracks.Off{State: tracks.Sleeping, Reason: f.w.Reason(w.reason), Call: w.name}, 0)
	c := tracks.Cause{By: by}
	switch {
	case by != 0:
		c.Reason = f.w.Reason(tracer.ReasonInferred)
	case strings.Contains(w.reason, "sleep"):
		c.Reason = f.w.Reason(tracer.ReasonTimer)
	}
	out.Waking(w.thread.lane, w.to, c, w.thread.id)
	out.Switch(w.thread.lane, w.to, 0, tracks.Off{}, w.thread.id)
}

// finishCalls records the waits for futexes, each with the last thread that woke another one there during the wait, and calls that have not ended.
func (f *file) finishCalls() {
	s := &f.sched.calls
	slices.SortStableFunc(s.alarms, func(a, b alarm) int {
		return cmp.Or(strings.Compare(a.address, b.address), cmp.Compare(a.time, b.time))
	})
	for _, w := range s.asleep {
		i, _ := slices.BinarySearchFunc(s.alarms, w, func(a alarm, w sleeper) int {
			return cmp.Or(strings.Compare(a.address, w.address), cmp.Compare(a.time, w.to+1))
		})
		by := tracks.ID(0)
		if i > 0 && s.alarms[i-1].address == w.address && s.alarms[i-1].time >= w.from && s.alarms[i-1].by != w.thread.id {
			by = s.alarms[i-1].by
		}
		f.sleeps(w, by)
	}
	out := f.sched.all.out
	for _, tid := range slices.Sorted(maps.Keys(s.threads)) {
		t := s.threads[tid]
		if c := &t.open; c.name != "" && !t.exited {
			at := f.sinceFirst(c.time)
			name := out.Text(out.String([]byte("system call")), out.String([]byte(c.name)))
			if c.duration = -1; c.blocks() {
				out.Switch(t.lane, at, t.id, tracks.Off{State: tracks.Sleeping, Reason: f.w.Reason(c.name), Call: name}, 0)
			} else {
				out.System(t.id, at, true)
			}
		}
	}
}
