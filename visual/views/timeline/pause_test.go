package timeline

import (
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestPauses checks the tool tips of time without a task on PE 1: what the PE waits for, and what ended the wait.
func TestPauses(t *testing.T) {
	const (
		main = iota + 1
		line
		noWork
		steal
		message
		lock
	)
	for _, c := range []struct {
		name   string
		events []tracer.Event // PE 1 idles from 20 to 60
		want   string
	}{
		{"nothing", nil, "PE 1: idle, no work|from 20 ns to 100 ns|80 ns"},
		{"a binding", []tracer.Event{
			{Time: 60, Kind: tracer.Resume, PE: 0, Peer: 1, Task: 2, Ref: 1},
			{Time: 60, Kind: tracer.Busy, PE: 1},
			{Time: 60, Kind: tracer.Reduce, PE: 1, Task: 2, Value: 40},
		}, "PE 1: idle, waiting for a value|from 20 ns to 60 ns|40 ns|until main at p.x:1 on PE 0"},
		{"a binding by a goal that is not known", []tracer.Event{
			{Time: 60, Kind: tracer.Resume, PE: 2, Peer: 1, Task: 2, Ref: 9},
			{Time: 60, Kind: tracer.Busy, PE: 1},
			{Time: 60, Kind: tracer.Reduce, PE: 1, Task: 2, Value: 40},
		}, "PE 1: idle, waiting for a value|from 20 ns to 60 ns|40 ns|until PE 2"},
		{"a thread", []tracer.Event{
			{Time: 60, Kind: tracer.Busy, PE: 1},
			{Time: 60, Kind: tracer.JoinEnd, PE: 1, Peer: 0, Task: 2, Ref: 3},
		}, "PE 1: idle, waiting for the end of a thread|from 20 ns to 60 ns|40 ns|until PE 0"},
		{"work", []tracer.Event{
			{Time: 20, Kind: tracer.Idle, PE: 1, Code: steal},
			{Time: 60, Kind: tracer.Move, PE: 1, Peer: 0, Task: 4, Code: steal},
			{Time: 60, Kind: tracer.Busy, PE: 1},
			{Time: 100, Kind: tracer.Idle, PE: 1, Code: noWork},
		}, "PE 1: idle, asking for work|from 20 ns to 60 ns|40 ns|work came from PE 0"},
		{"a message", []tracer.Event{
			{Time: 20, Kind: tracer.Idle, PE: 1, Code: message},
			{Time: 60, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 7, Code: line},
			{Time: 60, Kind: tracer.Busy, PE: 1},
			{Time: 60, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 7, Code: line},
			{Time: 100, Kind: tracer.Idle, PE: 1, Code: noWork},
		}, "PE 1: idle, waiting for a message|from 20 ns to 60 ns|40 ns|until main at p.x:5 on PE 0"},
		{"a lock", []tracer.Event{
			{Time: 20, Kind: tracer.Idle, PE: 1, Code: lock},
			{Time: 60, Kind: tracer.Busy, PE: 1},
			{Time: 60, Kind: tracer.Reduce, PE: 1, Task: 2, Value: 40},
		}, "PE 1: idle, waiting: lock|from 20 ns to 60 ns|40 ns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := tracer.NewMemory()
			m.SetMeta(tracer.Meta{PEs: 3})
			for _, code := range []tracer.Code{
				{Type: tracer.Function, Name: "main", File: "p.x", Line: 1},
				{Type: tracer.Line, File: "p.x", Line: 5, Parent: main},
				{Type: tracer.Reason, Name: "no work"},
				{Type: tracer.Reason, Name: "steal"},
				{Type: tracer.Reason, Name: "message"},
				{Type: tracer.Reason, Name: "lock"},
			} {
				m.Dict().Add(code)
			}
			s := m.Stream(tracer.StreamInfo{})
			events := []tracer.Event{
				{Kind: tracer.Busy, PE: 0},
				{Kind: tracer.Reduce, PE: 0, Task: 1, Code: main, Value: 100},
				{Kind: tracer.Busy, PE: 1},
			}
			if len(c.events) == 0 || c.events[0].Time > 20 {
				events = append(events, tracer.Event{Time: 20, Kind: tracer.Idle, PE: 1, Code: noWork})
			}
			for _, e := range append(append(events, c.events...), tracer.Event{Time: 100, Kind: tracer.Exit}, tracer.Event{Time: 100, Kind: tracer.Exit, PE: 1}) {
				*s.Slot() = e
			}
			must.Do(t, m.Close())
			g, f := shown(t, m, 600, 300)
			r := layout(f, g)
			y0, y1 := r.bar(1)
			tip, ok := g.Tip(f, r.In.X0+0.4*r.In.W(), (y0+y1)/2)
			if got := strings.Join(tip.Lines, "|"); !ok || got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
