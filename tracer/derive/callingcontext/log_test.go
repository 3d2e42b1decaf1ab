package callingcontext

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
)

// times returns the trees of an interval, from a log and from reading the trace.
func times(t testing.TB, src tracer.Source, first, last int64) [2]*Tree {
	t.Helper()
	l := must.Get(Record(src, nil, nil, nil))(t)
	one := must.Get(l.Between(src, first, last, nil))(t)
	two := must.Get((&Log{long: true}).Between(src, first, last, nil))(t)
	return [2]*Tree{one, two}
}

// sampling returns samples of two metrics at given times on some PEs.
func sampling(d *tracer.Dict) {
	d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Scale: 1})
	d.Add(tracer.Code{Type: tracer.Metric, Name: "bytes", Scale: 1})
	context := uint32(0)
	for k := range 5 {
		f := d.Add(tracer.Code{Type: tracer.Function, Name: fmt.Sprint("f", k)})
		context = d.AddContext(tracer.Context{Parent: context, Code: f})
		d.AddContext(tracer.Context{Code: f})
	}
}

// TestBetweenSamples compares the tree of an interval with the tree of a trace whose other samples have the value 0.
func TestBetweenSamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all, some []tracer.Event
		first := rapid.Int64Range(-5, 105).Draw(rt, "first")
		last := first + rapid.Int64Range(-2, 60).Draw(rt, "long")
		if rapid.Bool().Draw(rt, "open") {
			last = math.MaxInt64
		}
		at := int64(0)
		for range rapid.IntRange(0, 40).Draw(rt, "samples") {
			at += rapid.Int64Range(0, 6).Draw(rt, "after")
			e := tracer.Event{
				Kind: tracer.Sample, Time: at, PE: rapid.Int32Range(0, 3).Draw(rt, "pe"), Ref: rapid.Uint64Range(1, 10).Draw(rt, "context"),
				Code: rapid.Uint32Range(1, 2).Draw(rt, "metric"), Value: rapid.Int64Range(-3, 9).Draw(rt, "value"),
			}
			all = append(all, e)
			if at < first || at > last {
				e.Value = 0
			}
			some = append(some, e)
		}
		want := must.Get(Grow(memory(sampling, 5, some...), nil, nil, nil))(rt)
		for _, got := range times(t, memory(sampling, 5, all...), first, last) {
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Tree{})); diff != "" {
				rt.Errorf("from %d to %d: -want +got\n%s", first, last, diff)
			}
		}
	})
}

// TestBetweenTimes checks that the part of a thread or a reduction within the interval counts, and that starts and commits within it count.
func TestBetweenTimes(t *testing.T) {
	dict := func(d *tracer.Dict) {
		d.Add(tracer.Code{Type: tracer.Function, Name: "main"})
		d.Add(tracer.Code{Type: tracer.Function, Name: "work"})
		d.Add(tracer.Code{Type: tracer.Procedure, Name: "goal/1"})
	}
	x := memory(dict, 2,
		tracer.Event{Time: 0, Kind: tracer.Start, Task: 1, Peer: -1, Code: 1},
		tracer.Event{Time: 10, Kind: tracer.Fork, Task: 2, Ref: 1, Code: 2},
		tracer.Event{Time: 15, Kind: tracer.Start, PE: 1, Task: 2, Code: 2},
		tracer.Event{Time: 20, Kind: tracer.JoinBegin, Task: 1, Ref: 2, Peer: -1},
		tracer.Event{Time: 45, Kind: tracer.End, PE: 1, Task: 2, Peer: -1, Code: 2},
		tracer.Event{Time: 45, Kind: tracer.JoinEnd, Task: 1, Ref: 2, Peer: 1},
		tracer.Event{Time: 50, Kind: tracer.End, Task: 1, Peer: -1, Code: 1},
		tracer.Event{Time: 60, Kind: tracer.Reduce, Task: 9, Code: 3, Value: 8})
	for _, c := range []struct {
		first, last int64
		time        string
		visits      int64
	}{
		{0, 100, "main 25/55 0/30 goal 8 work 30", 3},
		{15, 17, "main 3/6 0/3 goal 0 work 3", 1},
		{20, 44, "main 0/25 0/25 goal 0 work 25", 0},
		{44, 60, "main 5/6 0/1 goal 1 work 1", 1},
		{61, 70, "main 0/0 0/0 goal 7 work 0", 0},
		{70, 20, "main 0/0 0/0 goal 0 work 0", 0},
	} {
		for _, tree := range times(t, x, c.first, c.last) {
			main, work, goal := int32(-1), int32(-1), int32(-1)
			for v := range tree.Code {
				switch tree.Code[v] {
				case 1:
					main = int32(v)
				case 2:
					work = int32(v)
				case 3:
					goal = int32(v)
				}
			}
			m := tree.Metric("time")
			got := fmt.Sprintf("main %d/%d 0/%d goal %d work %d", tree.Total(main, m, false), tree.Total(main, m, true), tree.Values(main, m, true, nil)[1], tree.Total(goal, m, true), tree.Total(work, m, true))
			if visits := tree.Total(Root, tree.Metric("threads"), true); got != c.time || visits != c.visits {
				t.Errorf("from %d to %d: %s, %d visits, want %s, %d", c.first, c.last, got, visits, c.time, c.visits)
			}
		}
	}
}

