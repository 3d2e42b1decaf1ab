package sweep

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer/open"
)

// recordings are the programs in traces that runs replay, by the names of their files. Each is read once.
type recordings struct {
	mu    sync.Mutex
	known map[string]*recording
}

// A recording is the program in a trace.
type recording struct {
	read    sync.Once
	program *experiment.Recorded
	digest  []byte // of the file; nil for a folder
	err     error
}

// recording returns the program in a file.
func (r *recordings) recording(path string) (*recording, error) {
	r.mu.Lock()
	if r.known == nil {
		r.known = map[string]*recording{}
	}
	x := r.known[path]
	if x == nil {
		x = &recording{}
		r.known[path] = x
	}
	r.mu.Unlock()
	x.read.Do(func() {
		if x.digest, x.err = digestOf(path); x.err == nil {
			x.program, x.err = readProgram(path)
		}
	})
	return x, x.err
}

// readProgram reads the program in a trace or in a schedule.
func readProgram(path string) (*experiment.Recorded, error) {
	if f := experiment.FindSchedule(path); f != nil {
		return f.Read(path, experiment.ScheduleOptions{})
	}
	trace, err := open.File(path)
	if err != nil {
		return nil, err
	}
	defer trace.Close()
	if trace.Meta().Substrate == "fghc" {
		return nil, fmt.Errorf("%s: a trace does not contain the computations of goals: expected the program itself", path)
	}
	program, err := experiment.ReadRecorded(trace, experiment.RecordedOptions{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return program, nil
}

// isRecording reports whether a word is the name of a trace or of a schedule, and not of a source file.
func isRecording(word string) bool {
	_, err := os.Stat(word)
	return err == nil && !slices.Contains([]string{".fghc", ".kl1"}, filepath.Ext(word)) && (experiment.FindSchedule(word) != nil || open.FormatOf(word) != "")
}

// digestOf returns a digest of a file, nil for a folder.
func digestOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, files.OpenError(path, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, f.Close()
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, files.OpenError(path, err)
	}
	return sum.Sum(nil), nil
}

// replay makes a run replay the program in a trace, by default on the trace's own machine, and returns the substrate of the program.
func (g *Grid) replay(r *experiment.Run) (substrate string, err error) {
	x, err := g.recording(r.Program)
	if err != nil {
		return "", err
	}
	if len(r.Args) > 0 {
		return "", fmt.Errorf("%s is a trace, whose program has its arguments: found %s", r.Program, r.Args[0])
	}
	own := x.program.Run(r.Program)
	own.Mode, own.Seed, own.Limits = r.Mode, r.Seed, r.Limits
	own.Machine = experiment.RecordedMachine // which can have options
	*r = own
	return r.Substrate()
}
