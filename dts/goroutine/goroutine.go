// Package goroutine finds the threads of package dts that wait for a channel or a lock. It reads a dump of the stacks of
// all goroutines: the names of functions of package dts tell threads from goroutines of the program.
package goroutine

import (
	"runtime"
	"strings"

	"whorl/dts/symbol"
)

// Others returns the stacks of all goroutines but this one, as far as they fit into 16 MiB.
func Others() string {
	for size := 1 << 18; ; size *= 4 {
		b := make([]byte, size)
		if n := runtime.Stack(b, true); n < size || size >= 1<<24 {
			_, others, _ := strings.Cut(string(b[:n]), "\n\n")
			return others
		}
	}
}

// A Thread is a thread of package dts that waits for a channel or a lock.
type Thread struct {
	Function string // short name of the function that waits
	Place    string // file:line where it waits
	State    string // such as "chan receive"
}

// Blocked returns the threads of a host whose goroutines in a dump wait for a channel or a lock, without those that sleep
// or join another thread. It returns false if the process has a thread, or a goroutine of the program, that does not
// wait.
func Blocked(dump string) (waits []Thread, ok bool) {
	for text := range strings.SplitSeq(strings.TrimSpace(dump), "\n\n") {
		g := parseGoroutine(text)
		switch {
		case !g.thread && g.own:
		case g.thread && strings.HasPrefix(g.function, "whorl/dts.(*queued).sleep"), g.thread && strings.HasPrefix(g.function, "whorl/dts.(*queued).join"):
		case !g.waits():
			return nil, false
		case g.thread:
			waits = append(waits, Thread{symbol.Short(g.function), g.place, g.state})
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
	own      bool   // made by dts or by its connections to other hosts, not by the program
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
