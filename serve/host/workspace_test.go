package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/serve"
	"whorl/serve/session"
	"whorl/testdata/must"
	"whorl/visual/share"
	"whorl/visual/share/client"
)

// begin begins a session with some files on a port of this computer, and ends it with the test.
func begin(t *testing.T, paths ...string) (*Host, error) {
	l := must.Get(serve.Listen("127.0.0.1:0", false))(t)
	h, err := New(l, paths, nil, nil, session.Options{})
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Run(t.Context()) }()
	t.Cleanup(func() {
		h.Close()
		<-ended
	})
	return h, nil
}

// join returns a member who has joined a session, with the whole board.
func join(t *testing.T, h *Host) *share.Member {
	at := must.Get(share.ParseAddress(h.Invitations[0].Link))(t)
	wake := make(chan struct{}, 1)
	m := share.NewMember("Ada", at.Token)
	line := share.NewLine(m, client.New(at, wake, nil).Dial)
	t.Cleanup(line.Close)
	for began := time.Now(); !m.Joined(); {
		if line.Step(time.Since(began)); m.Ended() != "" {
			t.Fatal(m.Ended())
		}
		select {
		case <-wake:
		case <-time.After(10 * time.Millisecond):
		}
	}
	return m
}

// TestWorkspace begins a session with a workspace: its traces have their names and groups, a simulated run is made by each member, and the panes are the
// stage.
func TestWorkspace(t *testing.T) {
	path := experimenttest.File(t, "lu", "hpf/lu", 2)
	folder := filepath.Dir(path)
	write := func(text string) string {
		at := filepath.Join(folder, "room.toml")
		must.Do(t, os.WriteFile(at, []byte("version = 1\n"+text), 0o600))
		return at
	}
	at := write(fmt.Sprintf(`
[[trace]]
name = "first"
path = %q
compared = 3
[[trace]]
name = "second"
[trace.run]
program = "fghc/nrev"
pes = 2
[[pane]]
view = "timeline"
trace = "first"
camera = {x = 1.5, y = 2.5, scale = 3.0}
[[pane]]
view = "kaleidoscope"
trace = "second"
[layout]
split = "columns"
share = 0.25
a = {panes = [2], shown = 2}
b = {panes = [1], shown = 1}
[shared]
palette = "safe"
[[shared.annotation]]
trace = "first"
task = "7"
text = "here"
`, filepath.Base(path)))
	m := join(t, must.Get(begin(t, at))(t))
	var one share.Trace
	var run experiment.Run
	if !m.Get("trace/1", &one) || one.Name != "first" || one.Group != 3 || len(m.Keys("trace/")) != 1 {
		t.Errorf("the traces are %v, the first %+v", m.Keys("trace/"), one)
	}
	if !m.Get("stage/run/second", &run) || run.Program != "fghc/nrev" || run.PEs != 2 {
		t.Errorf("the run is %+v", run)
	}
	for key, want := range map[string]string{
		"stage/pane/1": `"x":1.5`, "stage/pane/2": `"kaleidoscope"`, "stage/layout": `"share":0.25`, "stage/palette": `"safe"`, "note/first/7": `"here"`,
	} {
		if v, _ := m.Value(key); !strings.Contains(strings.ToLower(string(v)), want) {
			t.Errorf("%s is %s, want %s in it", key, v, want)
		}
	}
	for text, want := range map[string]string{
		"[[trace]]\nname = \"lost\"\n":                        "the trace lost: the workspace names no file of it and no simulated run",
		"[[trace]]\nname = \"gone\"\npath = \"gone.whorl\"\n": "the trace gone: ",
		"[": "room.toml: ",
	} {
		if _, err := begin(t, write(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := begin(t, at, path); err == nil || !strings.Contains(err.Error(), "a workspace is shared alone") {
		t.Errorf("a workspace and a trace: %v", err)
	}
}
