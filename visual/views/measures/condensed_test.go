package measures

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// left lists the rows that the view of a trace larger than memory leaves out.
var left = []string{"span", "parallelism", "tasks"}

// scans is a trace that counts how often it is read.
type scans struct {
	*tracer.Memory
	n int
}

func (s *scans) Scan(want tracer.KindSet, yield func([]tracer.Event) error) error {
	s.n++
	return s.Memory.Scan(want, yield)
}

// TestCondensedReadsOnce checks that the tables of a trace larger than memory take one pass.
func TestCondensedReadsOnce(t *testing.T) {
	src := &scans{Memory: kindtest.Changes(100, 2)}
	kindtest.Shown[*Geometry](t, Kind().Condensation.Kind(1<<20), src, 600, 400)
	if src.n != 1 {
		t.Errorf("the trace was read %d times", src.n)
	}
}

// TestCondensed compares the tables of a trace larger than memory with those of the same trace in memory: all that remains has the same values.
func TestCondensed(t *testing.T) {
	src := viewtest.Small()
	whole, _ := shown(t, src, 600, 400)
	small, f := kindtest.Shown[*Geometry](t, Kind().Condensation.Kind(1<<20), src, 600, 400)
	texts := func(g *Geometry) (lines []string) {
		for i := range g.tables {
			lines = append(lines, strings.Split(g.tables[i].text(99), "\n")...)
		}
		return lines
	}
	whole.tables = slices.DeleteFunc(whole.tables, func(t table) bool { return t.title == "Task" || t.title == "Blocked" })
	want := slices.DeleteFunc(texts(whole), func(line string) bool {
		name, _, _ := strings.Cut(line, "|")
		return slices.Contains(left, name)
	})
	if got := texts(small); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(texts(whole))-len(want) != len(left) {
		t.Errorf("the whole trace has the rows %q, some of %q are missing", texts(whole), left)
	}
	notes := small.Legend(f).Blocks[1].Notes
	if len(notes) != 1 || !strings.Contains(notes[0], "the numbers of tasks and the span are left out") {
		t.Errorf("the legend says %q", notes)
	}
	kindtest.AnyFrame(t, Kind().Condensation.Kind(1<<20), small)
}

// TestCondensedWithoutTimes draws a trace in which a PE has a step of no time at the end, and nothing before it.
func TestCondensedWithoutTimes(t *testing.T) {
	src := tracertest.Trace(
		tracer.Event{Kind: tracer.Busy}, tracer.Event{Time: 10, Kind: tracer.Idle},
		tracer.Event{Time: 10, Kind: tracer.Reduce, PE: 1, Peer: tracer.None, Task: 1},
	)
	kindtest.Shown[*Geometry](t, Kind().Condensation.Kind(1<<20), src, 600, 400)
}

// TestMemoryOfThreads checks that the measures of a run of threads are expected to take the memory that they take, about 600 bytes for a thread.
func TestMemoryOfThreads(t *testing.T) {
	d := view.Demand{Counts: [tracer.NumKinds]int64{tracer.Fork: 1e6, tracer.Start: 1e6, tracer.End: 1e6, tracer.Busy: 100, tracer.Idle: 100}}
	if whole, outlined := Kind().Condensation.Memory(d); whole < 600e6 || outlined > 64<<20 {
		t.Errorf("%d bytes, %d condensed", whole, outlined)
	}
	d.Counts[tracer.Busy], d.Counts[tracer.Idle] = 0, 0
	if whole, outlined := Kind().Condensation.Memory(d); whole != outlined {
		t.Errorf("a trace that cannot be condensed takes %d bytes, %d condensed", whole, outlined)
	}
}
