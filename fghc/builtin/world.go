package builtin

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// A World is what a program can reach outside of itself. The zero World is empty: no input, no arguments, no files, and output goes nowhere.
// Several PEs may use it at a time.
type World struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          bool                 // the program may read and write files
	Now            func() time.Duration // how long the program has run, nil for 0
	Started        time.Time            // when it began; zero where time is virtual

	mu     sync.Mutex
	open   []*File // by handle, nil where it has been closed
	folder string  // where the names of files begin
	err    error
	over   chan struct{}
	exited bool
	status uint8
}

// Handles of files that are always open.
const (
	stdin = iota
	stdout
	stderr
	stdio // input from stdin, output to stdout
	numStandard
)

// setUp opens the standard files. The lock is held.
func (w *World) setUp() {
	if w.open != nil {
		return
	}
	in := NewInput(w.Stdin)
	in.slow = true
	out := newOutput(w, w.Stdout)
	w.open = []*File{
		stdin:  {world: w, name: "stdin", in: in},
		stdout: {world: w, name: "stdout", out: out},
		stderr: {world: w, name: "stderr", out: newOutput(w, w.Stderr)},
		stdio:  {world: w, name: "stdio", in: in, out: out},
	}
	w.over = make(chan struct{})
}

// file returns an open file.
func (w *World) file(handle int) *File {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setUp()
	return w.open[handle]
}

// keep notes an open file and returns its handle.
func (w *World) keep(f *File) (handle int) {
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

// drop forgets a file that its stream has done with, and closes it.
func (w *World) drop(handle int) {
	f := w.file(handle)
	if handle < numStandard {
		f.flush()
		return
	}
	f.close()
	w.mu.Lock()
	w.open[handle] = nil
	w.mu.Unlock()
}

// Flush writes out what is buffered.
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

// Close ends the run's use of the world: all is written, files are closed, and nobody waits for input any more. It returns the first error
// of writing.
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
	return w.err
}

// Interrupt has those who wait for input give up.
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

// Wait waits for more of an input, or for its end. It returns false when it has been interrupted.
func (w *World) Wait(in *Input) bool {
	w.Flush()
	w.mu.Lock()
	w.setUp()
	w.mu.Unlock()
	filled := make(chan struct{})
	go func() {
		in.Fill()
		close(filled)
	}()
	select {
	case <-filled:
		return true
	case <-w.over:
		return false
	}
}

// Warn tells the user something while the program runs: a line, or several, on its standard error output.
func (w *World) Warn(text string) { w.file(stderr).out.write([]byte(text + "\n")) }

// exit notes that the program has ended itself; the first status counts.
func (w *World) exit(status uint8) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.exited {
		w.exited, w.status = true, status
	}
}

// Exited reports whether the program has ended itself, and with which status.
func (w *World) Exited() (status uint8, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status, w.exited
}

// failed notes an error of writing.
func (w *World) failed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

var errNoFiles = errors.New("this run has no files")

// path returns the name of a file as the system knows it.
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

// enter makes a folder the one where the names of files begin.
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
		return errors.New("no folder")
	}
	w.mu.Lock()
	w.folder = path
	w.mu.Unlock()
	return nil
}

// system runs a command line, with the standard output of the program.
func (w *World) system(line string) int64 {
	if !w.Files {
		return -1
	}
	w.Flush()
	cmd := exec.Command("sh", "-c", line)
	cmd.Stdout, cmd.Stderr = w.Stdout, w.Stderr
	w.mu.Lock()
	cmd.Dir = w.folder
	w.mu.Unlock()
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		return int64(exit.ExitCode()) << 8
	case err != nil:
		return -1
	}
	return 0
}

// clock is the time since 1970, or where it is virtual since the run began.
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
