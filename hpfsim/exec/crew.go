package exec

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"whorl/hpfsim/charge"
	"whorl/hpfsim/lower"
	"whorl/tracer"
)

// A crew is the processors of a live run: a goroutine for each.
//
// As in a simulated run, what all processors compute alike is computed once, by the goroutine that runs the program, and counts for all.
// What they share out, loops and assignments in parts that belong to owners, each does for itself, and waits for the others at the end.
// Values lie in one memory, so that nothing is copied; the messages that other machines would send are counted and recorded without costs.
type crew struct {
	began   time.Time
	members []member
	loops   map[*lower.Do]sharing
	rounds  int // of parts
	over    sync.WaitGroup
	watch   *charge.Watch // of all; nil where no samples are taken
}

// A member is a processor's goroutine.
type member struct {
	machine *Machine // with tables of its own
	work    chan []func(m *Machine)
	done    *sync.WaitGroup
	watch   *charge.Watch
	left    int64 // when it was done with its part, ns
	failed  any   // what its part panicked with
}

// now is the time since the run began, in ns.
func (c *crew) now() int64 { return int64(time.Since(c.began)) }

// startCrew gets the goroutines ready. One processor needs none besides that which runs the program.
func (m *Machine) startCrew() {
	c := &crew{began: time.Now(), loops: map[*lower.Do]sharing{}}
	m.crew, m.began = c, c.began
	if n := len(m.all); n > 1 {
		c.members = make([]member, n)
	}
	if s := m.clocks.Samplers(); s != nil {
		c.watch = s.Watch(m.all)
		m.watch = c.watch
	}
	for p := range c.members {
		x := &c.members[p]
		x.work = make(chan []func(*Machine))
		if c.watch != nil {
			x.watch = c.watch.Watch(m.all[p : p+1])
		}
		x.machine = m.assistant(x.watch)
		c.over.Go(func() {
			for do := range x.work {
				x.carryOut(c, do)
			}
		})
	}
}

// assistant is a machine for the parts of one processor: with the program and the network of m, but with tables and counters of its own.
func (m *Machine) assistant(w *charge.Watch) *Machine {
	a := *m
	a.crew, a.watch = nil, w
	a.subsets, a.units, a.plans = map[subsetKey][]int32{}, m.units, map[*lower.Comm]*plan{}
	a.clocks = m.clocks.Fork()
	a.assists = map[*code]*code{}
	return &a
}

// carryOut does the parts of a processor.
func (x *member) carryOut(c *crew, all []func(*Machine)) {
	defer func() {
		x.failed = recover()
		if x.watch != nil {
			x.watch.Move(c.watch.Site()) // it waits where all began
		}
		x.left = c.now()
		x.done.Done()
	}()
	for _, do := range all {
		do(x.machine)
	}
}

// Parts are what processors have to do, each one after the other.
type parts map[int32][]func(m *Machine)

// add gives a part to the first of those who may do it.
func (ps parts) add(who []int32, do func(m *Machine)) {
	p := int32(0)
	if len(who) > 0 {
		p = who[0]
	}
	ps[p] = append(ps[p], do)
}

// together has processors do their parts, and waits for all. What a part fails with, that of the least processor, it fails with itself.
func (m *Machine) together(parts parts) {
	c := m.crew
	c.rounds++
	var all sync.WaitGroup
	all.Add(len(parts))
	if c.watch != nil {
		c.watch.Move(c.watch.Site())
		for p := range c.members {
			c.members[p].watch.Follow(c.watch)
		}
	}
	who := make([]int32, 0, len(parts))
	for p := range parts {
		who = append(who, p)
	}
	slices.Sort(who)
	for _, p := range who {
		x := &c.members[p]
		x.machine.used, x.machine.left = m.used, 1<<62
		x.done = &all
		x.work <- parts[p]
	}
	all.Wait()
	if now := c.now(); c.watch != nil {
		for p := range c.members {
			c.members[p].watch.Take(now)
		}
		c.watch.Follow(c.members[0].watch)
	}
	m.recordWaits(slices.Clone(who))
	var failed any
	for _, p := range who {
		if failed == nil {
			failed = c.members[p].failed
		}
	}
	if failed != nil {
		panic(failed)
	}
}

// recordWaits records which processors waited for the last one.
func (m *Machine) recordWaits(who []int32) {
	if !m.clocks.Recording() {
		return
	}
	c := m.crew
	slices.SortFunc(who, func(a, b int32) int { return cmp.Compare(c.members[a].left, c.members[b].left) })
	last := c.now()
	for _, p := range who[:len(who)-1] {
		m.clocks.State(tracer.Idle, c.members[p].left*1000, p)
	}
	for _, p := range who[:len(who)-1] {
		m.clocks.State(tracer.Busy, last*1000, p)
	}
}

// end sends the goroutines home.
func (c *crew) end() {
	for p := range c.members {
		close(c.members[p].work)
	}
	c.over.Wait()
}

// endCrew is deferred until the run is over.
func (m *Machine) endCrew() {
	now := m.crew.now()
	if w := m.watch; w != nil {
		w.Take(now)
		w.Sync()
	}
	m.clocks.Stop(now)
	m.crew.end()
}

// elapsed is the time since the run began, or that it took.
func (m *Machine) elapsed() int64 {
	if m.crew == nil {
		return 0
	}
	if m.over {
		return m.clocks.Now(0)
	}
	return m.crew.now()
}

// told has a statement say where it is before it runs.
func told(do stmtFn, first int) stmtFn {
	return func(f *frame) signal {
		if f.watch != nil {
			f.watch.Move(f.site(first))
		}
		return do(f)
	}
}

// assistant is a frame of the same call for a processor, with scalars of its own.
func (f *frame) assistant(m *Machine, private []*lower.Symbol) *frame {
	g := *f
	g.Machine, g.vars = m, slices.Clone(f.vars)
	g.code = m.codeOf(f.unit)
	g.context = charge.Call{Code: g.code.Code, Context: f.context.Context}
	g.given, g.values, g.back = nil, nil, nil
	for _, s := range private {
		if a := f.vars[s.Index]; a != nil {
			g.vars[s.Index] = a.alone()
		}
	}
	return &g
}

// alone is a variable with memory of its own, and the same values.
func (a *array) alone() *array {
	b := *a
	if len(a.n) == 0 && a.rest == 0 {
		b = array{t: a.t, length: a.length, absent: a.absent, proc: a.proc, host: a.host}
		switch {
		case a.i != nil:
			b.i = []int64{a.i[a.off]}
		case a.f != nil:
			b.f = []float64{a.f[a.off]}
		case a.z != nil:
			b.z = []complex128{a.z[a.off]}
		case a.s != nil:
			b.s = []string{a.s[a.off]}
		}
		return &b
	}
	b.i, b.f, b.z, b.s = slices.Clone(a.i), slices.Clone(a.f), slices.Clone(a.z), slices.Clone(a.s)
	return &b
}
