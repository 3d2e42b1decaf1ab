//go:build window && linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
)

// feed runs a long program for a viewer connected to standard input and output. It writes changes of the run's state
// to standard error.
func feed() {
	r := experiment.Defaults("fghc/fibonacci")
	r.Args = []string{"40"}
	s, err := session.Start(r)
	if err != nil {
		panic(err)
	}
	go func() {
		for last := session.Finished; ; time.Sleep(5 * time.Millisecond) {
			if st := s.Status(); st.State != last {
				last = st.State
				fmt.Fprintln(os.Stderr, map[session.State]string{session.Running: "runs", session.Paused: "rests"}[last])
			}
		}
	}()
	_ = session.Feed(s, session.Pipes(os.Stdin, os.Stdout))
}

// A watcher observes a window and moves its pointer.
type watcher struct {
	*testing.T
	x      *xgb.Conn
	window xproto.Window
	origin *xproto.TranslateCoordinatesReply
}

// look returns a checksum of the pixels of the first picture, and their number of colours.
func (s *watcher) look() (sum uint32, colours int) {
	s.Helper()
	const x, y, w, h = 20, 90, 440, 420
	m := must.Get(xproto.GetImage(s.x, xproto.ImageFormatZPixmap, xproto.Drawable(s.window), x, y, w, h, ^uint32(0)).Reply())(s)
	seen := map[[4]byte]bool{}
	for i := 0; i+4 <= len(m.Data); i += 4 {
		seen[[4]byte(m.Data[i:])] = true
	}
	return crc32.ChecksumIEEE(m.Data), len(seen)
}

// changes waits until the picture has changed n times.
func (s *watcher) changes(n int) {
	s.Helper()
	last, _ := s.look()
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if sum, _ := s.look(); sum != last {
			last = sum
			if n--; n == 0 {
				return
			}
		}
	}
	s.Fatal("the picture does not change")
}

// settles waits until the picture has not changed for the given time.
func (s *watcher) settles(long time.Duration) {
	s.Helper()
	last, since := uint32(0), time.Now()
	for begin := time.Now(); time.Since(begin) < enough; time.Sleep(50 * time.Millisecond) {
		if sum, _ := s.look(); sum != last {
			last, since = sum, time.Now()
		} else if time.Since(since) > long {
			return
		}
	}
	s.Fatal("the picture keeps changing")
}

// click presses and releases the main button.
func (s *watcher) click(x, y int16) {
	s.Helper()
	fake := func(kind byte, detail byte) {
		must.Do(s, xtest.FakeInputChecked(s.x, kind, detail, 0, 0, s.origin.DstX+x, s.origin.DstY+y, 0).Check())
		time.Sleep(120 * time.Millisecond)
	}
	fake(xproto.MotionNotify, 0)
	fake(xproto.ButtonPress, 1)
	fake(xproto.ButtonRelease, 1)
}

// TestLive watches a run in another process. The picture changes while the run goes on, rests while it is paused,
// and is complete after the process was killed.
func TestLive(t *testing.T) {
	x, err := xgb.NewConn()
	if err != nil {
		t.Skipf("no display: %v", err)
	}
	defer x.Close()
	if err := xtest.Init(x); err != nil {
		t.Skipf("the display has no pointer to control: %v", err)
	}
	start := func(role string, args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), childEnv+"="+role, "XAUTHORITY=/nowhere", "XDG_CONFIG_HOME="+t.TempDir())
		return cmd
	}
	runner, viewer := start("feed"), start("1", "--live")
	fromRunner, toViewer, err1 := os.Pipe()
	fromViewer, toRunner, err2 := os.Pipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	runner.Stdin, runner.Stdout = fromViewer, toViewer
	viewer.Stdin, viewer.Stdout = fromRunner, toRunner
	words, err := runner.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(words)
	says := func(want string) {
		t.Helper()
		for said.Scan() {
			if said.Text() == want {
				return
			}
		}
		t.Fatalf("the run does not report that it %s", want)
	}
	var complaints bytes.Buffer
	viewer.Stderr = &complaints
	for _, cmd := range []*exec.Cmd{runner, viewer} {
		must.Do(t, cmd.Start())
		hung := time.AfterFunc(4*enough, func() { _ = cmd.Process.Kill() })
		defer hung.Stop()
		defer func() { _ = cmd.Process.Kill() }()
	}
	for _, f := range []*os.File{fromRunner, toViewer, fromViewer, toRunner} {
		_ = f.Close()
	}
	s := &watcher{T: t, x: x, window: awaitWindow(t, x, "fibonacci 40, 4 PEs, on-demand · Whorl")}
	if s.origin, err = xproto.TranslateCoordinates(x, s.window, xproto.Setup(x).DefaultScreen(x).Root, 0, 0).Reply(); err != nil {
		t.Fatal(err)
	}
	says("runs")
	s.changes(3)
	if err := runner.Process.Signal(syscall.Signal(0)); err != nil {
		t.Fatalf("the program ended before its picture changed: %v", err)
	}
	const button, bottom = 22, 780 // pauses, then resumes, at the lower left
	s.click(button, bottom)
	says("rests")
	s.settles(time.Second)
	s.click(button, bottom)
	says("runs")
	s.changes(1)
	must.Do(t, runner.Process.Kill())
	_ = runner.Wait()
	s.settles(time.Second)
	if _, colours := s.look(); colours < 5 {
		t.Errorf("the picture has %d colours", colours)
	}
	must.Do(t, closeWindow(x, s.window))
	if err := viewer.Wait(); err != nil || strings.Contains(complaints.String(), "panic") {
		t.Errorf("%v\n%s", err, &complaints)
	}
}
