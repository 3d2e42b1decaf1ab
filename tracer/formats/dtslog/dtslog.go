// Package dtslog reads and writes logs of threads as text: the seven events of the distributed threads system DTS, one log for each node
// (B. Steckelbach, T. Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt, W. Rosenstiel, "Visualization of Parallel Execution Graphs", GD 1998,
// section 2). The paper does not print the syntax of its logs; this one is made to be easy to write.
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
// A log begins with its mark and its header lines, of which only node is required. Its events follow in the order of their times. The logs of
// several nodes are several files, or follow one another in one file. Blank lines and comments, which begin with #, are ignored.
//
//	program NAME ARGUMENT...   what was run; the last log that says so counts
//	node NUMBER [HOST [PROCESS]]
//	clock process              times are the processor time that all threads of the node have used together, as in the paper; this is the default
//	clock monotonic            times are of the node's own clock; clocks of different nodes are aligned by what threads and messages tell
//	clock virtual              times are of one clock for all nodes; also: aligned
//	unit ns|us|ms|s            of the times, which may have a fraction; ns is the default
//	section 3                  what fork and start mean, see below; 3 is the default
//
//	TIME init                  the node begins
//	TIME exit [STATUS]         it ends
//	TIME fork THREAD PARENT    PARENT creates THREAD; on=NODE where it is placed, function="NAME", at="FILE:LINE" of the function, bytes=N of its arguments
//	TIME start THREAD          it begins to run on this node; from=NODE, function="NAME", attempt=N from 1
//	TIME end THREAD [ok|failed|cancelled]
//	TIME bjoin THREAD OTHER    THREAD begins to wait for OTHER; at="FILE:LINE" of the call
//	TIME ajoin THREAD OTHER    it goes on; from=NODE where OTHER ended, at="FILE:LINE"
//
// The paper calls the creation of a thread start and its first instant on a node fork in its section 2, and the other way round in section
// 3. Here it is as in section 3, whose fork nodes stand in the parent's chain and whose start nodes begin the child's: fork is Fork in the
// trace, and start is Start. In a log with the line "section 2" the two words are exchanged, with what may follow them.
//
// Threads are numbers from 1 on, or names without blanks, = and "; names are numbered behind the largest number, in the order in which they come.
package dtslog

import (
	"bytes"
	"errors"
	"math"

	"whorl/tracer"
)

// mark is the first line of a log; the number is the version of the form.
const mark = "dtslog 1"

// mostNodes bounds the number of a node, as on the largest machine that traces support.
const mostNodes = 1 << 20

// mostThread is the largest number of a thread.
const mostThread = math.MaxInt64

// ErrNoThreads reports that a trace has no events that a log can hold.
var ErrNoThreads = errors.New("dtslog: the trace has no threads: want a run with forks and starts")

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
var Kinds = tracer.Kinds(tracer.Init, tracer.Exit, tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd)
