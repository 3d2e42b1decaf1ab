package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"whorl/experiment"
)

// viewerName is the program that shows traces in a window. Called with viewerLive it shows a run that is fed to it: the session talks to it
// in frames (experiment.Feed and Attach) over its standard input and output.
const (
	viewerName = "whorl-view"
	viewerLive = "--live"
)

// findViewer returns the path of the viewer: beside whorl itself, or else in PATH.
func findViewer() (string, error) {
	name := viewerName
	if self, err := os.Executable(); err == nil {
		name += filepath.Ext(self) // .exe, where programs end so
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &experiment.InputError{Text: "--open needs the viewer: " + name + " is neither beside whorl nor in PATH"}
	}
	return path, nil
}

// A viewer is a viewer's process, seen as a connection to it.
type viewer struct {
	io.Reader
	in, out io.Closer
	io.Writer
}

func (v *viewer) Close() error { return errors.Join(v.in.Close(), v.out.Close()) }

// startViewer starts the viewer. It outlives whorl, and an interrupt from the keyboard is not for it.
func startViewer() (*viewer, error) {
	path, err := findViewer()
	if err != nil {
		return nil, err
	}
	process := exec.Command(path, viewerLive)
	process.Stderr = os.Stderr // only a file can be left to a process that stays behind
	apart(process)
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, &experiment.InputError{Text: path + " cannot be started: " + err.Error()}
	}
	go process.Process.Wait() // so that it does not stay in the system's table when it has ended
	return &viewer{Reader: out, Writer: in, in: in, out: out}, nil
}

// runOpen has a viewer watch and steer a session until its end.
func runOpen(cmd *cobra.Command, s *experiment.Session, v *viewer) (*experiment.Result, error) {
	fed := make(chan error, 1)
	go func() { fed <- experiment.Feed(s, v) }()
	line := newProgress(cmd.ErrOrStderr())
	defer line.done()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	interrupted, done := cmd.Context().Done(), s.Done()
	for {
		select {
		case <-tick.C:
			st := s.Status()
			line.report(experiment.Progress{Reductions: st.Reductions, Virtual: st.Virtual})
		case <-interrupted:
			s.Do(experiment.Command{Do: experiment.Stop})
			interrupted = nil
		case err := <-fed:
			fed = nil
			if s.Result() == nil { // closed before the end: the run goes on without it
				line.done()
				note := "the window was closed"
				if err != nil {
					note += " (" + err.Error() + ")"
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s; the run goes on without it\n", note)
				s.Discard()
				s.Do(experiment.Command{Do: experiment.Resume})
			}
		case <-done:
			done = nil
		}
		if fed == nil && done == nil {
			return s.Result(), nil
		}
	}
}
