package builtin

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

// A World is what a program can access outside of itself. The zero World is empty: it has no input, arguments or files, and discards output. A
// World is safe for concurrent use.
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

// Handles of the standard files.
const (
	stdin = iota
	stdout
	stderr
	stdio // input from stdin, output to stdout
	numStandard
)

// setUp opens the standard files. The caller holds the lock.
func (w *World) setUp() {
	if w.open != nil {
		return
	}
	in := NewInput(w.Stdin)
	in.slow = true
	out := newOutput(w, w.Stdout)
	w.open = []*File{
		stdin:  {world: w, name: "stdin", in: in, ops: syntax.Streams},
		stdout: {world: w, name: "stdout", out: out, ops: syntax.Streams},
		stderr: {world: w, name: "stderr", out: newOutput(w, w.Stderr), unbuffered: true, ops: syntax.Streams},
		stdio:  {world: w, name: "stdio", in: in, out: out, ops: syntax.Streams},
	}
	w.over = make(chan struct{})
}

// file returns the open file with the given handle.
func (w *World) file(handle int) *File {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setUp()
	return w.open[handle]
}

// register adds an open file and returns its handle.
func (w *World) register(f *File) (handle int) {
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

// standard returns the handle of a new stream of a standard file.
func (w *World) standard(handle int) int {
	f := *w.file(handle)
	return w.register(&f)
}

// release closes a file whose stream has ended.
func (w *World) release(handle int) {
	w.file(handle).close()
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
			f.flush()
		}
	}
}

// Close flushes and closes all files and interrupts goals that wait for input. It returns the first write error. Sockets get a while to send
// what the program has written.
func (w *World) Close() error {
	w.Interrupt()
	w.Flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.open[min(numStandard, len(w.open)):] {
		if f != nil {
			f.close()
		}
	}
	for _, s := range w.senders {
		s.finish(lingering)
	}
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
	inputs[index].take(readings[index])
	return index, true
}

// Warn writes a line to the standard error output of the program while it runs.
func (w *World) Warn(text string) { w.file(stderr).out.write([]byte(text + "\n")) }

// exit records the exit status of the program. Only the first call counts.
func (w *World) exit(status uint8) {
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

// path returns the name of a file for the operating system.
func (w *World) path(name string) (string, error) {
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

// enter changes the folder that file names are relative to.
func (w *World) enter(name string) error {
	path, err := w.path(name)
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

// clock returns the time since 1970, or since the start of the run if time is virtual.
func (w *World) clock() time.Duration {
	if w.Started.IsZero() {
		return w.now()
	}
	return time.Duration(w.Started.UnixNano()) + w.now()
}

func (w *World) now() time.Duration {
	if w.Now == nil {
		return 0
	}
	return w.Now()
}
