package account_test

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// written is a Sink that writes the steps, as PE, code, context and time.
type written struct{ strings.Builder }

func (w *written) Reset()                          { w.Builder.Reset() }
func (w *written) Spend(int32, account.Piece)      {}
func (w *written) Unnamed(int32, int64, int64)     {}
func (w *written) Pause(int32, *account.Pause)     {}
func (w *written) Named(pe int32, s *account.Step) { w.Step(pe, s) }
func (w *written) Step(pe int32, s *account.Step) {
	fmt.Fprintf(w, "PE %d: %d in %d, %v to %v\n", pe, s.Code, s.Task, s.Time, s.End)
}

// sample is a sample of a code, whose context has the same number.
func sample(pe int32, at int64, code, metric uint32, value int64) tracer.Event {
	return tracer.Event{Kind: tracer.Sample, Time: at, PE: pe, Peer: tracer.None, Ref: uint64(code), Code: metric, Value: value}
}

// TestSamplesAlone has a PE with samples every 10 ns and a gap of 30, two samples at one time, and a PE with few samples, whose intervals are not usual
// ones. Samples of a second metric do not count.
func TestSamplesAlone(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []tracer.Event
		want   string
		work   [2]int64 // by PE
		to     int64
	}{
		{"ticks", []tracer.Event{
			sample(0, 0, other, ticks, 1), sample(0, 10, line, ticks, 1), sample(0, 10, line, seconds, 7), sample(0, 20, other, ticks, 1),
			sample(1, 35, other, ticks, 1),
			sample(0, 50, line, ticks, 1), sample(0, 50, other, ticks, 1), sample(0, 60, other, ticks, 1), sample(1, 62, line, ticks, 1),
			sample(0, 75, line, ticks, 1), sample(0, 85, other, ticks, 1),
		}, `PE 0: 2 in 2, 0 to 10
PE 0: 10 in 10, 10 to 20
PE 0: 2 in 2, 20 to 30
PE 0: 10 in 10, 50 to 55
PE 0: 2 in 2, 55 to 60
PE 1: 2 in 2, 35 to 45
PE 0: 2 in 2, 60 to 75
PE 0: 10 in 10, 75 to 85
PE 0: 2 in 2, 85 to 85
PE 1: 10 in 10, 62 to 72
`, [2]int64{65, 20}, 85},
		{"durations", []tracer.Event{
			sample(0, 0, other, seconds, 10), sample(0, 10, line, seconds, 5), sample(0, 30, other, seconds, 20), sample(0, 40, line, seconds, 4),
		}, `PE 0: 2 in 2, 0 to 10
PE 0: 10 in 10, 10 to 15
PE 0: 2 in 2, 30 to 40
PE 0: 10 in 10, 40 to 44
`, [2]int64{29, 0}, 44},
	} {
		src := source(2, c.events...)
		var w written
		sweep := account.Sweep{Sink: &w}
		must.Do(t, sweep.Read(src, src, account.Kinds, nil))
		a := sweep.Finish(src, &w)
		if got := w.String(); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", c.name, got, c.want)
		}
		if a.Basis != account.Samples || a.Known() || a.To != c.to || a.Row(0).Times[account.Work] != c.work[0] || a.Row(1).Times[account.Work] != c.work[1] {
			t.Errorf("%s: %v, to %d: %v %v", c.name, a.Basis, a.To, a.Row(0), a.Row(1))
		}
		for pe := range 2 {
			if sum := a.Row(pe).Times; sum.Sum() != a.Elapsed() {
				t.Errorf("%s: the times of PE %d add up to %d of %d ns", c.name, pe, sum.Sum(), a.Elapsed())
			}
		}
	}
}

// TestSamplesWithoutTimes has profiles that do not tell when samples were taken.
func TestSamplesWithoutTimes(t *testing.T) {
	apart := source(1, sample(0, 0, other, ticks, 1), sample(0, 9, other, ticks, 1))
	if a := compute(t, apart); a.Basis != account.Samples {
		t.Errorf("basis %v", a.Basis)
	}
	apart.SetMeta(tracer.Meta{PEs: 1, Substrate: "pprof"})
	for _, src := range []tracer.Source{apart, source(1, sample(0, 9, other, ticks, 1), sample(0, 9, line, ticks, 1))} {
		if a := compute(t, src); a.Basis != account.Nowhere || a.Total()[account.Work] != 0 {
			t.Errorf("basis %v, work %d", a.Basis, a.Total()[account.Work])
		}
	}
}

// TestSamplesApart has one sample of each PE, which do not tell their interval.
func TestSamplesApart(t *testing.T) {
	a := compute(t, source(2, sample(0, 0, other, ticks, 1), sample(1, 40, line, ticks, 1)))
	if got := a.Row(0).Times[account.Work]; a.Tick != 0 || got != 20 {
		t.Errorf("tick %d, work %d", a.Tick, got)
	}
}

// TestNamedWork has work in states that samples name: that since the sample before, and in ns for as long as the sample says.
func TestNamedWork(t *testing.T) {
	busy, over := tracer.Event{Kind: tracer.Busy, Peer: tracer.None}, tracer.Event{Kind: tracer.Overhead, Time: 12, Peer: tracer.None}
	again, idle := tracer.Event{Kind: tracer.Busy, Time: 15, Peer: tracer.None}, tracer.Event{Kind: tracer.Idle, Time: 40, Peer: tracer.None}
	for _, c := range []struct {
		metric uint32
		value  int64
		want   string
	}{
		{ticks, 1, "PE 0: 2 in 2, 0 to 10\nPE 0: 10 in 10, 10 to 12\nPE 0: 10 in 10, 15 to 20\n"},
		{seconds, 4, "PE 0: 2 in 2, 10 to 12\nPE 0: 10 in 10, 20 to 24\n"},
	} {
		src := source(1, busy, sample(0, 10, other, c.metric, c.value), over, again, sample(0, 20, line, c.metric, c.value), idle)
		var w written
		sweep := account.Sweep{Sink: &w}
		must.Do(t, sweep.Read(src, src, account.Kinds, nil))
		sweep.Finish(src, &w)
		if got := w.String(); got != c.want {
			t.Errorf("got\n%s, want\n%s", got, c.want)
		}
	}
}
