// Package dts is fork and join for Go: distributed threads, after the system of T. Bubeck, W. Küchlin and W. Rosenstiel ("Distributed Symbolic
// Computation with DTS", 1995).
//
//	func fib(w *dts.Worker, n int) int {
//		if n < 2 {
//			return n
//		}
//		a := dts.Fork(w, fib, n-1)
//		b := fib(w, n-2)
//		return a.Join(w) + b
//	}
//
//	sum, err := dts.Run(ctx, dts.Options{}, func(w *dts.Worker) int { return fib(w, 32) })
//
// A thread is a function with one argument and one result. Fork makes one and returns its Handle; Join waits for it and returns the result,
// once. The same program runs live, on the real cores, or simulated, on up to 1,048,576 processing elements (PEs) in virtual time, under any
// policy of sim/policy, and records what happened where Options.Recorder says so. Nothing is global: a process may have any number of runs.
//
// A Worker is a PE as the thread that runs on it sees it. Each function is given its own and hands it on to what it calls; a Worker must not
// be used by other goroutines, nor after the function has returned.
package dts

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run runs f as the main thread of a new run and returns its result when all threads have ended.
//
// The error is a *PanicError where a thread's panic went through to the main thread, a *LimitError, the cause of ctx where that was
// cancelled, or what is wrong with opts. With an *UnjoinedError the result is whole: it tells of handles that were never joined, for whose
// threads Run has waited, and of the panic of one of them.
func Run[R any](ctx context.Context, opts Options, f func(*Worker) R) (R, error) {
	root := &task[struct{}, R]{f: func(w *Worker, _ struct{}) R { return f(w) }}
	root.body = root
	err := begin(ctx, opts, &root.thread, codePointer(f))
	return root.result, err
}

// A PanicError is a panic of a thread, as its Join raises it again and as Run returns it.
type PanicError struct {
	Thread string // the function that panicked
	Value  any    // what it panicked with
	Stack  []byte // where, as runtime/debug.Stack writes it
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("thread %s panicked: %v\n\n%s", e.Thread, e.Value, e.Stack)
}

// Unwrap returns the value of the panic where that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// An UnjoinedError tells of threads that nobody joined.
type UnjoinedError struct {
	Sites []Site      // where they were forked, the most frequent first
	Panic *PanicError // of one of them, which no join has raised; nil where none panicked
}

// A Site is a place of the program at which threads were forked.
type Site struct {
	Place  string // file:line; live, where the function of the threads begins
	Thread string // the function of the threads
	Count  int
}

func (e *UnjoinedError) Error() string {
	text := ""
	n := 0
	for i, s := range e.Sites {
		if n += s.Count; i < 8 {
			text += fmt.Sprintf("\n\t%s: %d of %s", s.Place, s.Count, s.Thread)
		}
	}
	if e.Panic != nil {
		text += "\n" + e.Panic.Error()
	}
	if n == 1 {
		return "a handle was never joined; forked at" + text
	}
	return fmt.Sprintf("%d handles were never joined; forked at", n) + text
}

// Unwrap returns the panic of a thread that nobody joined, where there is one.
func (e *UnjoinedError) Unwrap() error {
	if e.Panic == nil {
		return nil
	}
	return e.Panic
}

// A LimitError says which limit ended the run.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// errCancelled unwinds the stacks of threads of a run that is to end.
var errCancelled = errors.New("dts: the run has been cancelled")

// Limits end a run that takes too much; 0 is no limit.
type Limits struct {
	Time    time.Duration // real time, without that at which a Control has the run stand still
	Threads int64         // that are forked: the fork of one more ends the run
	Memory  int64         // bytes in use by the whole process
}
