package view

import (
	"testing"

	"whorl/tracer"
)

// TestPlaces: the name of a PE has as few parts of its place as tell it from the others.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		pes    []tracer.PE
		want   string // of the last PE
		placed bool
	}{
		{nil, "PE 7", false},
		{[]tracer.PE{{Process: "go", Thread: "P 0"}}, "PE 0", false},
		{[]tracer.PE{{Process: "go", Thread: "P 0"}, {Process: "go", Thread: "P 1"}}, "PE 1 (P 1)", true},
		{[]tracer.PE{{Host: "a", Process: "node 1"}, {Host: "a", Process: "node 1"}, {Host: "b", Process: "node 2"}}, "PE 2 (node 2)", false},
		{[]tracer.PE{{Host: "a", Process: "rank 0", Thread: "0"}, {Host: "a", Process: "rank 0", Thread: "1"}, {Host: "b", Process: "rank 1", Thread: "1"}}, "PE 2 (rank 1 1)", true},
		{[]tracer.PE{{Process: "rank 0", Thread: "main"}, {Process: "rank 1", Thread: "main"}}, "PE 1 (rank 1)", true},
		{[]tracer.PE{{Thread: "worker"}, {Thread: "main"}, {Thread: "worker"}}, "PE 2 (worker)", true},
		{[]tracer.PE{{Host: "a", Process: "1", Thread: "1"}, {Host: "a", Process: "1", Thread: "2"}, {Host: "a", Process: "2", Thread: "1"}, {Host: "b", Process: "1", Thread: "1"}}, "PE 3 (b 1 1)", true},
		{[]tracer.PE{{Process: "same"}, {Process: "same"}}, "PE 1", false},
	} {
		r := &Run{Meta: tracer.Meta{PEs: len(c.pes), PEInfo: c.pes}, places: (&tracer.Meta{PEInfo: c.pes}).Places()}
		last := len(c.pes) - 1
		if last < 0 {
			last = 7
		}
		if got := r.PEName(last, last); got != c.want || r.Placed() != c.placed {
			t.Errorf("%+v: %q, placed %v, expected %q, %v", c.pes, got, r.Placed(), c.want, c.placed)
		}
	}
	workers := make([]tracer.PE, 6)
	for i := range workers {
		workers[i].Thread = "worker " + string(rune('a'+i))
	}
	r := &Run{Meta: tracer.Meta{PEs: 6}, places: (&tracer.Meta{PEInfo: workers}).Places()}
	if got, want := r.PEName(1, 4)+"; "+r.PEList([]int32{0, 2, 3, 5}), "PEs 1–4 (worker b–worker e); worker a, worker c–worker d, worker f"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := new(Run).PEList([]int32{0, 2}); got != "" {
		t.Errorf("PEs without places are %q", got)
	}
	if got := new(Run).PEName(0, 7); got != "PEs 0–7" {
		t.Errorf("PEs 0 to 7 are %q", got)
	}
}

// TestHomonyms: functions and tasks of one name have the names of their processes.
func TestHomonyms(t *testing.T) {
	codes := []tracer.Code{
		{},
		{Type: tracer.Name, Name: "Renderer 2"},
		{Type: tracer.Name, Name: "Renderer 3"},
		{Type: tracer.Function, Name: "main", Parent: 1},
		{Type: tracer.Function, Name: "main", Parent: 2},
		{Type: tracer.Function, Name: "io", Parent: 2},
	}
	r := &Run{Codes: codes, homonyms: tracer.Homonyms(codes)}
	for _, c := range []struct{ got, want string }{
		{r.Name(3), "main of Renderer 2"},
		{r.Name(4), "main of Renderer 3"},
		{r.Name(5), "io"},
		{r.Name(0), "unknown"},
		{r.Short(4), "main"},
		{r.TaskName(17, 4), "main 17 of Renderer 3"},
		{r.TaskName(18, 5), "io 18"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
