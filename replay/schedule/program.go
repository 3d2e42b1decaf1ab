package schedule

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"whorl/replay"
	"whorl/tracer"
)

// A list holds the edges of operations: those of operation i are at first[i] to first[i+1].
type list struct {
	first []int32
	edges []edge
}

func (l *list) edgesOf(op int32) []edge { return l.edges[l.first[op]:l.first[op+1]] }

// listed returns the edges by the operation that key returns, in the given order.
func listed(ops int, edges []edge, key func(*edge) int32, order func(a, b edge) int) list {
	l := list{first: make([]int32, ops+1), edges: slices.Clone(edges)}
	slices.SortFunc(l.edges, func(a, b edge) int { return cmp.Or(cmp.Compare(key(&a), key(&b)), order(a, b)) })
	for i := range l.edges {
		l.first[key(&l.edges[i])+1]++
	}
	for i := range ops {
		l.first[i+1] += l.first[i]
	}
	return l
}

// before is the order of operations that become ready together.
func (s *Schedule) before(a, b int32) int {
	return cmp.Or(cmp.Compare(s.Ops[a].Rank, s.Ops[b].Rank), cmp.Compare(s.Ops[a].Kind, s.Ops[b].Kind), cmp.Compare(a, b))
}

// Program returns the program, and the dictionary with the names of its functions. The error names the places of
// operations that never run, and of messages that nobody receives.
func (s *Schedule) Program() (*replay.Recording, *tracer.Dict, error) {
	if len(s.Ops) == 0 {
		return nil, nil, errors.New("the schedule has no operations")
	}
	if len(s.Ops) > MaxOps || len(s.edges) > MaxOps {
		return nil, nil, errors.New("the schedule has more than 2^31 operations or dependences")
	}
	m := &maker{
		s: s, g: replay.NewProcesses(), dict: &tracer.Dict{},
		next:  listed(len(s.Ops), s.edges, func(e *edge) int32 { return e.from }, func(a, b edge) int { return cmp.Or(s.before(a.to, b.to), side(a)-side(b)) }),
		left:  make([]int32, len(s.Ops)),
		tasks: make([]uint32, len(s.Ops)), gates: make([]uint32, len(s.Ops)),
	}
	for i := range s.edges {
		m.left[s.edges[i].to]++
	}
	if err := m.link(); err != nil {
		return nil, nil, err
	}
	m.name()
	if err := m.run(); err != nil {
		return nil, nil, err
	}
	return &replay.Recording{Graph: m.g, Names: replay.Names{Functions: m.functions}, PEs: s.Ranks, Pinned: true}, m.dict, nil
}

func side(e edge) int {
	if e.start {
		return 0
	}
	return 1
}

// A maker makes the program of a schedule.
type maker struct {
	s      *Schedule
	g      *replay.Graph
	dict   *tracer.Dict
	next   list
	left   []int32  // by operation: number of starts and ends that it waits for
	linked []int32  // by operation: the one that continues its task, plus 1
	heads  []bool   // by operation: it begins a task
	tasks  []uint32 // by operation
	gates  []uint32 // by operation: its gate plus 1

	functions []string
	codes     []uint32 // by name: its function
	classes   []uint32 // by name: its class of messages
	parts     []uint32 // by name, for chains
	chain     uint32   // function of a task of several operations

	ready []int32
	posts posts
	done  []bool
}

// link finds the operations that are comparable with all others of their rank, and joins those that follow one another.
// In a topological order, an operation is before all later ones if it alone was ready, and behind the ends of all earlier
// ones if it requires each of those that no other requires.
func (m *maker) link() error {
	s := m.s
	n := len(s.Ops)
	previous := listed(n, s.edges, func(e *edge) int32 { return e.to }, func(a, b edge) int { return cmp.Or(cmp.Compare(a.from, b.from), side(b)-side(a)) })
	m.linked, m.heads = make([]int32, n), make([]bool, n)
	left := slices.Clone(m.left)
	covered := make([]bool, n)
	ready, open, last := make([]int32, s.Ranks), make([]int32, s.Ranks), make([]int32, s.Ranks) // by rank
	var queue []int32
	for i := range left {
		m.heads[i] = true
		if left[i] == 0 {
			queue = append(queue, int32(i))
			ready[s.Ops[i].Rank]++
		}
	}
	over := 0
	for ; over < len(queue); over++ {
		op := queue[over]
		rank := s.Ops[op].Rank
		alone := ready[rank] == 1
		ends := false // it waits for the end of the last operation
		behind := open[rank]
		for _, e := range previous.edgesOf(op) {
			if !covered[e.from] && !e.start {
				covered[e.from] = true
				open[rank]--
				behind--
			}
			ends = ends || e.from == last[rank]-1 && !e.start
		}
		cut := alone && behind == 0
		if cut && ends && last[rank] > 0 {
			m.linked[last[rank]-1], m.heads[op] = op+1, false
		}
		last[rank] = 0
		if cut {
			last[rank] = op + 1
		}
		open[rank]++
		ready[rank]--
		for _, e := range m.next.edgesOf(op) {
			if left[e.to]--; left[e.to] == 0 {
				queue = append(queue, e.to)
				ready[rank]++
			}
		}
	}
	if over == n {
		return nil
	}
	return s.cycle(left, &previous)
}

