package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"whorl/experiment/session"
	"whorl/serve"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
)

// enough bounds how long a test waits. It is long because the machine may be busy.
const enough = 4 * time.Minute

// A fakeViewer replaces whorl-view in tests. The variable VIEWER_DOES selects its commands to the run. It writes a line for each change that it
// sees to the file VIEWER_LOG.
type fakeViewer struct {
	*session.Remote
	g   *store.Growing
	log *os.File
}

func fakeViewerMain() {
	log, err := os.OpenFile(os.Getenv("VIEWER_LOG"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if len(os.Args) != 2 || os.Args[1] != "--live" {
		fmt.Fprintln(log, "arguments", os.Args[1:])
		os.Exit(2)
	}
	if os.Getenv("VIEWER_DOES") == "no window" {
		os.Exit(69)
	}
	signal.Ignore(syscall.SIGPIPE) // as whorl-view does
	v := fakeViewer{session.Attach(session.Pipes(os.Stdin, os.Stdout)), store.NewGrowing(), log}
	v.until("grown", func(session.Status) bool { return v.reductions() > 0 })
	switch os.Getenv("VIEWER_DOES") {
	case "pause":
		v.Do(session.Command{Do: session.Pause})
		v.until("paused", func(s session.Status) bool { return s.State == session.Paused })
		at := v.reductions()
		time.Sleep(150 * time.Millisecond)
		v.receive()
		v.say("still", v.reductions() == at)
		v.Do(session.Command{Do: session.Step, N: 7})
		v.until("stepped", func(s session.Status) bool { return s.State == session.Paused && s.Reductions == at+7 })
		v.Do(session.Command{Do: session.Stop})
	case "stop":
		at := v.reductions()
		v.Do(session.Command{Do: session.Pause}) // without effect: the program of a folder cannot be paused
		v.until("grown more", func(s session.Status) bool { return v.reductions() >= at+3 && s.Unpausable })
		v.Do(session.Command{Do: session.Stop})
	case "leave", "replay":
		if os.Getenv("VIEWER_DOES") == "replay" {
			v.Do(session.Command{Do: session.Pause})
			v.until("paused", func(s session.Status) bool { return s.State == session.Paused })
			v.Replaced()
		} else {
			v.Close()
		}
		v.Wait()
		v.say("left")
		return
	}
	v.until("end", func(s session.Status) bool { return s.State == session.Finished })
	st := v.Status()
	v.say(fmt.Sprintf("outcome %q, error %q, closed %v, whole %v", st.Outcome, st.Err, v.g.Ended(), v.g.Err() == nil && v.reductions() > 0))
}

func (v *fakeViewer) say(what ...any) { fmt.Fprintln(v.log, what...) }

// reductions returns the number of reductions and forks in the trace.
func (v *fakeViewer) reductions() int64 {
	c := v.g.Counts()
	return c[tracer.Reduce] + c[tracer.Fork]
}

func (v *fakeViewer) receive() {
	if _, err := v.g.Write(v.TakeTrace()); err != nil {
		v.say("error", err)
	}
}

func (v *fakeViewer) until(what string, ok func(session.Status) bool) {
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		st := v.Status()
		v.receive()
		if ok(st) {
			v.say(what)
			return
		}
	}
	v.say("no", what)
	os.Exit(1)
}

// openRun returns a command that runs whorl run --open with the fake viewer on a program that never ends. The function saw compares the
// viewer's log, once it contains the last line, with the lines that are wanted.
func openRun(t *testing.T, does string, args ...string) (whorl *exec.Cmd, saw func(want ...string)) {
	t.Helper()
	dir := t.TempDir()
	program, log := filepath.Join(dir, "spin.fghc"), filepath.Join(dir, "log")
	must.Do(t, os.WriteFile(program, []byte("spin(N) :- true | N1 := N + 1, spin(N1).\n"), 0o600))
	path := whorlPath(t)
	whorl = exec.Command(path, append([]string{"run", program, "--goal", "spin(0)", "--open", "--max-time", "10m"}, args...)...)
	whorl.Env = append(os.Environ(), "VIEWER_LOG="+log, "VIEWER_DOES="+does, "DISPLAY=:0", "GORACE=atexit_sleep_ms=0")
	return whorl, func(want ...string) {
		t.Helper()
		var text []byte
		for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			text, _ = os.ReadFile(log)
			if strings.Contains(string(text), want[len(want)-1]) {
				break
			}
		}
		if got := strings.TrimSpace(string(text)); got != strings.Join(want, "\n") {
			t.Errorf("the viewer saw\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
	}
}

// TestOpenSeesTheRunGrowAndSteersIt pauses, steps and stops a run from the viewer.
func TestOpenSeesTheRunGrowAndSteersIt(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "spin.whorl")
	whorl, saw := openRun(t, "pause", "-o", trace)
	out, err := whorl.CombinedOutput()
	if whorl.ProcessState.ExitCode() != 130 || !strings.Contains(string(out), "whorl: stopped; the trace until then is in "+trace) {
		t.Errorf("%v\n%s", err, out)
	}
	saw("grown", "paused", "still true", "stepped", "end", `outcome "interrupted", error "stopped", closed true, whole true`)
	file := must.Get(open.File(trace))(t)
	defer file.Close()
	if file.Missing != "" || file.Counts()[tracer.Reduce] == 0 {
		t.Errorf("the trace lacks something: %s", file.Missing)
	}
}

// TestOpenOfARunThatIsKilled kills whorl while the viewer shows its run; viewer and trace file keep the events until then.
func TestOpenOfARunThatIsKilled(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "spin.whorl")
	whorl, saw := openRun(t, "watch", "-o", trace)
	must.Do(t, whorl.Start())
	saw("grown") // before it is killed
	must.Do(t, whorl.Process.Kill())
	_ = whorl.Wait()
	saw("grown", "end", `outcome "", error "the run was cut off: its process ended without a word", closed false, whole true`)
	file := must.Get(open.File(trace))(t)
	defer file.Close()
	if file.Missing == "" || file.Counts()[tracer.Reduce] == 0 {
		t.Errorf("missing %q, %v", file.Missing, file.Counts())
	}
}

