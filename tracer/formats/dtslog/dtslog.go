// Package dtslog reads and writes logs of threads as text: the seven events of the distributed threads system DTS, one log for each node
// (B. Steckelbach, T. Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt, W. Rosenstiel, "Visualization of Parallel Execution Graphs", GD 1998,
// section 2). The paper does not give the syntax of its logs. This syntax is Whorl's own and easy to write.
//
//	dtslog 1
//	program "fibonacci" "12"
//	node 0 "alpha"
//	clock process
//	unit us
//	# time event thread ...
//	0      init
//	0      start 1 function="main"
//	12.5   fork 2 1 on=1 function="fib" at="fib.c:14"
//	13     bjoin 1 2 at="fib.c:16"
//	240    ajoin 1 2
//	251    end 1
//	251    exit 0
//
// A log begins with its mark and its header lines; only node is required. Its events follow in the order of their times. The logs of several
// nodes are in several files, or one after the other in one file. Blank lines and comments, which begin with #, are ignored.
//
//	program NAME ARGUMENT...   the program and its arguments; the last program line of all logs counts
//	node NUMBER [HOST [PROCESS]]
//	pes N                      the node has N processing elements; 1 is the default
//	clock process              times are the processor time used by all threads of the node, as in the paper; the default
//	clock monotonic            times are of the node's own clock; readers align the clocks by the forks, joins and messages between nodes
//	clock virtual              times are of one clock for all nodes; also: aligned
//	unit ns|us|ms|s            the unit of the times, which may have a fraction; ns is the default
//	section 3                  the meaning of fork and start, see below; 3 is the default
//
//	TIME init                  the node begins
//	TIME exit [STATUS]         the node ends
//	TIME fork THREAD PARENT    PARENT creates THREAD; on=NODE it is placed on, function="NAME", at="FILE:LINE" of the function, bytes=N of its arguments
//	TIME start THREAD          THREAD begins to run on this node; from=NODE, function="NAME", attempt=N from 1
//	TIME end THREAD [ok|failed|cancelled]
//	TIME bjoin THREAD OTHER    THREAD begins to wait for OTHER; at="FILE:LINE" of the call
//	TIME ajoin THREAD OTHER    THREAD continues; from=NODE where OTHER ended, at="FILE:LINE"
//	TIME idle [THREAD]         the processing element has nothing to do, or THREAD has no core; reason="TEXT"
//	TIME overhead [THREAD]     the processing element does the work of the runtime system; reason="TEXT"
//	TIME busy [THREAD]         it goes on
//
// The last three are not in the paper. Without them, the time between two events of a thread is work. On a node with several processing elements
// pe=K says which of them an event belongs to, from 0, which is the default, and NODE:K is one of another node. The processing elements of a
// trace are those of all nodes in the order of their numbers; a node without a log has one.
//
// Section 2 of the paper calls the creation of a thread start and its first instant on a node fork. Section 3 calls them fork and start: fork
// nodes are in the parent's chain, and a start node begins the child's. Logs follow section 3 by default: fork is the event Fork of the trace,
// and start is Start. A line "section 2" exchanges the two words and their optional keys.
//
// A thread is a number from 1, or a name without blanks, = and ". Names are numbered after the largest number, in order of appearance.
package dtslog

import (
	"bytes"
	"errors"
	"math"

	"whorl/tracer"
)

// mark is the first line of a log; the number is the version of the syntax.
const mark = "dtslog 1"

// mostNodes bounds node numbers, as on the largest machine that traces support.
const mostNodes = 1 << 20

// mostPEs bounds the processing elements of a node.
const mostPEs = 1 << peBits

// peBits is the number of bits of a processing element in a place.
const peBits = 12

// mostThread is the largest thread number.
const mostThread = math.MaxInt64

// ErrNoThreads reports that a trace has no events that a log can hold.
var ErrNoThreads = errors.New("dtslog: the trace has no threads: expected Fork and Start events")

// Detect reports whether a file that begins with head may be a log.
func Detect(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			return bytes.HasPrefix(line, []byte("dtslog "))
		}
	}
	return false
}

// Kinds are the kinds of events that a log holds.
var Kinds = tracer.Kinds(tracer.Init, tracer.Exit, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd,
	tracer.Busy, tracer.Idle, tracer.Overhead)
