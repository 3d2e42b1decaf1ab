package otf2

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// TestTimes compares the exclusive time of each region on each location with that of the lines of otf2-print, and the time in collective operations
// that all ranks enter with the arrival of the last one.
func TestTimes(t *testing.T) {
	for _, name := range []string{"ring", "stencil", "transpose", "workers", "locks"} {
		m := tracer.NewMemory()
		r := open(t, archives, name+".otf2", m)
		r.align()
		want := map[string]int64{}
		for location, lines := range oracle(t, name) {
			l := r.places[location]
			exclusive(lines, func(region uint32, ns int64) {
				want[fmt.Sprintf("PE %d %s", l.pe, r.d.name(r.d.regions[region].name))] += ns
			})
		}
		r.merge()
		r.finish()
		must.Do(t, m.Close())
		got := map[string]int64{}
		contexts := m.Dict().Contexts()
		must.Do(t, m.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for _, e := range es {
				if m.Dict().Code(e.Code).Name == tracer.RegionTime {
					got[fmt.Sprintf("PE %d %s", e.PE, m.Dict().Code(contexts[e.Ref].Code).Name)] += e.Value
				}
			}
			return nil
		}))
		maps.DeleteFunc(want, func(_ string, ns int64) bool { return ns == 0 })
		if !maps.Equal(got, want) {
			for _, k := range slices.Sorted(maps.Keys(want)) {
				if got[k] != want[k] {
					t.Errorf("%s: %s has %d ns, otf2-print %d", name, k, got[k], want[k])
				}
			}
			t.Errorf("%s: %d regions, otf2-print has %d", name, len(got), len(want))
		}
	}
}

// exclusive calls f with a region and a time for each part of the lines of a location.
func exclusive(lines []string, f func(region uint32, ns int64)) {
	var stack []uint32
	last := int64(0)
	for _, line := range lines {
		var kind string
		var time int64
		var region uint32
		if n, _ := fmt.Sscanf(line, "%s %d Region: <%d>", &kind, &time, &region); n < 3 {
			continue
		}
		if len(stack) > 0 {
			f(stack[len(stack)-1], time-last)
		}
		last = time
		if kind == "ENTER" {
			stack = append(stack, region)
		} else if i := slices.Index(stack, region); i >= 0 {
			stack = stack[:i]
		}
	}
}

// TestWaits expects of each collective operation of all ranks with all others that every rank but the last to arrive waits for it, and of each
// receipt in a blocking receive that it ends a wait.
func TestWaits(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"ring":      {"barrier": 3, "message": 12},
		"transpose": {"alltoall": 9},
	} {
		m := tracer.NewMemory()
		must.Do(t, Read(os.DirFS(archives), name+".otf2", m, profile.Options{}))
		must.Do(t, m.Close())
		got, woken := map[string]int{}, map[uint64]uint64{}
		must.Do(t, m.Scan(tracer.Kinds(tracer.Wait, tracer.Wake), func(es []tracer.Event) error {
			for _, e := range es {
				if e.Kind == tracer.Wait {
					got[m.Dict().Code(e.Code).Name]++
				} else if woken[e.Task] = e.Ref; e.Ref == e.Task {
					t.Errorf("%s: task %d wakes itself", name, e.Task)
				}
			}
			return nil
		}))
		for what, n := range want {
			if got[what] != n {
				t.Errorf("%s: %d waits for %s, not %d: %v", name, got[what], what, n, got)
			}
		}
		if name == "ring" { // the barrier is the last operation
			by := map[uint64]int{}
			for _, ref := range woken {
				by[ref]++
			}
			if len(strings.Fields(fmt.Sprint(by))) != 2 {
				t.Errorf("after the barrier tasks are woken by %v, not three by one", by)
			}
		}
	}
}

// TestLocks finds the threads of a program with locks, their parent, and that they wait for each other.
func TestLocks(t *testing.T) {
	m := tracer.NewMemory()
	must.Do(t, Read(os.DirFS(archives), "locks.otf2", m, profile.Options{}))
	must.Do(t, m.Close())
	children, waits := 0, 0
	must.Do(t, m.Scan(tracer.Kinds(tracer.Fork, tracer.Wait, tracer.Wake), func(es []tracer.Event) error {
		for _, e := range es {
			switch {
			case e.Kind == tracer.Fork && e.Ref == 1:
				children++
			case e.Kind == tracer.Wait && m.Dict().Code(e.Code).Name == "lock":
				waits++
			case e.Kind == tracer.Wake && (e.Ref == 0 || e.Ref == e.Task):
				t.Errorf("%+v", e)
			}
		}
		return nil
	}))
	if children != 3 || waits != 2 { // a thread that unlocks gets the lock again, until it ends
		t.Errorf("%d children, not 3; %d waits for the lock, not 2", children, waits)
	}
}
