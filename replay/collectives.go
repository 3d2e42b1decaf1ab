package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/replay/collective"
	"whorl/tracer"
)

// This file makes messages of the collective operations whose beginnings a trace has as marks (tracer.CollectiveMark).

// collectiveKinds are the kinds of operations by the names that MPI has for them. The others wait for all, as a barrier.
var collectiveKinds = map[string]collective.Kind{
	"bcast": collective.Broadcast, "gather": collective.Gather, "gatherv": collective.Gather, "scatter": collective.Scatter, "scatterv": collective.Scatter,
	"allgather": collective.AllGather, "allgatherv": collective.AllGather, "alltoall": collective.AllToAll, "alltoallv": collective.AllToAll,
	"alltoallw": collective.AllToAll, "allreduce": collective.AllReduce, "reduce": collective.Reduce, "reduce scatter": collective.ReduceScatter,
	"reduce scatter block": collective.ReduceScatter, "scan": collective.Scan, "exscan": collective.Scan,
}

// An operation is a collective operation of some tasks.
type operation struct {
	kind    collective.Kind
	bytes   int64
	root    int32            // its PE, or tracer.None
	members []member         // by PE
	first   int              // the one that is the root, or member 0 of the operation
	begun   bool             // the members have their steps
	sent    map[[2]int]*line // by sender and receiver
}

// A member is a task in a collective operation.
type member struct {
	id    uint64
	pe    int32
	task  uint32 // number plus 1 from the beginning of the operation on
	steps []step // that are not in the graph
}

// A step is the sending of a message to another member, or the receipt of one.
type step struct {
	bytes   int64
	peer    int
	receive bool
}

// A gathering is a task in a collective operation.
type gathering struct {
	*operation        // nil when all steps of the task are in the graph
	member     int    // number of the task in the operation
	name       string // of the operation
	began      int64  // when the task began it
}

// A line holds messages from one member to another. The graph has only the Send or only the receipt of each.
type line struct{ sent, received []uint32 }

func (o *operation) Send(m int, bytes int64, to int) { o.add(m, step{bytes: bytes, peer: to}) }

func (o *operation) Receive(m int, bytes int64, from int) {
	o.add(m, step{bytes: bytes, peer: from, receive: true})
}

// add adds a step to a member. Members of the operation count from the root on.
func (o *operation) add(m int, s step) {
	at := func(m int) int { return (m + o.first) % len(o.members) }
	s.peer = at(s.peer)
	o.members[at(m)].steps = append(o.members[at(m)].steps, s)
}

func (o *operation) Swap(m int, bytes int64, to, from int) {
	o.Send(m, bytes, to)
	o.Receive(m, bytes, from)
}

// findCollectives returns the collective operations of a trace by their numbers.
func findCollectives(src tracer.Source, algorithm string) (map[uint64]*operation, error) {
	codes, most := src.Dict().Codes(), 0
	all := map[uint64]*operation{}
	err := src.Scan(tracer.Kinds(tracer.Mark), func(es []tracer.Event) error {
		for _, e := range es {
			name, ok := strings.CutPrefix(codes[min(int(e.Code), len(codes)-1)].Name, tracer.CollectiveMark)
			if !ok {
				continue
			}
			o := all[e.Ref]
			if o == nil {
				kind, known := collectiveKinds[name]
				if !known {
					kind = collective.Barrier
				}
				o = &operation{kind: kind, root: e.Peer, sent: map[[2]int]*line{}}
				all[e.Ref] = o
			}
			o.bytes = max(o.bytes, min(e.Value, maxShare))
			o.members = append(o.members, member{id: e.Task, pe: e.PE})
		}
		return nil
	})
	for _, o := range all {
		slices.SortFunc(o.members, byPE)
		o.members = slices.CompactFunc(o.members, func(a, b member) bool { return byPE(a, b) == 0 })
		o.first = max(0, slices.IndexFunc(o.members, func(m member) bool { return m.pe == o.root }))
		if o.kind == collective.Scatter {
			o.bytes *= int64(len(o.members))
		}
		if most += collective.Most(o.kind, algorithm, len(o.members)); most > collective.MaxOps {
			return nil, fmt.Errorf("the collective operations of the trace are more than %s messages", figures.Count(collective.MaxOps/2))
		}
	}
	if err == nil && len(all) == 0 {
		err = errors.New("the trace names no collective operations, as traces of MPI in OTF2 do")
	}
	return all, err
}

func byPE(a, b member) int { return cmp.Or(cmp.Compare(a.pe, b.pe), cmp.Compare(a.id, b.id)) }