// TestOpenWhenTheWindowLeaves checks that a run goes on when its window is closed, or replays the run from the seed.
func TestOpenWhenTheWindowLeaves(t *testing.T) {
	for _, c := range []struct{ does, seen, want string }{
		{"leave", "left", "whorl: the window was closed; the run goes on without it\n"},
		{"replay", "paused\nleft", "whorl: the window goes on with a replay of its own; this run goes on to its end\n"},
	} {
		whorl, saw := openRun(t, c.does, "--max-reductions", "3000000")
		var stderr strings.Builder
		pipe := must.Get(whorl.StderrPipe())(t)
		must.Do(t, whorl.Start())
		if _, err := io.Copy(&stderr, pipe); err != nil {
			t.Error(err)
		}
		_ = whorl.Wait()
		saw("grown", c.seen)
		if whorl.ProcessState.ExitCode() != 3 || !strings.Contains(stderr.String(), c.want) || strings.Count(stderr.String(), "goes on") != strings.Count(c.want, "goes on") ||
			!strings.Contains(stderr.String(), "stopped after 3,000,000 reductions") {
			t.Errorf("%s: exit status %d\n%s", c.does, whorl.ProcessState.ExitCode(), &stderr)
		}
	}
}

// TestOpenWithoutADisplay checks that the complete run is served as a page if the viewer cannot show a window.
func TestOpenWithoutADisplay(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "spin.whorl")
	for _, reductions := range []string{"1000", "300000"} { // fewer than the pipe to the viewer holds, and more
		whorl, _ := openRun(t, "no window", "-o", trace, "--max-reductions", reductions)
		out, _ := ended(whorl)
		if err := serve.Built(); err != nil {
			if !strings.Contains(out, err.Error()) {
				t.Errorf("%s", out)
			}
			continue
		}
		if !strings.Contains(out, "cannot show one; the run is served as a page: open http://127.0.0.1:") || !strings.Contains(out, "http://127.0.0.1:") ||
			strings.Contains(out, "without it") || whorl.ProcessState.ExitCode() != 3 {
			t.Errorf("exit status %d\n%s", whorl.ProcessState.ExitCode(), out)
		}
		file := must.Get(open.File(trace))(t)
		if n := strconv.FormatInt(file.Counts()[tracer.Reduce], 10); n != reductions || file.Missing != "" {
			t.Errorf("%s reductions in the trace, want %s; %s", n, reductions, file.Missing)
		}
		file.Close()
	}
}

// TestOpenWithoutAViewer checks the errors where whorl-view is missing, cannot be started, or has no display.
func TestOpenWithoutAViewer(t *testing.T) {
	path := whorlPath(t)
	program := must.Get(os.ReadFile(path))(t)
	dir := t.TempDir()
	alone := filepath.Join(dir, "whorl")
	must.Do(t, os.WriteFile(alone, program, 0o700))
	trace := filepath.Join(dir, "a.whorl")
	for _, c := range []struct {
		viewer  string // content of the file whorl-view beside whorl; "" for no file
		display string
		want    string
	}{
		{"", ":0", "whorl: no window: whorl-view is neither beside whorl nor among the commands"},
		{"", "", "whorl: no window: there is no display (DISPLAY is not set)"},
		{"this is no program\n", ":0", "whorl-view cannot be started: "},
	} {
		if c.viewer != "" {
			must.Do(t, os.WriteFile(filepath.Join(dir, "whorl-view"), []byte(c.viewer), 0o700))
		}
		whorl := exec.Command(alone, "run", "pascal", "--open", "-o", trace)
		whorl.Env = []string{"PATH=" + filepath.Join(dir, "none"), "DISPLAY=" + c.display, "GORACE=atexit_sleep_ms=0"}
		out, err := ended(whorl)
		if !strings.Contains(out, c.want) {
			t.Errorf("%v\n%s", err, out)
		}
		status := 2
		if c.viewer == "" { // and no page
			status = 1
		}
		switch _, err := os.Stat(trace); {
		case serve.Built() == nil && c.viewer == "": // the run is carried out and served until it is interrupted
			if err != nil {
				t.Errorf("no trace is left: %v", err)
			}
			os.Remove(trace)
		case err == nil:
			t.Errorf("a trace is left where nothing has run (viewer %q)", c.viewer)
		case whorl.ProcessState.ExitCode() != status || strings.Count(out, "\n") != 1:
			t.Errorf("exit status %d\n%s", whorl.ProcessState.ExitCode(), out)
		}
	}
}

// ended runs a command, interrupts it when it serves a page, and returns its output.
func ended(c *exec.Cmd) (string, error) {
	var out testenv.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		return "", err
	}
	end := make(chan error, 1)
	go func() { end <- c.Wait() }()
	limit := time.After(enough)
	interrupted := false // a second interrupt would end whorl at once, with another status
	for {
		select {
		case err := <-end:
			return out.String(), err
		case <-limit:
			_ = c.Process.Kill()
			return out.String(), <-end
		case <-time.After(20 * time.Millisecond):
			if !interrupted && strings.Contains(out.String(), "Ctrl-C ends the server") {
				interrupted = true
				_ = c.Process.Signal(os.Interrupt)
			}
		}
	}
}
