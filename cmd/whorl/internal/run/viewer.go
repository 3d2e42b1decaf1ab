package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/experiment/session"
)

// liveFlag makes whorl-view show the run of another process, which feeds it over standard input and output (session.Feed, session.Attach).
const liveFlag = "--live"

// A display shows a run while it goes on, and steers it.
type display interface {
	// show returns when the run of the session has ended. description is that of the run, with the text of its program where that is in one file.
	show(cmd *cobra.Command, s *session.Session, description experiment.Run) (*experiment.Result, error)
	Close() error
}

// A viewer is a process of whorl-view and the connection to it.
type viewer struct {
	path    string
	started time.Time
	io.ReadWriteCloser
	status chan int // receives its exit status
}

// startViewer starts the viewer, which outlives whorl. Interrupts from the keyboard do not reach it.
func startViewer(path string) (*viewer, error) {
	process := exec.Command(path, liveFlag)
	process.Stderr = os.Stderr // whorl cannot copy the output of a process that outlives it
	command.Detach(process)
	conn, err := session.Connect(process)
	if err != nil {
		return nil, errors.New(path + " cannot be started: " + err.Error())
	}
	v := &viewer{path: path, started: time.Now(), ReadWriteCloser: conn, status: make(chan int, 1)}
	go func() {
		if state, err := process.Process.Wait(); err == nil {
			v.status <- state.ExitCode()
		}
	}()
	return v, nil
}

// thenShow shows the trace of a run that has ended. If the run failed, it prints the error first and returns the exit status of the run.
func thenShow(cmd *cobra.Command, ended error, show func() error) error {
	if ended != nil {
		command.Complain(cmd.ErrOrStderr(), ended)
	}
	if err := show(); err != nil || ended == nil {
		return err
	}
	return command.Exit(command.StatusOf(ended), errors.New("the run ended with the error above"))
}

// runOpen makes a run that a window shows, or a page if there can be no window.
func runOpen(cmd *cobra.Command, r experiment.Run, out string, stats bool) error {
	window, err := findWindow()
	if err == nil {
		var v *viewer
		err = run(cmd, r, out, stats, func() (display, error) {
			var err error
			v, err = startViewer(window)
			return v, err
		})
		if v != nil {
			v.Close()
		}
	}
	if errors.Is(err, errNoWindow) {
		return runServed(cmd, r, out, stats, err)
	}
	return err
}

// show lets the viewer show and steer a session, and returns when both have ended.
func (v *viewer) show(cmd *cobra.Command, s *session.Session, _ experiment.Run) (*experiment.Result, error) {
	fed := make(chan error, 1)
	go func() { fed <- session.Feed(s, v) }()
	return watchRun(cmd, s, fed, func(err error) (string, error) {
		how, status := v.left(err)
		if cannotShow(status) {
			return "", noWindow(v.path)
		}
		return how, nil
	})
}

// watchRun shows the progress of a session in the terminal until it has ended, and its feed too unless fed is nil. left describes how the viewer of
// the feed has left the run; an error stops the run.
func watchRun(cmd *cobra.Command, s *session.Session, fed <-chan error, left func(error) (how string, err error)) (*experiment.Result, error) {
	line := command.NewProgress(cmd.Context(), cmd.ErrOrStderr())
	defer line.Done()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	interrupted, done := cmd.Context().Done(), s.Done()
	for {
		select {
		case <-tick.C:
			st := s.Status()
			if st.Unpausable { // the program of a folder uses the terminal itself
				continue
			}
			line.Report(experiment.Progress{Reductions: st.Reductions, Virtual: st.Virtual})
		case <-interrupted:
			s.Do(session.Command{Do: session.Stop})
			interrupted = nil
		case err := <-fed:
			fed = nil
			how, err := left(err)
			if err != nil {
				s.Do(session.Command{Do: session.Stop})
				<-s.Done()
				return nil, err
			}
			if s.Result() == nil { // the window was closed before the end of the run
				line.Done()
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s\n", how)
				s.Discard()
				s.Do(session.Command{Do: session.Resume})
			}
		case <-done:
			done = nil
		}
		if fed == nil && done == nil {
			return s.Result(), nil
		}
	}
}

// left describes how the viewer left the run after Feed returned err. It also returns the exit status of the viewer, -1 if the viewer still runs.
// It waits a second for the status, because a short run can end before the viewer knows whether it can show a window.
func (v *viewer) left(err error) (how string, status int) {
	if errors.Is(err, session.ErrReplayed) {
		return "the window goes on with a replay of its own; this run goes on to its end", -1
	}
	patience := time.Second
	if err == nil {
		patience -= time.Since(v.started)
	}
	status = -1
	select {
	case status = <-v.status:
	case <-time.After(patience):
	}
	const without = "; the run goes on without it"
	switch {
	case err != nil && !errors.Is(err, session.ErrViewerGone):
		return "the window has failed (" + err.Error() + ")" + without, status
	case status > 0 && status != command.ExitInterrupted:
		return fmt.Sprintf("the window has failed (exit status %d)", status) + without, status
	}
	return "the window was closed" + without, status
}
