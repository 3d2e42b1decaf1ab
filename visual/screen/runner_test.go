package screen

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/visual/app"
)

func TestRunner(t *testing.T) {
	if _, err := NewRunner().Run(experiment.Defaults("fghc/pascla")); err == nil || !strings.Contains(err.Error(), "pascal") {
		t.Errorf("an unknown program: %v, want the nearest known one", err)
	}
	s, err := NewRunner().Run(experiment.Defaults("fghc/pascal"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	until := func(state app.SessionState) app.Status {
		t.Helper()
		for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); {
			if st := s.Status(); st.State == state {
				return st
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatalf("%v, want state %d", s.Status(), state)
		return app.Status{}
	}
	s.Do(app.Command{Do: app.StepTo, N: 100})
	if st := until(app.Paused); st.Reductions != 100 {
		t.Errorf("stepped to 100, stopped at %d", st.Reductions)
	}
	s.Do(app.Command{Do: app.Step, N: 5})
	if st := until(app.Paused); st.Reductions != 105 {
		t.Errorf("stepped 5 further, stopped at %d", st.Reductions)
	}
	s.Do(app.Command{Do: app.Resume})
	if st := until(app.Finished); st.Reductions != 2235 || st.Err != "" {
		t.Errorf("ended as %+v, want 2235 reductions", st)
	}
	trace, err := open.Reader("pascal", bytes.NewReader(s.Take()))
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	if n := trace.Counts()[tracer.Reduce]; n != 2235 {
		t.Errorf("the trace has %d reductions", n)
	}
}
