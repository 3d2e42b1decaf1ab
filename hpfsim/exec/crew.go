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

// A crew is the goroutines of a live run, one for each processor.
//
// As in a simulated run, replicated work is done once, by the goroutine that runs the program. For distributed loops
// and assignments each processor executes the part that it owns and waits for the others at the end. Values are in
// one memory, so that nothing is copied. The messages that a distributed machine would send are counted and recorded
// without costs.
type crew struct {
	began   time.Time
	members []member
	loops   map[*lower.Do]sharing
	rounds  int            // distributed loops and assignments so far
	over    sync.WaitGroup // for the goroutines of the members
	watch   *charge.Watch  // samples all processors; nil without samples
}

// A member is a processor's goroutine.
type member struct {
	machine *Machine // has tables of its own
	work    chan []func(m *Machine)
	done    *sync.WaitGroup
	watch   *charge.Watch
	left    int64 // time when it finished its part, ns
	failed  any   // the value that its part panicked with
}

// now returns the time since the run began, in ns.
func (c *crew) now() int64 { return int64(time.Since(c.began)) }

// startCrew starts the goroutines. A run with one processor needs none.
func (m *Machine) startCrew() {
	c := &crew{began: time.Now(), loops: map[*lower.Do]sharing{}}
	m.crew, m.began = c, c.began
	if n := len(m.ranks); n > 1 {
		c.members = make([]member, n)
	}
	if s := m.clocks.Samplers(); s != nil {
		c.watch = s.Watch(m.ranks)
		m.watch = c.watch
	}
	for p := range c.members {
		x := &c.members[p]
		x.work = make(chan []func(*Machine))
		if c.watch != nil {
			x.watch = c.watch.Watch(m.ranks[p : p+1])
		}
		x.machine = m.assistant(x.watch)
		c.over.Go(func() {
			for do := range x.work {
				x.carryOut(c, do)
			}
		})
	}
}

// assistant returns a machine for the parts of one processor. It shares the program and the network with m, and has
// its own tables and counters.
func (m *Machine) assistant(w *charge.Watch) *Machine {
	a := *m
	a.crew, a.watch = nil, w
	a.subsets, a.units, a.plans = map[subsetKey][]int32{}, m.units, map[*lower.Comm]*plan{}
	a.clocks = m.clocks.Fork()
	a.assists = map[*code]*code{}
	return &a
}

// carryOut executes the parts of a processor.
func (x *member) carryOut(c *crew, all []func(*Machine)) {
	defer func() {
		x.failed = recover()
		if x.watch != nil {
			x.watch.Move(c.watch.Site()) // it waits at the statement where all began
		}
		x.left = c.now()
		x.done.Done()
	}()
	for _, do := range all {
		do(x.machine)
	}
}

// Parts are functions that processors execute, by processor; each executes its own in order.
type parts map[int32][]func(m *Machine)

// add gives a part to the first processor of who.
func (ps parts) add(who []int32, do func(m *Machine)) {
	p := int32(0)
	if len(who) > 0 {
		p = who[0]
	}
	ps[p] = append(ps[p], do)
}

// together has processors execute their parts and waits for all. If parts fail it fails as that of the processor with
// the least number.
func (m *Machine) together(parts parts) {
	c := m.crew
	c.rounds++
	var all sync.WaitGroup // counts parts, not goroutines, which live as long as the run
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
		x.machine.used, x.machine.lasting, x.machine.left, x.machine.modules = m.used, m.lasting, 1<<62, m.modules
		x.done = &all
		x.work <- parts[p]
	}
	all.Wait()
	if now := c.now(); c.watch != nil {
		for p := range c.members {
			c.members[p].watch.Sample(now)
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

// end stops the goroutines.
func (c *crew) end() {
	for p := range c.members {
		close(c.members[p].work)
	}
	c.over.Wait()
}

// endCrew ends a live run.
func (m *Machine) endCrew() {
	now := m.crew.now()
	if w := m.watch; w != nil {
		w.Sample(now)
		w.Sync()
	}
	m.clocks.Stop(now)
	m.crew.end()
}

// elapsed returns the time since the run began, or its length once it is over.
func (m *Machine) elapsed() int64 {
	if m.crew == nil {
		return 0
	}
	if m.over {
		return m.clocks.Now(0)
	}
	return m.crew.now()
}

// watched reports the place of a statement to the watch before the statement runs.
func watched(do stmtFn, first int) stmtFn {
	return func(f *frame) signal {
		if f.watch != nil {
			f.watch.Move(f.site(first))
		}
		return do(f)
	}
}

// assistant returns a frame of the same call for a processor, with its own private scalars.
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

// alone returns a copy of a variable.
func (a *array) alone() *array {
	b := *a
	b.block = nil
	if len(a.n) == 0 && a.rest == 0 {
		b = array{t: a.t, length: a.length, absent: a.absent, proc: a.proc, host: a.host}
		switch {
		case a.integers():
			b.i = []int64{a.int(a.off)}
		case a.reals():
			b.f = []float64{a.real(a.off)}
		case a.z != nil:
			b.z = []complex128{a.z[a.off]}
		case a.s != nil:
			b.s = []string{a.s[a.off]}
		}
		return &b
	}
	b.i, b.i4, b.f, b.f4, b.z, b.s = slices.Clone(a.i), slices.Clone(a.i4), slices.Clone(a.f), slices.Clone(a.f4), slices.Clone(a.z), slices.Clone(a.s)
	return &b
}