// maxShare bounds the bytes of a member of a collective operation.
const maxShare = 1 << 40

// gather handles the mark at which a task begins a collective operation, and reports whether it is one.
func (r *reader) gather(n uint32, e *tracer.Event) bool {
	name, ok := strings.CutPrefix(r.name(e.Code), tracer.CollectiveMark)
	o := r.operations[e.Ref]
	if !ok || o == nil {
		return false
	}
	k, found := slices.BinarySearchFunc(o.members, member{id: e.Task, pe: e.PE}, byPE)
	if !found || o.members[k].task != 0 {
		return true
	}
	if !o.begun {
		o.begun = true
		collective.Run(o.kind, r.algorithm, o.bytes, len(o.members), o)
	}
	o.members[k].task = n + 1
	t := r.lives.life(n)
	if t.gathers = (&gathering{nil, k, name, r.now}); len(o.members[k].steps) > 0 {
		t.gathers.operation = o
		r.proceed(o, k)
	}
	return true
}

// proceed adds the steps of a member to the graph, until one receives a message that is not sent yet, and those of the members that get its messages.
func (r *reader) proceed(o *operation, k int) {
	for todo := []int{k}; len(todo) > 0; {
		k := todo[len(todo)-1]
		m := &o.members[k]
		if m.task == 0 || len(m.steps) == 0 || m.steps[0].receive && len(o.line(m.steps[0].peer, k).sent) == 0 {
			todo = todo[:len(todo)-1]
			continue
		}
		if s := m.steps[0]; !s.receive {
			todo = append(todo, s.peer)
		}
		r.step(o, k)
	}
}

// step adds the next step of a member to the graph.
func (r *reader) step(o *operation, k int) {
	m := &o.members[k]
	s, n := m.steps[0], m.task-1
	if m.steps = m.steps[1:]; len(m.steps) == 0 {
		r.lives.life(n).gathers.operation = nil
	}
	if s.receive {
		l := o.line(s.peer, k)
		if len(l.sent) == 0 {
			l.received = append(l.received, r.collectiveMessage(s.bytes, n))
			r.g.Receive(n, l.received[len(l.received)-1])
			return
		}
		r.g.Receive(n, l.sent[0])
		l.sent = l.sent[1:]
		return
	}
	l := o.line(k, s.peer)
	if len(l.received) > 0 {
		r.g.messages[l.received[0]].from = n
		r.g.add(n, opSend, uint64(l.received[0]))
		l.received = l.received[1:]
		return
	}
	l.sent = append(l.sent, r.collectiveMessage(s.bytes, n))
	r.g.add(n, opSend, uint64(l.sent[len(l.sent)-1]))
}

func (o *operation) line(from, to int) *line {
	l := o.sent[[2]int{from, to}]
	if l == nil {
		l = &line{}
		o.sent[[2]int{from, to}] = l
	}
	return l
}

// collectiveMessage creates a message of a collective operation.
func (r *reader) collectiveMessage(bytes int64, n uint32) uint32 {
	r.g.messages = append(r.g.messages, message{bytes: bytes, from: n, to: n, class: r.class, reason: r.awaited(r.class)})
	return uint32(len(r.g.messages) - 1)
}

// depart adds the remaining steps of a task in a collective operation, because the trace has later events of the task. Other members began the
// operation later.
func (r *reader) depart(n uint32) {
	for g := r.lives.life(n).gathers; g != nil && g.operation != nil; {
		o, s := g.operation, g.members[g.member].steps[0]
		r.step(o, g.member)
		if !s.receive {
			r.proceed(o, s.peer)
		}
	}
}

// departs are the kinds of events that a task has outside of collective operations.
var departs = tracer.Kinds(tracer.Fork, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Send, tracer.Recv, tracer.Mark)

// replaces reports whether an event is a recorded message of a collective operation for which the graph has other messages. Before other events, the
// task of the event departs from its operation.
func (r *reader) replaces(e *tracer.Event) bool {
	if (e.Kind == tracer.Send || e.Kind == tracer.Recv) && e.Code == r.class && r.class != 0 {
		return true
	}
	id := e.Task
	if e.Kind == tracer.Fork {
		id = e.Ref
	}
	if n, ok := r.task(id); ok && departs.Contains(e.Kind) {
		r.depart(n)
	}
	return false
}

// gathersFor reports whether a wait for a reason is the wait for the other members of a collective operation that is made of messages.
func (t *life) gathersFor(reason string) bool {
	return t.gathers != nil && t.gathers.name == reason && t.since == t.gathers.began
}