// cycle returns an error that names operations which require each other. left is positive for those that are on a cycle
// or behind one.
func (s *Schedule) cycle(left []int32, previous *list) error {
	op := int32(slices.IndexFunc(left, func(n int32) bool { return n > 0 }))
	seen := map[int32]int{}
	var chain []int32
	for {
		if at, ok := seen[op]; ok {
			chain = chain[at:]
			break
		}
		seen[op] = len(chain)
		chain = append(chain, op)
		for _, e := range previous.edgesOf(op) {
			if left[e.from] > 0 {
				op = e.from
				break
			}
		}
	}
	return errors.New(s.Where(int(chain[0])) + ": the operations require each other: " + s.places(append(chain, chain[0]), " requires "))
}

// places names operations, at most 8 of them.
func (s *Schedule) places(ops []int32, between string) string {
	const most = 8
	var names []string
	for i, op := range ops {
		if len(ops) > most && i == most-1 {
			names = append(names, "...")
			break
		}
		names = append(names, s.Where(int(op)))
	}
	return strings.Join(names, between)
}

// name adds the names to the dictionary.
func (m *maker) name() {
	add := func(c tracer.Code) uint32 {
		id := m.dict.Add(c)
		for len(m.functions) <= int(id) {
			m.functions = append(m.functions, "")
		}
		if c.Type == tracer.Function {
			m.functions[id] = c.Name
		}
		return id
	}
	n := len(m.s.names)
	m.codes, m.classes, m.parts = make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for _, op := range m.s.Ops {
		name := m.s.names[op.Name]
		if m.codes[op.Name] == 0 {
			m.codes[op.Name] = add(tracer.Code{Type: tracer.Function, Name: name})
		}
		if op.Kind == Send && m.classes[op.Name] == 0 {
			m.classes[op.Name] = add(tracer.Code{Type: tracer.MessageClass, Name: name})
		}
	}
	m.chain = add(tracer.Code{Type: tracer.Function, Name: "rank"})
}

// part returns the part of a name in tasks of several operations.
func (m *maker) part(name uint32) uint32 {
	if m.parts[name] == 0 {
		code := m.codes[name]
		m.parts[name] = m.g.AddPart(replay.Part{Code: code, Context: m.dict.AddContext(tracer.Context{Code: code})})
	}
	return m.parts[name]
}

// run runs the operations without times, in an order that the dependences and the messages allow, and adds them to the
// graph.
func (m *maker) run() error {
	m.posts = newPosts(m.s)
	m.done = make([]bool, len(m.s.Ops))
	for i := range m.left {
		if m.left[i] == 0 {
			m.ready = append(m.ready, int32(i))
		}
	}
	slices.SortFunc(m.ready, m.s.before)
	inside := make([]uint32, len(m.s.Ops)) // by task: the part that it is in; there are no more tasks than operations
	for i := 0; i < len(m.ready); i++ {
		op := m.ready[i]
		m.begin(op)
		o, task := &m.s.Ops[op], m.tasks[op]
		switch o.Kind {
		case Calc:
			if m.chained(op) {
				if part := m.part(o.Name); inside[task] != part {
					m.g.Enter(task, part)
					inside[task] = part
				}
			}
			m.g.Compute(task, time.Duration(o.Size))
			m.end(op)
		case Send:
			sent := m.g.Send(task, o.Size, m.classes[o.Name])
			m.end(op)
			if to := m.posts.send(op, sent); to >= 0 {
				m.g.Receive(m.tasks[to], sent)
				m.end(to)
			}
		case Recv:
			if sent, ok := m.posts.receive(op); ok {
				m.g.Receive(task, sent)
				m.end(op)
			}
		}
	}
	return m.unmatched()
}

// chained reports whether the task of an operation has several.
func (m *maker) chained(op int32) bool { return !m.heads[op] || m.linked[op] > 0 }

// begin adds an operation to its task, which it creates for its first operation. It signals the operations that wait for this one to start.
func (m *maker) begin(op int32) {
	o := &m.s.Ops[op]
	if m.heads[op] {
		function := m.codes[o.Name]
		if m.chained(op) {
			function = m.chain
		}
		m.tasks[op] = m.g.Task(function, int(o.Rank))
		if m.gates[op] > 0 {
			m.g.Begin(m.tasks[op], m.gates[op]-1)
		}
	}
	m.signal(op, true)
}

// end signals the operations that wait for the end of one, and continues or ends its task.
func (m *maker) end(op int32) {
	m.done[op] = true
	m.signal(op, false)
	if next := m.linked[op]; next > 0 {
		m.tasks[next-1] = m.tasks[op]
		return
	}
	m.g.End(m.tasks[op], 0)
}

// signal gives the operations that wait for the start or the end of one its signals.
func (m *maker) signal(op int32, start bool) {
	for _, e := range m.next.edgesOf(op) {
		if e.start != start {
			continue
		}
		if m.heads[e.to] {
			if m.gates[e.to] == 0 {
				m.gates[e.to] = m.g.Gate(int(m.left[e.to])) + 1
			}
			m.g.Signal(m.tasks[op], m.gates[e.to]-1)
		}
		if m.left[e.to]--; m.left[e.to] == 0 {
			m.ready = append(m.ready, e.to)
		}
	}
}
