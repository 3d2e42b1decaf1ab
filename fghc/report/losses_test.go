package report

import (
	"fmt"
	"strings"
	"testing"

	"whorl/fghc/compile"
)

// The error at the end lists the lost goals first, at most MaxGoals in all, and counts every goal. The warning of each
// collection shows at most five goals.
func TestLosses(t *testing.T) {
	prog := new(compile.Program)
	var warnings []string
	l := Losses{Warn: LostWarner(prog, func(text string) { warnings = append(warnings, text) })}
	goals := func(name string, n int) (all []Pending) {
		for i := range n {
			all = append(all, Pending{Goal: fmt.Sprintf("%s(%d)", name, i)})
		}
		return all
	}
	l.Add(goals("p", 1), 1)
	l.Add(goals("q", 90), 95)
	if l.Len() != 96 || l.Room() != MaxGoals-91 {
		t.Errorf("%d goals, room for %d", l.Len(), l.Room())
	}
	text := l.Deadlock(prog, 50, goals("r", l.Room())).Error()
	for _, want := range []string{"deadlock: 146 goals wait forever", "p(0) waits forever", "q(89) waits forever", "r(8) waits forever", "\nand 46 more"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	l.Add(goals("s", l.Room()), 20)
	l.Add(nil, 3)
	if l.Len() != 119 || l.Room() != 0 {
		t.Errorf("%d goals, room for %d", l.Len(), l.Room())
	}
	if len(warnings) != 3 {
		t.Fatalf("%d warnings, want 3: %q", len(warnings), warnings)
	}
	if !strings.HasPrefix(warnings[0], "perpetual suspension: 1 goal can never be resumed\n") || strings.Count(warnings[1], "q(") != 5 || !strings.HasSuffix(warnings[1], "and 90 more") {
		t.Errorf("%q", warnings)
	}
}
