package view_test

import (
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// TestCostNote checks which traces have times of tasks that are not the work of the account.
func TestCostNote(t *testing.T) {
	for _, c := range []struct {
		kinds []tracer.Kind
		mode  string
		want  string // begins the note
	}{
		{[]tracer.Kind{tracer.Reduce}, "", ""},
		{[]tracer.Kind{tracer.Reduce, tracer.Suspend}, "", "Times are those of reductions."},
		{[]tracer.Kind{tracer.Start}, "", ""},
		{[]tracer.Kind{tracer.Start, tracer.Overhead}, "", "Times are those from the start to the end of a thread, without its joins, for the PE on which it started."},
		{[]tracer.Kind{tracer.Start, tracer.Wait}, tracer.Live, "Times are those from the start to the end of a thread, without its waits. Stats"},
		{[]tracer.Kind{tracer.Start, tracer.Overhead}, tracer.Live, "Times are those from the start to the end of a thread, without its joins. Stats"},
	} {
		r := &view.Run{Meta: tracer.Meta{Mode: c.mode}}
		for _, k := range c.kinds {
			r.Counts[k] = 1
		}
		if note := r.CostNote(); !strings.HasPrefix(note, c.want) || (note == "") != (c.want == "") {
			t.Errorf("%v %s: %q", c.kinds, c.mode, note)
		}
	}
}
