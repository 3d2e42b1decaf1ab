package report

import (
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// TestHomonyms: two processes have a thread main each, which the numbers of a trace tell apart.
func TestHomonyms(t *testing.T) {
	var events []tracer.Event
	for i := range uint64(2) {
		pe, code, at := int32(i), uint32(i)+3, 10*int64(i)
		events = append(events,
			tracer.Event{Kind: tracer.Busy, Time: at, Task: i + 1, PE: pe, Code: code},
			tracer.Event{Kind: tracer.Start, Time: at, Task: i + 1, PE: pe, Code: code},
			tracer.Event{Kind: tracer.Wait, Time: at + 4, Task: i + 1, PE: pe, Code: 5},
			tracer.Event{Kind: tracer.Wake, Time: at + 6, Task: i + 1, PE: pe, Code: 5},
			tracer.Event{Kind: tracer.Busy, Time: at + 6, Task: i + 1, PE: pe, Code: code},
			tracer.Event{Kind: tracer.End, Time: at + 9, Task: i + 1, PE: pe, Code: code})
	}
	m := tracertest.Trace(events...)
	m.SetMeta(tracer.Meta{PEs: 2})
	for _, c := range []tracer.Code{
		{Type: tracer.Name, Name: "Renderer 2"},
		{Type: tracer.Name, Name: "Renderer 3"},
		{Type: tracer.Function, Name: "main", Parent: 1},
		{Type: tracer.Function, Name: "main", Parent: 2},
		{Type: tracer.Reason, Name: "next slice"},
	} {
		m.Dict().Add(c)
	}
	s := must.Get(Summarise(m))(t)
	var b strings.Builder
	must.Do(t, s.WriteTable(&b))
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"functions main of Renderer 2 7 ns 50.0 % main of Renderer 3 7 ns 50.0 %",
		"tasks by work 1 main of Renderer 2 7 ns 50.0 %",
		"blocked main of Renderer 2 for next slice 2 ns 50.0 % main of Renderer 3 for next slice 2 ns 50.0 %",
		"path of wake-ups main of Renderer 2 runs 7 ns 77.8 %",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestWakeUps describes a run in which main waits for a lock that a worker holds, which was ready for most of the time.
func TestWakeUps(t *testing.T) {
	events := []tracer.Event{
		{Kind: tracer.Busy, Time: 0, Task: 1, Code: 1},
		{Kind: tracer.Start, Time: 0, Task: 1, Code: 1},
		{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1, Code: 2},
		{Kind: tracer.Wait, Time: 20, Task: 1, Code: 3},
		{Kind: tracer.Idle, Time: 20, Code: 5},
		{Kind: tracer.Busy, Time: 80, Task: 2, Code: 2},
		{Kind: tracer.Start, Time: 80, Task: 2, Code: 2},
		{Kind: tracer.Wake, Time: 90, Task: 1, Ref: 2, Code: 4},
		{Kind: tracer.End, Time: 95, Task: 2, Code: 2},
		{Kind: tracer.Busy, Time: 96, Task: 1, Code: 1},
		{Kind: tracer.End, Time: 100, Task: 1, Code: 1},
	}
	for i := range events {
		events[i].Peer = tracer.None
	}
	m := tracertest.Trace(events...)
	for _, c := range []tracer.Code{
		{Type: tracer.Function, Name: "main.main"},
		{Type: tracer.Function, Name: "main.worker"},
		{Type: tracer.Reason, Name: "mutex"},
		{Type: tracer.Reason, Name: "inferred"},
		{Type: tracer.Reason, Name: "no work"},
	} {
		m.Dict().Add(c)
	}
	s := must.Get(Summarise(m))(t)
	var b strings.Builder
	must.Do(t, s.WriteTable(&b))
	for _, want := range []string{
		"lives of tasks running 39 ns 21.1 % ready 76 ns 41.1 % blocked 70 ns 37.8 %",
		"blocked main.main for mutex, by main.worker (inferred) 70 ns 100.0 %",
		"path of wake-ups waits for a PE 76 ns 76.0 % main.main runs 14 ns 14.0 % main.worker runs 10 ns 10.0 %",
		"the run had too few of them",
	} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if p := s.WakePath; p.TimeNs != 100 || p.Hops != 2 || p.Inferred != 1 || !p.TooFewPEs || p.CausesUnknown {
		t.Errorf("path %+v", p)
	}
}

// TestPlacesOfCauses: a wait for another PE names its thread, since its number says nothing to those who know threads.
func TestPlacesOfCauses(t *testing.T) {
	events := []tracer.Event{
		{Kind: tracer.Busy, Time: 0, Task: 1, Code: 1},
		{Kind: tracer.Busy, Time: 0, Task: 2, PE: 1, Code: 2},
		{Kind: tracer.Start, Time: 0, Task: 1, Code: 1},
		{Kind: tracer.Start, Time: 0, Task: 2, PE: 1, Code: 2},
		{Kind: tracer.Wait, Time: 20, Task: 1, Code: 3},
		{Kind: tracer.Idle, Time: 20, Code: 3},
		{Kind: tracer.Wake, Time: 90, Task: 1, Ref: 2, PE: 1, Code: 3},
		{Kind: tracer.Busy, Time: 90, Task: 1, Code: 1},
		{Kind: tracer.End, Time: 100, Task: 1, Code: 1},
		{Kind: tracer.End, Time: 100, Task: 2, PE: 1, Code: 2},
	}
	for i := range events {
		events[i].Peer = tracer.None
	}
	m := tracertest.Trace(events...)
	m.SetMeta(tracer.Meta{PEs: 2, PEInfo: []tracer.PE{{Process: "shop", Thread: "main"}, {Process: "shop", Thread: "painter"}}})
	for _, c := range []tracer.Code{{Type: tracer.Function, Name: "run"}, {Type: tracer.Function, Name: "paint"}, {Type: tracer.Reason, Name: "mutex"}} {
		m.Dict().Add(c)
	}
	s := must.Get(Summarise(m))(t)
	var b strings.Builder
	must.Do(t, s.WriteTable(&b))
	if want := "70 ns for PE 1 (painter) in paint"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
}
