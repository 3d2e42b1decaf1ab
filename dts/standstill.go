package dts

import (
	"runtime"
	"strings"

	"whorl/dts/symbol"
)

// A Standstill describes a host on which no thread runs.
type Standstill struct {
	Waits   []Wait // threads that wait, at most 1,000
	Total   int
	Calls   int  // threads that other hosts have
	Blocked bool // some threads wait for something other than a thread
}

// Idle reports whether all PEs of the host sleep, so that no thread runs or is ready to run. Progress is the number of
// threads that have become ready to run: if it is the same at two times at which the host is idle, no thread ran in
// between.
func (h *Host) Idle() (progress uint64, idle bool) {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	return h.e.progress, h.e.asleep == len(h.e.pes) && h.e.quiet()
}

// Standstill returns the threads of the host if none of them runs: each waits in a join, or holds its PE and waits for
// a channel or a lock. In the second case a timer may still wake it.
func (h *Host) Standstill() (s Standstill, ok bool) {
	h.e.mu.Lock()
	quiet, awake := h.e.quiet(), len(h.e.pes)-h.e.asleep
	joins := h.e.deadlocked(h.e.waiters)
	s = Standstill{Waits: joins.Waiting, Total: joins.Total, Calls: len(h.e.calls)}
	h.e.mu.Unlock()
	if !quiet {
		return s, false
	}
	if awake == 0 {
		return s, true
	}
	blocked, ok := blockedThreads(stacks())
	s.Waits, s.Total, s.Blocked = append(blocked, s.Waits...), s.Total+len(blocked), true
	s.Waits = s.Waits[:min(mostWaiting, len(s.Waits))]
	return s, ok && len(blocked) == awake
}

// stacks returns the stacks of all goroutines but this one, as far as they fit into 16 MiB.
func stacks() string {
	for size := 1 << 18; ; size *= 4 {
		b := make([]byte, size)
		if n := runtime.Stack(b, true); n < size || size >= 1<<24 {
			_, others, _ := strings.Cut(string(b[:n]), "\n\n")
			return others
		}
	}
}

// blockedThreads returns the threads whose goroutines wait for a channel or a lock. It returns false if the process has
// a thread, or a goroutine of the program, that does not wait.
func blockedThreads(dump string) (waits []Wait, ok bool) {
	for text := range strings.SplitSeq(strings.TrimSpace(dump), "\n\n") {
		g := parseGoroutine(text)
		switch {
		case !g.thread && g.own:
		case g.thread && strings.HasPrefix(g.function, "whorl/dts.(*queued).sleep"), g.thread && strings.HasPrefix(g.function, "whorl/dts.(*queued).join"):
		case !g.waits():
			return nil, false
		case g.thread:
			waits = append(waits, Wait{Function: symbol.Short(g.function), Place: g.place, For: g.state})
		}
	}
	return waits, true
}

// A goroutine is an entry of a stack dump.
type goroutine struct {
	state    string // such as "chan receive"
	function string // the innermost one outside of the runtime and of packages of locks
	place    string // file:line in it
	thread   bool   // it holds a PE or runs a thread
	own      bool   // made by dts or by what connects it to other hosts, not by the program
}

// parseGoroutine reads a line with the state, followed by two lines for each frame: the function, and its place after a
// tab.
func parseGoroutine(text string) (g goroutine) {
	head, frames, _ := strings.Cut(text, "\n")
	_, state, _ := strings.Cut(head, "[")
	g.state = strings.TrimRight(state[:max(0, strings.IndexAny(state, ",]"))], " ")
	lines, runs := strings.Split(frames, "\n"), false
	for i := 0; i+1 < len(lines); i += 2 {
		if by, created := strings.CutPrefix(lines[i], "created by "); created {
			g.own = !runs && hasAnyPrefix(by, "whorl/dts", "github.com/nats-io/", "os/signal.", "runtime.")
			continue
		}
		runs = runs || strings.HasPrefix(lines[i], "whorl/dts.(*system).execute(") // also a thread of a run inside a thread
		g.thread = g.thread || strings.HasPrefix(lines[i], "whorl/dts.(*queued).hold(")
		if g.function == "" && !hasAnyPrefix(lines[i], "runtime.", "sync.", "internal/") {
			g.function = lines[i][:max(0, strings.LastIndexByte(lines[i], '('))]
			g.place, _, _ = strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		}
	}
	return g
}

// waits reports whether only another goroutine or a timer can wake the goroutine.
func (g *goroutine) waits() bool {
	return hasAnyPrefix(g.state, "chan ", "select", "sync.", "semacquire")
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
