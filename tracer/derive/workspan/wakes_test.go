package workspan

import (
	"testing"

	"whorl/tracer"
)

// TestWakesOfEnded checks that a builtin which binds a variable after its end leaves no record of the goal that it resumes, since it is never reduced.
func TestWakesOfEnded(t *testing.T) {
	var g Goals
	for _, e := range []tracer.Event{
		{Kind: tracer.Reduce, Task: 1, Value: 10},
		{Kind: tracer.Suspend, Time: 10, Task: 2, Ref: 1},
		{Kind: tracer.Suspend, Time: 10, Task: 3, Ref: 1},
		{Kind: tracer.Resume, Time: 20, Task: 2, Ref: 1},
		{Kind: tracer.End, Time: 25, Task: 2},
		{Kind: tracer.Resume, Time: 25, Task: 3, Ref: 2},
	} {
		g.Event(&e)
	}
	if len(g.wakes) != 0 || g.Tasks != 3 {
		t.Errorf("%d records of wakes, %d tasks", len(g.wakes), g.Tasks)
	}
}
