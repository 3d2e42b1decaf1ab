package cluster

import (
	"slices"
	"testing"
	"time"
)

// TestLateBeats checks that a beat from before the end of a node, which is handled after the announcement of its end, does not make the node a member
// again, whose loss would be reported. A node that was only silent comes back.
func TestLateBeats(t *testing.T) {
	var lost []string
	ms := newMembers(member{id: "self~1"}, time.Hour)
	ms.lost = func(m member, left bool) {
		if !left {
			lost = append(lost, m.id)
		}
	}
	a, b := member{id: "a~1"}, member{id: "b~1"}
	ms.heard(a)
	ms.heard(b)
	ms.died(a.id, true)
	ms.heard(a)
	ms.died(a.id, false)
	ms.died(b.id, false)
	ms.heard(b)
	if len(ms.list()) != 2 || !slices.Equal(lost, []string{b.id}) {
		t.Errorf("%d members, and %v were lost", len(ms.list()), lost)
	}
}
