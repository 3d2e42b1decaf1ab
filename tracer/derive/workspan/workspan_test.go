package workspan

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/testdata/tracertest"
)

// A program is the sequence of runs, forks and joins of a thread.
type program struct {
	steps []step
}

type step struct {
	run  int64
	fork *program
	join int // number of the fork + 1; 0 for none
}

// programs draws a program. With strict set each thread joins all threads that it forked.
func programs(t *rapid.T, depth int, strict bool) *program {
	p := &program{}
	var open []int
	forks := 0
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		s := step{run: rapid.Int64Range(0, 20).Draw(t, "run")}
		if len(open) > 0 && rapid.Bool().Draw(t, "join") {
			k := rapid.IntRange(0, len(open)-1).Draw(t, "which")
			s.join = open[k] + 1
			open = slices.Delete(open, k, k+1)
		} else if depth > 0 {
			s.fork = programs(t, depth-1, strict)
			open = append(open, forks)
			forks++
		}
		p.steps = append(p.steps, s)
	}
	for strict && len(open) > 0 {
		p.steps = append(p.steps, step{join: open[0] + 1})
		open = open[1:]
	}
	return p
}

// times returns work, span and the longest path to the end of a program, computed from their definitions.
func (p *program) times() (work, span, end int64) {
	var forked []int64 // when each thread it forks ends
	for _, s := range p.steps {
		work += s.run
		end += s.run
		if s.fork != nil {
			w, sp, e := s.fork.times()
			work += w
			span = max(span, end+sp)
			forked = append(forked, end+e)
		}
		if s.join > 0 {
			end = max(end, forked[s.join-1])
		}
	}
	return work, max(span, end), end
}

// run executes a program on some PEs. It chooses randomly among the runnable threads.
func run(t *rapid.T, p *program, pes int) *tracer.Memory {
	type thread struct {
		program  *program
		step     int
		task     uint64
		children []*thread
		parent   *thread
		pe       int32 // -1 before it starts
		until    int64 // when its step is done
		waits    *thread
		over     bool
	}
	var es []tracer.Event
	put := func(now int64, k tracer.Kind, task, ref uint64, pe, peer int32) {
		es = append(es, tracer.Event{Kind: k, Time: now, Task: task, Ref: ref, PE: pe, Peer: peer, Code: uint32(1 + task%3)})
	}
	next := uint64(1)
	main := &thread{program: p, task: next, pe: -1}
	ready, busy := []*thread{main}, make([]*thread, pes)
	var waiting []*thread
	for now := int64(0); ; {
		for pe := range busy { // give a free PE to a thread without one
			if busy[pe] == nil && len(ready) > 0 {
				k := rapid.IntRange(0, len(ready)-1).Draw(t, "next")
				th := ready[k]
				ready = slices.Delete(ready, k, k+1)
				from := tracer.None
				if th.parent != nil {
					from = th.parent.pe
				}
				if th.pe < 0 {
					th.pe = int32(pe)
					put(now, tracer.Start, th.task, 0, int32(pe), from)
				} else {
					th.pe = int32(pe)
					put(now, tracer.JoinEnd, th.task, th.waits.task, int32(pe), th.waits.pe)
					th.waits = nil
				}
				busy[pe] = th
				th.until = now
				if th.step < len(th.program.steps) {
					th.until += th.program.steps[th.step].run
				}
			}
		}
		pe := -1
		for i, th := range busy {
			if th != nil && (pe < 0 || th.until < busy[pe].until) {
				pe = i
			}
		}
		if pe < 0 {
			return tracertest.Trace(es...)
		}
		th := busy[pe]
		now = th.until
		if th.step == len(th.program.steps) {
			put(now, tracer.End, th.task, 0, int32(pe), tracer.None)
			th.over, busy[pe] = true, nil
		} else {
			s := th.program.steps[th.step]
			th.step++
			if s.fork != nil {
				next++
				c := &thread{program: s.fork, task: next, parent: th, pe: -1}
				th.children = append(th.children, c)
				put(now, tracer.Fork, c.task, th.task, int32(pe), int32(pe))
				ready = append(ready, c)
			}
			if s.join > 0 {
				th.waits = th.children[s.join-1]
				put(now, tracer.JoinBegin, th.task, th.waits.task, int32(pe), tracer.None)
				waiting, busy[pe] = append(waiting, th), nil
			} else if th.step < len(th.program.steps) {
				th.until += th.program.steps[th.step].run
			}
		}
		waiting = slices.DeleteFunc(waiting, func(w *thread) bool {
			if w.waits.over {
				ready = append(ready, w)
				return true
			}
			return false
		})
	}
}

