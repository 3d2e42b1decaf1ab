package exec

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
)

// A tally of any pattern counts what a look at each of its samples finds, and is an event where it is full, whether repetitions are counted by
// laps or not.
func TestTallyOfPatterns(t *testing.T) {
	p := prepared(t, "p.f90", "program p\nreal a(9), s\ndo i = 1, 9\na(i) = sqrt(a(i) / 3 + s) * i\ns = s + a(i) ** 2\nend do\nend\n", 1)
	laps := 0
	rapid.Check(t, func(draw *rapid.T) {
		number := func(least, most int) int { return rapid.IntRange(least, most).Draw(draw, "") }
		mem := tracer.NewMemory()
		m := machine(t, p, Options{Recorder: mem, Sample: 1})
		f := m.frame(p.Main, m.all, nil)
		var draws func(depth int) pattern
		draws = func(depth int) pattern {
			if depth == 0 {
				first := number(0, len(f.code.unit.Code)-1)
				return f.code.leaf(first, number(first+1, len(f.code.unit.Code)), int64(number(1, 40)))
			}
			var parts []pattern
			for range number(1, 3) {
				parts = append(parts, draws(number(0, depth-1)))
			}
			return several(int64(number(1, 40)), parts...)
		}
		of := draws(number(0, 3))
		all := of.each * of.times
		if all == 0 {
			return
		}
		by := int64(number(1, min(int(all), 1500)))
		offset := int64(number(0, int(min(by, all))-1))
		n := min((all-offset+by-1)/by, 20_000)
		size := int64(number(1, int(n)+1))
		first, last := of.span()

		var want []string
		counts := make([]int64, last-first)
		tell := func(k int64) {
			for i, c := range counts {
				if c > 0 {
					want = append(want, fmt.Sprint((k+1)*by/1000, first+i, c))
				}
			}
			clear(counts)
		}
		for k := range n {
			counts[of.at(f.code, offset+k*by)-first]++
			if (k+1)%size == 0 {
				tell(k)
			}
		}
		if n%size != 0 {
			tell(n - 1)
		}

		ta := tally{f: f, first: first, counts: make([]int64, last-first), left: size, size: size, next: by, gap: by, unit: 1, by: by}
		ta.pattern(&of, offset, n)
		ta.record()
		m.rec.flush(1 << 62)
		if err := mem.Close(); err != nil {
			draw.Fatal(err)
		}
		var got []string
		err := mem.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for _, e := range es {
				at := slices.Index(f.sites, uint32(e.Ref))
				got = append(got, fmt.Sprint(e.Time, at, e.Value))
			}
			return nil
		})
		if err != nil {
			draw.Fatal(err)
		}
		if !slices.Equal(got, want) {
			draw.Fatalf("of %+v, each %d from %d, %d samples, %d a tally:\n%v\nand one by one\n%v", of, by, offset, n, size, got, want)
		}
		laps += len(f.code.laps)
	})
	if laps == 0 {
		t.Error("no pattern was counted by laps")
	}
}
