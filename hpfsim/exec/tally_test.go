package exec

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// TestTally compares the tallied samples of each instruction of each processor with samples taken one by one, for several
// intervals. No tallied sample is later than the last one.
func TestTally(t *testing.T) {
	if testenv.Race {
		t.Skip("a single goroutine runs the program")
	}
	const source = "program p\ninteger, parameter :: n = 36\nreal*8 a(n, n), b(n, n), s\n!HPF$ DISTRIBUTE (BLOCK, *) :: a, b\na = 1\nb = sqrt(a) + a(1, 3) / 3\n" +
		"do k = 1, 8\ndo j = 2, n - 1\ndo i = 2, n - 1\nb(i, j) = 0.25d0 * (a(i-1, j) + a(i+1, j)) ** 2\nend do\nend do\na = b\ns = s + sum(a)\nend do\nend\n"
	samples := func(period int64, apart bool) (count map[string]int64, events, ticks int64, last int64) {
		mem := tracer.NewMemory()
		m := machine(t, prepared(t, "p.f90", source, 3), Options{Recorder: mem, Sample: period, apart: apart})
		must.Get(m.Advance(1 << 40))(t)
		must.Do(t, mem.Close())
		count = map[string]int64{}
		must.Do(t, mem.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for _, e := range es {
				c := mem.Dict().Code(mem.Dict().Context(uint32(e.Ref)).Code)
				count[fmt.Sprint(e.PE, c.Line, c.Name)] += e.Value
				ticks += e.Value
				last = max(last, e.Time)
				events++
				if e.Value < 1 || e.Time%period != 0 {
					t.Errorf("a sample of %d at %d", e.Value, e.Time)
				}
			}
			return nil
		}))
		return count, events, ticks, last
	}
	for _, period := range []int64{2, 6, 10, 14, 34, 64, 97, 1000, 1009, 100_000} { // an instruction takes 2 ns
		want, all, ticks, end := samples(period, true)
		got, few, same, last := samples(period, false)
		if fmt.Sprint(got) != fmt.Sprint(want) || ticks != same || end != last || all != ticks {
			t.Errorf("every %d ns: %d samples until %d, one by one %d until %d", period, same, last, ticks, end)
		}
		if period < 1000 && few*9 > all {
			t.Errorf("every %d ns: %d events for %d samples", period, few, all)
		}
	}
}

// TestWaitingIsTallied checks that a waiting processor is sampled regularly.
func TestWaitingIsTallied(t *testing.T) {
	const source = "program p\nreal a(2)\n!HPF$ DISTRIBUTE a(BLOCK)\na = 1\ndo i = 1, 200000\na(1) = a(1) + 1\nend do\na(2) = a(1)\nend\n"
	mem := tracer.NewMemory()
	m := machine(t, prepared(t, "p.f90", source, 2), Options{Recorder: mem, Sample: 100})
	must.Get(m.Advance(1 << 40))(t)
	must.Do(t, mem.Close())
	ticks, events := int64(0), 0
	must.Do(t, mem.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for _, e := range es {
			name := mem.Dict().Code(mem.Dict().Context(uint32(e.Ref)).Code).Name
			if e.PE == 1 && strings.HasPrefix(name, "exchange") {
				ticks += e.Value
				events++
			}
		}
		return nil
	}))
	_, waited := m.clocks.Busy(1)
	if want := waited / 100; want < 1000 || ticks < want-2 || ticks > want+2 || int64(events) > want/10 {
		t.Errorf("%d ticks in %d events of a wait that is %d", ticks, events, want)
	}
}
