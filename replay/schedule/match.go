package schedule

import (
	"errors"
	"fmt"
	"slices"
)

// A channel is what messages and receives have in common that match.
type channel struct {
	tag      int64
	from, to int32
}

// A post is a message that was sent, or a Recv that waits.
type post struct {
	op   int32
	sent uint32 // number of the message
}

// Posts match messages with receives in their order. Ranks with operations that take Any have one list; the others
// have a queue for each channel.
type posts struct {
	s       *Schedule
	any     []bool // by rank
	lists   []line // by rank
	queues  map[channel]*line
	waiting []bool // by operation: it is a Recv that waits
}

// A line holds messages and waiting receives; one of the two is empty in a channel.
type line struct{ messages, receives []post }

func newPosts(s *Schedule) posts {
	p := posts{s: s, any: make([]bool, s.Ranks), lists: make([]line, s.Ranks), queues: map[channel]*line{}, waiting: make([]bool, len(s.Ops))}
	for i := range s.Ops {
		switch op := &s.Ops[i]; {
		case op.Kind == Recv && (op.Peer == Any || op.Tag == Any):
			p.any[op.Rank] = true
		case op.Kind == Send && op.Tag == Any:
			p.any[op.Peer] = true
		}
	}
	return p
}

// line returns the list that messages of a channel are in.
func (p *posts) line(c channel) *line {
	if p.any[c.to] {
		return &p.lists[c.to]
	}
	l := p.queues[c]
	if l == nil {
		l = &line{}
		p.queues[c] = l
	}
	return l
}

// matches reports whether a Recv takes the message of a Send.
func (p *posts) matches(recv, send int32) bool {
	r, s := &p.s.Ops[recv], &p.s.Ops[send]
	return r.Rank == s.Peer && (r.Peer == Any || r.Peer == s.Rank) && (r.Tag == Any || s.Tag == Any || r.Tag == s.Tag)
}

// send matches a message. It returns the Recv that waits for it, or -1.
func (p *posts) send(op int32, sent uint32) (recv int32) {
	o := &p.s.Ops[op]
	l := p.line(channel{o.Tag, o.Rank, o.Peer})
	i := slices.IndexFunc(l.receives, func(r post) bool { return p.matches(r.op, op) })
	if i < 0 {
		l.messages = append(l.messages, post{op, sent})
		return -1
	}
	recv = l.receives[i].op
	l.receives = remove(l.receives, i)
	p.waiting[recv] = false
	return recv
}

// receive matches a Recv. ok is false if it has to wait.
func (p *posts) receive(op int32) (sent uint32, ok bool) {
	o := &p.s.Ops[op]
	l := p.line(channel{o.Tag, o.Peer, o.Rank})
	i := slices.IndexFunc(l.messages, func(m post) bool { return p.matches(op, m.op) })
	if i < 0 {
		l.receives = append(l.receives, post{op: op})
		p.waiting[op] = true
		return 0, false
	}
	sent = l.messages[i].sent
	l.messages = remove(l.messages, i)
	return sent, true
}

// remove removes a post. The first one takes no time.
func remove(l []post, i int) []post {
	if i == 0 {
		return l[1:]
	}
	return slices.Delete(l, i, i+1)
}

// unmatched returns an error for operations that have not ended and messages that nobody has received.
func (m *maker) unmatched() error {
	if op := slices.Index(m.done, false); op >= 0 {
		return m.stuck(int32(op))
	}
	first := int32(-1)
	for _, l := range m.posts.queues {
		for _, x := range l.messages {
			if first < 0 || x.op < first {
				first = x.op
			}
		}
	}
	for i := range m.posts.lists {
		for _, x := range m.posts.lists[i].messages {
			if first < 0 || x.op < first {
				first = x.op
			}
		}
	}
	if first < 0 {
		return nil
	}
	return fmt.Errorf("%s: no recv of rank %d takes this message", m.s.Where(int(first)), m.s.Ops[first].Peer)
}

// stuck returns an error that says what an operation waits for, which has not ended.
func (m *maker) stuck(op int32) error {
	before := make([]int32, len(m.s.Ops)) // one that an operation requires and that has not ended, plus 1
	for _, e := range m.s.edges {
		if !m.done[e.from] && !(e.start && m.posts.waiting[e.from]) {
			before[e.to] = e.from + 1
		}
	}
	senders := map[int32][]int32{} // by rank of the receiver: the messages that were not sent
	for i := range m.s.Ops {
		if o := &m.s.Ops[i]; o.Kind == Send && !m.done[i] {
			senders[o.Peer] = append(senders[o.Peer], int32(i))
		}
	}
	seen := map[int32]int{}
	var chain []int32
	for {
		if at, ok := seen[op]; ok {
			chain = append(chain[at:], op)
			return errors.New(m.s.Where(int(op)) + ": deadlock: " + m.s.places(chain, " waits for "))
		}
		seen[op] = len(chain)
		chain = append(chain, op)
		if !m.posts.waiting[op] {
			op = before[op] - 1
			continue
		}
		all := senders[m.s.Ops[op].Rank]
		i := slices.IndexFunc(all, func(send int32) bool { return m.posts.matches(op, send) })
		if i < 0 {
			return fmt.Errorf("%s: no send matches this recv of rank %d", m.s.Where(int(op)), m.s.Ops[op].Rank)
		}
		op = all[i]
	}
}
