package dts

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run calls f as the main thread of a new run and returns its result when all threads have ended.
//
// Run returns a *PanicError if a panic reached the main thread, a *LimitError if a limit ended the run, the cause of
// ctx if it was cancelled, or an error about opts. With an *UnjoinedError the result is complete: Run waited for all
// threads, but some handles were never joined. The error includes the panic of one of those threads.
func Run[R any](ctx context.Context, opts Options, f func(*Worker) R) (R, error) {
	root := &task[struct{}, R]{f: func(w *Worker, _ struct{}) R { return f(w) }}
	root.body = root
	err := begin(ctx, opts, &root.thread, codePointer(f))
	return root.result, err
}

// A PanicError reports a panic of a thread. Join raises it again and Run returns it.
type PanicError struct {
	Thread string // the function that panicked
	Value  any    // the value passed to panic
	Stack  []byte // the stack of the panic, as runtime/debug.Stack formats it
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("thread %s panicked: %v\n\n%s", e.Thread, e.Value, e.Stack)
}

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// An UnjoinedError reports threads that were never joined.
type UnjoinedError struct {
	Sites []Site      // where they were forked, the most frequent first
	Panic *PanicError // the panic of one of them; nil if none panicked
}

// A Site is a place in the program that forked threads.
type Site struct {
	Place  string // file:line of the fork, or of the function of the threads if the fork's is not known
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

// Unwrap returns the panic of an unjoined thread, if there is one.
func (e *UnjoinedError) Unwrap() error {
	if e.Panic == nil {
		return nil
	}
	return e.Panic
}

// A LimitError reports the limit that ended the run.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// errCancelled unwinds the stacks of the threads of a cancelled run.
var errCancelled = errors.New("dts: the run has been cancelled")

// Limits bound the resources of a run. Zero means no limit.
type Limits struct {
	Time    time.Duration // real time, without the time that a Control paused the run
	Threads int64         // forked threads; one more fork ends the run
	Memory  int64         // bytes in use by the whole process
}