// TestParted checks that consecutive intervals add up to the whole run, for more amounts than a block holds.
func TestParted(t *testing.T) {
	var events []tracer.Event
	const n = 3*block + 17
	for k := range n {
		events = append(events, tracer.Event{Time: int64(k), Kind: tracer.Reduce, PE: int32(k % 3), Task: uint64(k + 1), Ref: uint64(k / 2), Code: uint32(k%5 + 3), Value: int64(k % 11)})
	}
	x := memory(sampling, 3, events...)
	whole := must.Get(Grow(x, nil, nil, nil))(t)
	l := must.Get(Record(x, nil, nil, nil))(t)
	sum := make([][2]int64, whole.Nodes())
	for first := int64(0); first < n+20; first += 1234 {
		tree := must.Get(l.Between(x, first, first+1233, nil))(t)
		for v := range sum {
			for m := range 2 {
				sum[v][m] += tree.Total(int32(v), m, true)
			}
		}
	}
	for v := range sum {
		if want := [2]int64{whole.Total(int32(v), 0, true), whole.Total(int32(v), 1, true)}; sum[v] != want {
			t.Errorf("node %d: %d, want %d", v, sum[v], want)
		}
	}
	stop := errors.New("stop")
	no := func(int64, int64) error { return stop }
	if _, err := Record(x, nil, nil, no); !errors.Is(err, stop) {
		t.Error(err)
	}
	if _, err := l.Between(x, 0, n, no); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestLogGrows checks that the log of a growing trace equals the log of the whole trace and that earlier logs do not change.
func TestLogGrows(t *testing.T) {
	var events []tracer.Event
	for k := range 200 {
		events = append(events, tracer.Event{Time: int64(k), Kind: tracer.Sample, PE: int32(k % 7), Ref: uint64(k*k%9 + 1), Code: 1, Value: int64(k)})
	}
	src := memory(sampling, 8, events...)
	var prev *Log
	onwardtest.Replay(t, src, []int{0, 3, 90, 91, 150}, func(n int, now *store.File) {
		var before *Tree
		var err error
		if prev != nil {
			if before, err = prev.Between(now, 20, 120, nil); err != nil {
				t.Fatal(err)
			}
		}
		grown := must.Get(Record(now, prev, nil, nil))(t)
		got := must.Get(grown.Between(now, 20, 120, nil))(t)
		want := int64(0)
		for k := 20; k <= 120 && k < n; k++ {
			want += int64(k)
		}
		if len(got.Metrics) > 0 && got.Total(Root, 0, true) != want || len(got.Metrics) == 0 && want > 0 {
			t.Errorf("%d events: want %d", n, want)
		}
		if diff := cmp.Diff(times(t, now, 20, 120)[1], got, cmpopts.IgnoreUnexported(Tree{})); diff != "" {
			t.Errorf("after %d events: %s", n, diff)
		}
		if prev != nil {
			again, err := prev.Between(now, 20, 120, nil)
			if diff := cmp.Diff(before, again, cmpopts.IgnoreUnexported(Tree{})); err != nil || diff != "" {
				t.Errorf("the log before: %v, %s", err, diff)
			}
		}
		prev = grown
	})
}

// BenchmarkBetween reads a tenth of a run with two million samples on 256 processes.
func BenchmarkBetween(b *testing.B) {
	const n = 2_000_000
	events := make([]tracer.Event, n)
	for k := range events {
		events[k] = tracer.Event{Time: int64(k), Kind: tracer.Sample, PE: int32(k % 256), Ref: uint64(k*k%9 + 1), Code: 1, Value: 1}
	}
	src := memory(sampling, 256, events...)
	l := must.Get(Record(src, nil, nil, nil))(b)
	for _, c := range []struct {
		name string
		l    *Log
	}{{"log", l}, {"none", &Log{long: true}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				t, err := c.l.Between(src, n/2, n/2+n/10-1, nil)
				if err != nil || t.Total(Root, 0, true) != n/10 {
					b.Fatal(err)
				}
			}
		})
	}
}
