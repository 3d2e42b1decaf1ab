package replay

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer/observed"
)

// sequence returns the events of tasks that run on PE 0 one after the other. A task is the name of its function, main or work, and then durations and
// operations of package observe: OPERATION:OBJECT:NUMBER.
func sequence(t *testing.T, tasks ...string) string {
	t.Helper()
	var b strings.Builder
	code := map[string]int{"main": 1, "work": 2}
	for i, text := range tasks {
		fmt.Fprintf(&b, "0 Fork pe=0 task=%d code=%d\n", i+1, code[strings.Fields(text)[0]])
	}
	now := 0
	for i, text := range tasks {
		fmt.Fprintf(&b, "%d Start pe=0 task=%d\n", now, i+1)
		for _, word := range strings.Fields(text)[1:] {
			if d, err := strconv.Atoi(word); err == nil {
				now += d
				continue
			}
			part := strings.Split(word, ":")
			op, ok := observed.Named("observe " + part[0])
			if !ok || len(part) != 3 {
				t.Fatalf("%s is no operation", word)
			}
			r := observed.Record{Op: op, Object: uint32(must.Get(strconv.Atoi(part[1]))(t)), Number: uint32(must.Get(strconv.Atoi(part[2]))(t))}
			fmt.Fprintf(&b, "%d Mark pe=0 task=%d code=%d value=%d\n", now, i+1, observes+int(op), r.Value())
		}
		fmt.Fprintf(&b, "%d End pe=0 task=%d\n", now, i+1)
	}
	return b.String()
}

// Locks, wait groups and channels make the tasks of a replay wait, also where those of the recording did not.
func TestObserved(t *testing.T) {
	sends := func(d string) string {
		return "main make:9:" + d + " 10 send:9:1 10 send:9:2 10 send:9:3 100 close:9:0"
	}
	for _, c := range []struct {
		name     string
		tasks    []string
		one, two sim.Time
		span     int64
	}{
		{"a lock", []string{"work 10 lock:1:0 100 unlock:1:0 10", "work 10 lock:1:0 100 unlock:1:0 10"}, 240, 220, 120},
		{"two locks", []string{"work 10 lock:1:0 100 unlock:1:0 10", "work 10 lock:2:0 100 unlock:2:0 10"}, 240, 120, 120},
		{"two readers", []string{"work 10 rlock:1:0 100 runlock:1:0 10", "work 10 rlock:1:0 100 runlock:1:0 10"}, 240, 120, 120},
		{"a reader and a writer", []string{"work 10 lock:1:0 100 unlock:1:0 10", "work 10 rlock:1:0 100 runlock:1:0 10"}, 240, 220, 120},
		{"a group", []string{"work add:1:2 50 done:1:1", "work 100 done:1:1", "main waited:1:0 10"}, 160, 110, 110},
		{"a group that counts 3", []string{"work add:1:3 50 done:1:1", "work 100 done:1:2", "main waited:1:0 10"}, 160, 110, 110},
		{"a channel without room", []string{sends("0"), "work receive:9:1 20 receive:9:2 20 receive:9:3 20 drained:9:0 5"}, 195, 155, 135},
		{"a channel with room", []string{sends("1"), "work receive:9:1 20 receive:9:2 20 receive:9:3 20 drained:9:0 5"}, 195, 135, 135},
		// On 1 PE one worker took everything.
		{"a pool", []string{
			"main make:9:4 send:9:1 send:9:2 send:9:3 send:9:4 close:9:0",
			"work receive:9:1 50 receive:9:2 50 receive:9:3 50 drained:9:0 5", "work receive:9:4 50 drained:9:0 5",
		}, 210, 105, 50},
		{"workers of two functions", []string{
			"main make:9:4 send:9:1 send:9:2 send:9:3 send:9:4 close:9:0",
			"work receive:9:1 50 receive:9:2 50 receive:9:3 50 drained:9:0 5", "main receive:9:4 50 drained:9:0 5",
		}, 210, 155, 155},
	} {
		d := must.Get(Read(source(t, 1, sequence(t, c.tasks...)), ReadOptions{}))(t)
		for i, want := range []sim.Time{c.one, c.two} {
			if got := elapsed(t, d, i+1, "steal", Setup{}); got != want {
				t.Errorf("%s: %d ns on %d PEs, want %d", c.name, got, i+1, want)
			}
		}
		if p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, Setup{}); p.Work != c.one || p.Span != c.span {
			t.Errorf("%s: %+v, want work of %d and a path of %d", c.name, p, c.one, c.span)
		}
	}
}

// The operand of an opAdd holds its group and its change.
func TestAddition(t *testing.T) {
	for _, change := range []int32{0, 1, -1, maxChange, -maxChange} {
		for _, group := range []uint32{0, 7, 1<<32 - 1} {
			o := opAdd | op(addition(group, change))<<kindBits
			if g, c := o.addition(); g != group || c != int64(change) || o.kind() != opAdd {
				t.Errorf("%d of group %d is read as %d of group %d, kind %d", change, group, c, g, o.kind())
			}
		}
	}
}