func graphOf(t rapid.TB, src tracer.Source) *threadgraph.Graph {
	return must.Get(threadgraph.Build(src))(t)
}

// TestOfProgram checks that work and span equal those of the program under every schedule.
func TestOfProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs(t, 4, rapid.Bool().Draw(t, "strict"))
		g := graphOf(t, run(t, p, rapid.IntRange(1, 4).Draw(t, "pes")))
		work, span, _ := p.times()
		m := Compute(g)
		if m.Work != work || m.Span != span || span > work {
			t.Fatalf("work %d, span %d; want %d, %d", m.Work, m.Span, work, span)
		}
		works, spans := Subtrees(g)
		if works[0] != work || spans[0] != span {
			t.Fatalf("main thread's subtree: work %d, span %d; want %d, %d", works[0], spans[0], work, span)
		}
		sum := int64(0)
		for k := 1; k < len(m.Path); k++ {
			from, to := m.Path[k-1], m.Path[k]
			switch {
			case g.Thread[from] == g.Thread[to] && from+1 == to:
				sum += g.Run[to]
			case g.From(to) != from:
				t.Fatalf("no edge from %d to %d on the path", from, to)
			}
		}
		parts := int64(0)
		for _, s := range m.Functions {
			parts += s.Time
		}
		if sum != span || parts != span {
			t.Fatalf("the path is %d long, its functions %d, want %d", sum, parts, span)
		}
		if m.BurdenedSpan >= 0 && m.BurdenedSpan < span {
			t.Fatalf("burdened span %d, span %d", m.BurdenedSpan, span)
		}
	})
}

// TestFreeEdges checks that a join by a thread other than the parent constrains the span. The expected values are computed by hand.
func TestFreeEdges(t *testing.T) {
	es := []tracer.Event{
		{Kind: tracer.Start, Time: 0, Task: 1, Peer: tracer.None},
		{Kind: tracer.Fork, Time: 10, Task: 2, Ref: 1},
		{Kind: tracer.Fork, Time: 20, Task: 3, Ref: 1},
		{Kind: tracer.Start, Time: 20, Task: 2, PE: 1},
		{Kind: tracer.Start, Time: 25, Task: 3, PE: 2},
		{Kind: tracer.JoinBegin, Time: 30, Task: 3, Ref: 2, PE: 2},
		{Kind: tracer.End, Time: 30, Task: 1},
		{Kind: tracer.End, Time: 120, Task: 2, PE: 1},
		{Kind: tracer.JoinEnd, Time: 125, Task: 3, Ref: 2, PE: 2},
		{Kind: tracer.End, Time: 165, Task: 3, PE: 2},
	}
	g := graphOf(t, tracertest.Trace(es...))
	m := Compute(g)
	// 10 to the fork, 100 of thread 2, then 40 of thread 3.
	if m.Work != 30+100+45 || m.Span != 10+100+40 || g.Foreign != 1 {
		t.Errorf("work %d, span %d, %d foreign joins", m.Work, m.Span, g.Foreign)
	}
	// Thread 2 started 10 after its fork, on an idle PE; thread 3 started 5 after its fork. Two structural edges are on the path.
	if m.Migrated != 2 || m.Burden != 10 || m.BurdenedSpan != 150+2*10 || m.Waiting != 15 || m.Blocked != 95 {
		t.Errorf("%d migrated, burden %d, burdened span %d, waiting %d, blocked %d", m.Migrated, m.Burden, m.BurdenedSpan, m.Waiting, m.Blocked)
	}
	// If PE 1 were busy until 17, thread 2 would take 3 to start, and the burden would be the 5 of thread 3.
	busy := slices.Insert(slices.Clone(es), 2, tracer.Event{Kind: tracer.End, Time: 17, Task: 9, PE: 1})
	if m := Compute(graphOf(t, tracertest.Trace(busy...))); m.Burden != 5 || m.BurdenedSpan != 160 {
		t.Errorf("burden %d, burdened span %d", m.Burden, m.BurdenedSpan)
	}
	es[5], es[8] = tracer.Event{Kind: tracer.Mark, Time: 30}, tracer.Event{Kind: tracer.Mark, Time: 125}
	if m := Compute(graphOf(t, tracertest.Trace(es...))); m.Span != 20+140 || m.Work != 30+100+140 {
		t.Errorf("without the join: span %d, work %d", m.Span, m.Work)
	}
}

func TestOfNothing(t *testing.T) {
	m := Compute(graphOf(t, tracertest.Trace()))
	if m.Work != 0 || m.Span != 0 || len(m.Path) != 0 || m.Burden != -1 || m.BurdenedSpan != -1 {
		t.Errorf("%+v", m)
	}
}
