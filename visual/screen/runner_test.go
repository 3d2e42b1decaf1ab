package screen

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/open"
)

func TestRunner(t *testing.T) {
	if _, err := NewRunner().Run(experiment.Defaults("fghc/pascla")); err == nil || !strings.Contains(err.Error(), "pascal") {
		t.Errorf("an unknown program: %v, want the nearest known one", err)
	}
	s := must.Get(NewRunner().Run(experiment.Defaults("fghc/pascal")))(t)
	defer s.Close()
	until := func(state session.State) session.Status {
		t.Helper()
		for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); {
			if st := s.Status(); st.State == state {
				return st
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("%v, want state %d", s.Status(), state)
		return session.Status{}
	}
	s.Do(session.Command{Do: session.StepTo, N: 100})
	if st := until(session.Paused); st.Reductions != 100 {
		t.Errorf("stepped to 100, stopped at %d", st.Reductions)
	}
	s.Do(session.Command{Do: session.Step, N: 5})
	if st := until(session.Paused); st.Reductions != 105 {
		t.Errorf("stepped 5 further, stopped at %d", st.Reductions)
	}
	s.Do(session.Command{Do: session.Resume})
	if st := until(session.Finished); st.Reductions != 2235 || st.Err != "" {
		t.Errorf("ended as %+v, want 2235 reductions", st)
	}
	trace := must.Get(open.Reader("pascal", bytes.NewReader(s.TakeTrace())))(t)
	defer trace.Close()
	if n := trace.Counts()[tracer.Reduce]; n != 2235 {
		t.Errorf("the trace has %d reductions", n)
	}
}

// TestFiles checks that files have absolute paths, and a size if they exist.
func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.whorl")
	must.Do(t, os.WriteFile(path, []byte("abc"), 0o600))
	t.Chdir(filepath.Dir(path))
	opened, err := Open([]string{"a.whorl", "none"}, false, "", nil)
	fs := opened.Files
	if err != nil || len(fs) != 2 || fs[0].Path != path || fs[0].Name != "a.whorl" || fs[0].Size != 3 || fs[1].Size != -1 {
		t.Errorf("%+v, %v", fs, err)
	}
	if r, err := fs[0].Read(); err != nil {
		t.Error(err)
	} else if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := fs[1].Read(); err == nil {
		t.Error("read a missing file")
	}
}
