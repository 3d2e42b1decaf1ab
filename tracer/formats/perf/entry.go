package perf

import (
	"strconv"
	"strings"

	"whorl/tracer/formats/tracks"
)

// entryKind is the kind of a record of the scheduler.
type entryKind uint8

const (
	kindSwitch entryKind = iota
	kindWaking
	kindWakeup
	kindNew
	kindFork
	kindExit
	kindExec
	kindMigrate
	kindEnter
	kindLeave
)

var entryKinds = map[string]entryKind{
	"sched_switch": kindSwitch, "sched_waking": kindWaking, "sched_wakeup": kindWakeup, "sched_wakeup_new": kindNew, "sched_process_fork": kindFork,
	"sched_process_exit": kindExit, "sched_process_exec": kindExec, "sched_migrate_task": kindMigrate,
}

// An entry is a record of the scheduler or of a system call.
type entry struct {
	kind      entryKind
	tid       int64  // of the thread concerned; the one before a switch; the parent
	comm      string // its name; that of a system call
	child     int64  // created; the one after a switch
	childComm string
	state     tracks.State
	reason    string // in place of a state, "" for none
	from, to  int64  // CPUs
}

// parseRecord parses the text after the name of an event: fields with names, or the short form of plugins of libtraceevent, comm:tid [priority].
func parseRecord(name, rest string) (r entry, ok bool) {
	if call, is := strings.CutPrefix(name, "sys_enter"); is {
		r.kind = kindEnter
		if r.comm = strings.TrimPrefix(call, "_"); r.comm == "" {
			number := strings.TrimPrefix(rest, "NR ")
			number, _, _ = strings.Cut(number, " ")
			r.comm = "system call " + number
		}
		return r, true
	}
	if strings.HasPrefix(name, "sys_exit") {
		return entry{kind: kindLeave}, true
	}
	kind, known := entryKinds[name]
	if !known {
		return r, false
	}
	r.kind = kind
	switch kind {
	case kindSwitch:
		ok = r.parseSwitch(rest)
	case kindFork:
		ok = r.parseFork(rest)
	case kindExec:
		file, after, is := cutLast(rest, " pid=")
		r.comm = base(strings.TrimPrefix(file, "filename="))
		r.tid, _ = number(after)
		ok = is && r.tid > 0
	case kindMigrate:
		ok = r.parseMigration(rest)
	default:
		r.comm, r.tid, _, ok = threadOf(rest, "")
	}
	return r, ok
}

// parseSwitch parses prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120, or a:1 [120] S ==> b:2 [120].
func (r *entry) parseSwitch(s string) bool {
	before, after, ok := strings.Cut(s, "==> ")
	if !ok {
		return false
	}
	var more string
	if r.comm, r.tid, more, ok = threadOf(strings.TrimSpace(before), "prev_"); !ok {
		return false
	}
	if at := strings.LastIndex(more, "prev_state="); at >= 0 {
		more = more[at+len("prev_state="):]
	} else if at := strings.LastIndexByte(more, ' '); at >= 0 {
		more = more[at+1:]
	}
	r.childComm, r.child, _, ok = threadOf(after, "next_")
	return ok && r.parseState(more)
}

// states are the letters of the states of threads.
var states = map[byte]tracks.State{
	'R': tracks.Runnable, 'S': tracks.Sleeping, 'D': tracks.Uninterrupted, 'T': tracks.Stopped, 't': tracks.Traced, 'X': tracks.ExitDead, 'x': tracks.Dead,
	'Z': tracks.Zombie, 'P': tracks.Parked, 'I': tracks.Uninterrupted, 'K': tracks.Uninterrupted, 'W': tracks.Runnable,
}

// parseState parses the letters of a state. Some kernels write several letters with bars between them. A number is a sum of bits.
func (r *entry) parseState(s string) bool {
	if s == "" {
		return false
	}
	if n, err := strconv.ParseUint(s, 0, 32); err == nil {
		r.state = tracks.State(n & 0xff)
		return true
	}
	if strings.HasSuffix(s, "+") { // preempted, whatever it was about to do
		return true
	}
	state, ok := states[s[0]]
	r.state = state
	if s[0] == 'I' {
		r.reason = "idle"
	}
	return ok
}

// parseFork parses comm=a pid=1 child_comm=b child_pid=2.
func (r *entry) parseFork(s string) bool {
	before, after, ok := strings.Cut(s, " child_comm=")
	comm, tid, is := cutLast(after, " child_pid=")
	if !ok || !is {
		return false
	}
	r.childComm = comm
	r.child, is = number(tid)
	r.comm, r.tid, _, ok = threadOf(before, "")
	return ok && is
}

// parseMigration parses comm=a pid=1 prio=120 orig_cpu=0 dest_cpu=1.
func (r *entry) parseMigration(s string) (ok bool) {
	if r.comm, r.tid, _, ok = threadOf(s, ""); !ok {
		return false
	}
	_, from, a := cutLast(s, "orig_cpu=")
	_, to, b := cutLast(s, "dest_cpu=")
	if !a || !b {
		return false
	}
	r.from, a = number(from)
	r.to, b = number(to)
	return a && b
}

// threadOf parses the name and the number of a thread: comm=a pid=1 and the rest, with a prefix of the fields, or a:1 [120] and the rest.
func threadOf(s, prefix string) (comm string, tid int64, rest string, ok bool) {
	if name, is := strings.CutPrefix(s, prefix+"comm="); is {
		at := strings.Index(name, " "+prefix+"pid=")
		if at < 0 {
			return "", 0, "", false
		}
		rest = name[at+len(" pid=")+len(prefix):]
		tid, ok = number(rest)
		return name[:at], tid, rest, ok
	}
	at := strings.Index(s, " [")
	if at < 0 {
		return "", 0, "", false
	}
	name, id, is := cutLast(s[:at], ":")
	tid, ok = number(id)
	return name, tid, s[at+2:], ok && is && id != ""
}

// number parses the digits at the beginning of s.
func number(s string) (n int64, ok bool) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(s[:end], 10, 32)
	return n, err == nil
}

// cutLast cuts s around the last separator.
func cutLast(s, separator string) (before, after string, ok bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}
