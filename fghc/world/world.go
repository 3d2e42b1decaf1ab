// Package world gives programs in FGHC access to what lies outside of them: files, sockets, signals, processes, the environment and time. It knows no
// terms; the builtins translate.
package world

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"whorl/fghc/syntax"
)

// A World holds the files, sockets, arguments and clock that a program can access. The zero World is empty: it has no input, arguments or files, and
// discards output. A World is safe for concurrent use.
type World struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          bool                 // the program may read and write files, run commands and signal processes
	System         System               // sockets and signals; nil if the program has none
	Functions      []Function           // that replace C code
	Now            func() time.Duration // the running time of the program; nil means 0
	Started        time.Time            // the start of the run; zero if time is virtual

	mu      sync.Mutex
	open    []*File  // by handle; nil if closed
	folder  string   // base of relative file names
	env     []string // the environment; nil if it is that of the process
	mask    *int64   // the file mode mask; nil if it is that of the process
	err     error
	over    chan struct{}
	senders []*sender // of all sockets
	exited  bool
	status  uint8
}

// A Function is a Go function that replaces C code in a guard. Its arguments and results are int64, float64, string or AtomName. If ok is false the
// guard fails.
type Function func(in []any) (out []any, ok bool)

// AtomName is an atom as an argument or a result of a Function.
type AtomName string

// Handles of the standard files.
const (
	Stdin = iota
	Stdout
	Stderr
	Stdio // input from Stdin, output to Stdout
	numStandard
)

// setUp opens the standard files. The caller holds the lock.
func (w *World) setUp() {
	if w.open != nil {
		return
	}
	in := NewInput(w.Stdin)
	in.Slow = true
	out := newOutput(w, w.Stdout)
	w.open = []*File{
		Stdin:  {world: w, Name: "stdin", In: in, Ops: syntax.Streams},
		Stdout: {world: w, Name: "stdout", Out: out, Ops: syntax.Streams},
		Stderr: {world: w, Name: "stderr", Out: newOutput(w, w.Stderr), Unbuffered: true, Ops: syntax.Streams},
		Stdio:  {world: w, Name: "stdio", In: in, Out: out, Ops: syntax.Streams},
	}
	w.over = make(chan struct{})
}

// File returns the open file with the given handle.
func (w *World) File(handle int) *File {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setUp()
	return w.open[handle]
}

// Register adds an open file and returns its handle.
func (w *World) Register(f *File) (handle int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setUp()
	for i, g := range w.open[numStandard:] {
		if g == nil {
			w.open[numStandard+i] = f
			return numStandard + i
		}
	}
	w.open = append(w.open, f)
	return len(w.open) - 1
}

// Standard returns the handle of a new stream of a standard file.
func (w *World) Standard(handle int) int {
	f := *w.File(handle)
	return w.Register(&f)
}

// Release closes a file whose stream has ended.
func (w *World) Release(handle int) {
	w.File(handle).Close()
	w.mu.Lock()
	w.open[handle] = nil
	w.mu.Unlock()
}

// Flush flushes all files.
func (w *World) Flush() {
	w.mu.Lock()
	open := slices.Clone(w.open)
	w.mu.Unlock()
	for _, f := range open {
		if f != nil {
			f.Flush()
		}
	}
}

// Close flushes and closes all files and interrupts goals that wait for input. It returns the first write error. Sockets get a while to send
// what the program has written.
func (w *World) Close() error {
	w.Interrupt()
	w.Flush()
	w.mu.Lock()
	open, senders := slices.Clone(w.open[numStandard:]), slices.Clone(w.senders)
	w.mu.Unlock()
	for _, f := range open {
		if f != nil {
			f.Close()
		}
	}
	for _, s := range senders {
		s.finish(lingering)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Interrupt makes all calls of Wait return.
func (w *World) Interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setUp()
	select {
	case <-w.over:
	default:
		close(w.over)
	}
}

// Wait waits for more of one of several inputs or its end, and returns its index. If several have more, the first one counts. It returns false if
// it is interrupted.
func (w *World) Wait(inputs []*Input) (index int, ok bool) {
	w.Flush()
	w.mu.Lock()
	w.setUp()
	w.mu.Unlock()
	cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(w.over)}}
	readings := make([]*reading, len(inputs))
	for i, in := range inputs {
		readings[i] = in.begin()
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(readings[i].done)})
	}
	chosen, _, _ := reflect.Select(cases)
	if chosen == 0 {
		return 0, false
	}
	index = slices.IndexFunc(readings[:chosen-1], (*reading).complete)
	if index < 0 {
		index = chosen - 1
	}
	inputs[index].receive(readings[index])
	return index, true
}

// Warn writes a line to the standard error output of the program while it runs.
func (w *World) Warn(text string) { w.File(Stderr).Out.Put([]byte(text + "\n")) }

// Exit records the exit status of the program. Only the first call counts.
func (w *World) Exit(status uint8) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.exited {
		w.exited, w.status = true, status
	}
}

// Exited returns the status with which the program has exited, and whether it has.
func (w *World) Exited() (status uint8, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status, w.exited
}

// failed records a write error.
func (w *World) failed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

var errNoFiles = errors.New("this run has no access to files")

// Path returns the name of a file for the operating system.
func (w *World) Path(name string) (string, error) {
	if !w.Files {
		return "", errNoFiles
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if filepath.IsAbs(name) {
		return name, nil
	}
	return filepath.Join(w.folder, name), nil
}

// Enter changes the folder that file names are relative to.
func (w *World) Enter(name string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("not a folder")
	}
	w.mu.Lock()
	w.folder = path
	w.mu.Unlock()
	return nil
}

// Clock returns the time since 1970, or since the start of the run if time is virtual.
func (w *World) Clock() time.Duration {
	if w.Started.IsZero() {
		return w.Elapsed()
	}
	return time.Duration(w.Started.UnixNano()) + w.Elapsed()
}

// Elapsed returns the running time of the program.
func (w *World) Elapsed() time.Duration {
	if w.Now == nil {
		return 0
	}
	return w.Now()
}
