package app

import (
	"testing"

	"whorl/experiment"
)

// TestRunsOpen starts a program of each substrate: no pane of it shows a view that the run does not fit, although the run has no events when it opens.
func TestRunsOpen(t *testing.T) {
	for _, c := range []struct {
		program string
		pes     int
		main    string
	}{{"fghc/pascal", 4, "kaleidoscope"}, {"dts/fibonacci", 4, "threadgraph"}, {"hpf/jacobi", 4, "overview"}, {"hpf/jacobi", 64, "halo"}} {
		d := drive(t, Options{Runner: native{}}, 1280, 800, 1)
		r := experiment.Defaults(c.program)
		r.PEs = c.pes
		d.app.launcher.Begin(r)
		d.rest()
		found := false
		for _, id := range d.app.model.IDs {
			p := d.app.model.Panes[id]
			found = found || p.Kind.Name == c.main
			if p.Err != nil {
				t.Errorf("%s on %d PEs: %s: %v", c.program, c.pes, p.Kind.Name, p.Err)
			}
		}
		if !found {
			t.Errorf("%s on %d PEs opens without the view %s", c.program, c.pes, c.main)
		}
		d.app.Close()
	}
}
