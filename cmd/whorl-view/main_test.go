//go:build window && linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
)

// The test program runs itself as whorl-view.
const childEnv = "WHORL_VIEW_TEST"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
	case "feed":
		feed()
		return
	default:
		main()
		return
	}
	os.Exit(m.Run())
}

// TestEnd ends the window in each possible way and checks the exit status. Standard error is empty.
func TestEnd(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "pascal.whorl")
	prepared := must.Get(experiment.Defaults("fghc/pascal").Resolve())(t)
	must.Do(t, open.Write(new(files.Writer), trace, func(rec tracer.Recorder) error { _, err := prepared.Run(t.Context(), rec, nil); return err }))
	for _, c := range []struct {
		name   string
		end    func(x *xgb.Conn, window xproto.Window, child *os.Process) error
		status int
	}{
		{"closed", func(x *xgb.Conn, window xproto.Window, _ *os.Process) error { return closeWindow(x, window) }, 0},
		{"SIGINT", func(_ *xgb.Conn, _ xproto.Window, child *os.Process) error { return child.Signal(os.Interrupt) }, 130},
		{"SIGTERM", func(_ *xgb.Conn, _ xproto.Window, child *os.Process) error { return child.Signal(syscall.SIGTERM) }, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := xgb.NewConn()
			if err != nil {
				t.Skipf("no display: %v", err)
			}
			defer x.Close()
			cmd := exec.Command(os.Args[0], trace)
			cmd.Env = append(os.Environ(), childEnv+"=1", "XAUTHORITY=/nowhere", "XDG_CONFIG_HOME="+t.TempDir())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			must.Do(t, cmd.Start())
			hung := time.AfterFunc(2*enough, func() { _ = cmd.Process.Kill() })
			defer hung.Stop()
			if err := c.end(x, awaitWindow(t, x, "pascal · Whorl"), cmd.Process); err != nil {
				t.Error(err)
			}
			_ = cmd.Wait()
			if cmd.ProcessState.ExitCode() != c.status || stderr.Len() > 0 {
				t.Errorf("%v, want exit status %d; standard error: %s", cmd.ProcessState, c.status, &stderr)
			}
		})
	}
}

// TestNoDisplay checks the exit status and the message of the program without a display.
func TestNoDisplay(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1", "DISPLAY=:64000")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 69 || !strings.Contains(string(out), "display :64000 cannot be opened") {
		t.Errorf("%v\n%s", cmd.ProcessState, out)
	}
}

func atom(x *xgb.Conn, name string) (xproto.Atom, error) {
	reply, err := xproto.InternAtom(x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	return reply.Atom, nil
}

// enough bounds how long a test waits. It is long because the machine may be busy.
const enough = 4 * time.Minute

// awaitWindow waits for a window with the given title.
func awaitWindow(t *testing.T, x *xgb.Conn, title string) xproto.Window {
	t.Helper()
	name := must.Get(atom(x, "_NET_WM_NAME"))(t)
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		tree := must.Get(xproto.QueryTree(x, xproto.Setup(x).DefaultScreen(x).Root).Reply())(t)
		for _, w := range tree.Children {
			reply, err := xproto.GetProperty(x, false, w, name, xproto.GetPropertyTypeAny, 0, 100).Reply()
			if err == nil && string(reply.Value) == title {
				return w
			}
		}
	}
	t.Fatalf("no window %q", title)
	return 0
}

// closeWindow asks a window to close, as a window manager does for its close button.
func closeWindow(x *xgb.Conn, w xproto.Window) error {
	protocols, err := atom(x, "WM_PROTOCOLS")
	if err != nil {
		return err
	}
	remove, err := atom(x, "WM_DELETE_WINDOW")
	if err != nil {
		return err
	}
	event := xproto.ClientMessageEvent{Format: 32, Window: w, Type: protocols, Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(remove), 0, 0, 0, 0})}
	return xproto.SendEventChecked(x, false, w, 0, string(event.Bytes())).Check()
}
