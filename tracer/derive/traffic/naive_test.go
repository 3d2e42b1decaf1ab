package traffic

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// naive computes traffic by counting each instant in tables of all pairs.
type naive struct {
	flows map[[3]int32][2]int64
	loads map[[2]int32][4]int64
}

func count(src tracer.Source, step int64) naive {
	var es []tracer.Event
	_ = src.Scan(tracer.AllKinds, func(batch []tracer.Event) error { es = append(es, batch...); return nil })
	n := naive{map[[3]int32][2]int64{}, map[[2]int32][4]int64{}}
	counts := src.Counts()
	pes := int32(src.Meta().PEs)
	from, to := src.Span()
	is := func(pe int32) bool { return pe >= 0 && pe < pes }
	working := worksOf(src)
	queue := make([]int64, pes)
	add := func(interval, pe int32, what int, by int64) {
		c := n.loads[[2]int32{interval, pe}]
		c[what] += by
		n.loads[[2]int32{interval, pe}] = c
	}
	take := func(pe int32) { queue[pe] = max(queue[pe]-1, 0) }
	for now := from; now <= to; now++ {
		i := int32((now - from) / step)
		for ; len(es) > 0 && es[0].Time == now; es = es[1:] {
			e := es[0]
			send := e.Kind == tracer.Send
			quiet := counts[tracer.Send]+counts[tracer.Move] == 0
			ran := quiet && (e.Kind == tracer.Reduce || counts[tracer.Reduce] == 0 && e.Kind == tracer.Start) && e.Peer >= 0 && e.Peer != e.PE
			if send || ran || e.Kind == tracer.Move && counts[tracer.Send] == 0 {
				a, b := e.PE, e.Peer
				if !send {
					a, b = b, a
				}
				bytes := max(e.Value, 0)
				if ran {
					bytes = 0
				}
				if is(a) && is(b) {
					f := n.flows[[3]int32{i, a, b}]
					n.flows[[3]int32{i, a, b}] = [2]int64{f[0] + 1, f[1] + bytes}
				}
			}
			if !is(e.PE) {
				continue
			}
			switch e.Kind {
			case tracer.Reduce:
				take(e.PE)
				add(i, e.PE, 2, 1)
				if e.Code == clause {
					queue[e.PE] += 2
				}
			case tracer.Suspend, tracer.Fail:
				if e.Code != builtin {
					take(e.PE)
				}
			case tracer.Resume:
				if is(e.Peer) && e.Code != builtin {
					queue[e.Peer]++
				}
			case tracer.Fork:
				if is(e.Peer) {
					queue[e.Peer]++
				}
			case tracer.Move:
				if queue[e.PE]++; is(e.Peer) {
					take(e.Peer)
				}
			case tracer.Start:
				if take(e.PE); counts[tracer.Reduce] == 0 {
					add(i, e.PE, 2, 1)
				}
			case tracer.Sample:
				add(i, e.PE, 3, max(e.Value, 0))
			}
		}
		if now == to {
			break
		}
		for pe := range pes {
			if working.busyAt(pe, now) {
				add(i, pe, 0, 1)
			}
			add(i, pe, 1, queue[pe])
		}
	}
	return n
}

// works holds the pieces of the time of PEs, by PE.
type works struct{ pieces [][]account.Piece }

// worksOf returns the pieces that the account of a trace finds in one pass.
func worksOf(src tracer.Source) *works {
	w := &works{make([][]account.Piece, src.Meta().PEs)}
	s := account.Sweep{Sink: w}
	s.Begin(src)
	_ = src.Scan(account.Kinds, func(es []tracer.Event) error {
		for i := range es {
			s.Add(&es[i])
		}
		return nil
	})
	s.Finish(src, w)
	return w
}

func (w *works) Pause(int32, *account.Pause)     {}
func (w *works) Unnamed(int32, int64, int64)     {}
func (w *works) Reset()                          {}
func (w *works) Step(int32, *account.Step)       {}
func (w *works) Spend(pe int32, p account.Piece) { w.pieces[pe] = append(w.pieces[pe], p) }

// busyAt reports whether a PE works at an instant.
func (w *works) busyAt(pe int32, now int64) bool {
	class := account.Nothing
	for _, p := range w.pieces[pe] {
		if p.From <= now {
			class = p.Class
		}
	}
	return class == account.Work
}

// check compares the traffic of single PEs with naive's count.
func (n naive) check(tr *Traffic) error {
	if !slices.IsSortedFunc(tr.Flows, compareFlows) || !slices.IsSortedFunc(tr.Loads, compareLoads) {
		return fmt.Errorf("not in order")
	}
	for k, c := range n.loads {
		if c == ([4]int64{}) {
			delete(n.loads, k)
		}
	}
	if len(tr.Flows) != len(n.flows) || len(tr.Loads) != len(n.loads) {
		return fmt.Errorf("%d flows and %d loads, want %d and %d", len(tr.Flows), len(tr.Loads), len(n.flows), len(n.loads))
	}
	for _, f := range tr.Flows {
		if want := n.flows[[3]int32{f.Interval, f.From, f.To}]; want != [2]int64{f.Messages, f.Bytes} {
			return fmt.Errorf("%+v, want %v", f, want)
		}
	}
	for _, l := range tr.Loads {
		if want := n.loads[[2]int32{l.Interval, l.Node}]; want != [4]int64{l.Busy, l.Queue, l.Reductions, l.Ticks} {
			return fmt.Errorf("%+v, want %v", l, want)
		}
	}
	return nil
}

func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := runs(t)
		o := Options{Step: rapid.SampledFrom([]int64{0, 1, 7, 50, 1000}).Draw(t, "step")}
		tr := must.Get(Grow(src, o, nil, nil))(t)
		must.Do(t, count(src, tr.Step).check(tr))
	})
}
