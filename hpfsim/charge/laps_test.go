package charge

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"whorl/sim"
	"whorl/testdata/must"
	"whorl/tracer"
)

// costs returns instructions with the given costs, each on a separate line.
func costs(all ...int) []Instruction {
	out := make([]Instruction, len(all))
	for i, n := range all {
		out[i] = Instruction{Cost: n, File: "p.f90", Line: int32(i + 1)}
	}
	return out
}

// TestTallyOfPatterns compares the tallies of any pattern, with and without laps, with counting sample by sample. A full
// tally is an event.
func TestTallyOfPatterns(t *testing.T) {
	code := NewCode(Unit{Name: "p"}, costs(2, 18, 3, 20, 6, 2, 1, 40, 3, 2, 1, 1), strconv.Itoa)
	met := 0
	rapid.Check(t, func(draw *rapid.T) {
		number := func(least, most int) int { return rapid.IntRange(least, most).Draw(draw, "") }
		mem := tracer.NewMemory()
		c := New(1, Options{Model: sim.Model{InstructionPs: 1}, Recorder: mem, Sample: 1})
		call := &Call{Code: code.Fork()}
		var draws func(depth int) Pattern
		draws = func(depth int) Pattern {
			if depth == 0 {
				first := number(0, len(code.instructions)-1)
				return code.Repeat(first, number(first+1, len(code.instructions)), int64(number(1, 40)))
			}
			var parts []Pattern
			for range number(1, 3) {
				parts = append(parts, draws(number(0, depth-1)))
			}
			return Sequence(int64(number(1, 40)), parts...)
		}
		p := draws(number(0, 3))
		all := p.size * p.times
		if all == 0 {
			return
		}
		by := int64(number(1, min(int(all), 1500)))
		offset := int64(number(0, int(min(by, all))-1))
		n := min((all-offset+by-1)/by, 20_000)
		size := int64(number(1, int(n)+1))
		first, last := p.Span()

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
			counts[p.instruction(code, offset+k*by)-first]++
			if (k+1)%size == 0 {
				tell(k)
			}
		}
		if n%size != 0 {
			tell(n - 1)
		}

		ta := tally{clocks: c, call: call, first: first, counts: make([]int64, last-first), left: size, size: size, next: by, gap: by, unit: 1, steps: by}
		ta.pattern(&p, offset, n)
		ta.record()
		c.rec.flush(1 << 62)
		must.Do(draw, mem.Close())
		var got []string
		must.Do(draw, mem.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
			for _, e := range es {
				at := slices.Index(call.sites, uint32(e.Ref))
				got = append(got, fmt.Sprint(e.Time, at, e.Value))
			}
			return nil
		}))
		if !slices.Equal(got, want) {
			draw.Fatalf("of %+v, each %d from %d, %d samples, %d a tally:\n%v\nand one by one\n%v", p, by, offset, n, size, got, want)
		}
		met += len(call.Code.laps)
	})
	if met == 0 {
		t.Error("no pattern was counted by laps")
	}
}
