package schedule

import (
	"errors"
	"fmt"
	"slices"
)

// A channel holds the messages from a rank to another with a tag. A source or a tag of Any stands for all.
type channel struct {
	tag      int64
	from, to int32
}

// anyTag is the tag of the channels of messages that receives of all tags take.
const anyTag = Any - 1

// A post is a message that was sent, or a Recv that waits.
type post struct {
	op    int32
	order uint32 // position in the order of all messages, or of all receives
}

// A line holds the messages of a channel and the receives that wait for one, the oldest first.
type line [2][]post

// Sides of a line.
const (
	messages = iota
	receives
)

// Posts match messages with receives in their order. A post is in the lines of all channels in which it can be looked for, and leaves a line when it
// is the first one there and is no longer open.
type posts struct {
	s        *Schedule
	any      []bool // by rank: some of its messages match by source or tag alone
	lines    map[channel]*line
	open     []bool // by operation: it is a message that nobody has received, or a Recv that waits
	receives uint32 // receives that have waited so far
	found    []*line
}

func newPosts(s *Schedule) posts {
	p := posts{s: s, any: make([]bool, s.Ranks), lines: map[channel]*line{}, open: make([]bool, len(s.Ops))}
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

// linesOf returns the lines of a Send or a Recv. A Send and a Recv match if they have a line in common. The result is valid until the next call.
func (p *posts) linesOf(op int32) []*line {
	p.found = p.found[:0]
	o := &p.s.Ops[op]
	if o.Kind == Recv {
		p.find(channel{o.Tag, o.Peer, o.Rank})
		if p.any[o.Rank] {
			p.find(channel{anyTag, o.Peer, o.Rank})
		}
		return p.found
	}
	tag := o.Tag
	if tag == Any {
		tag = anyTag
	}
	p.find(channel{tag, o.Rank, o.Peer})
	if p.any[o.Peer] {
		p.find(channel{tag, Any, o.Peer})
		p.find(channel{Any, o.Rank, o.Peer})
		p.find(channel{Any, Any, o.Peer})
	}
	return p.found
}

// find appends the line of a channel to found.
func (p *posts) find(c channel) {
	l := p.lines[c]
	if l == nil {
		l = &line{}
		p.lines[c] = l
	}
	p.found = append(p.found, l)
}

// oldest returns the oldest open post on a side of some lines.
func (p *posts) oldest(lines []*line, side int) (oldest post, ok bool) {
	for _, l := range lines {
		q := l[side]
		for len(q) > 0 && !p.open[q[0].op] {
			q = q[1:]
		}
		l[side] = q
		if len(q) > 0 && (!ok || q[0].order < oldest.order) {
			oldest, ok = q[0], true
		}
	}
	return oldest, ok
}

// add adds an open post to a side of some lines.
func (p *posts) add(lines []*line, side int, x post) {
	for _, l := range lines {
		l[side] = append(l[side], x)
	}
	p.open[x.op] = true
}

// send matches message number sent. It returns the Recv that waits for it, or -1.
func (p *posts) send(op int32, sent uint32) (recv int32) {
	lines := p.linesOf(op)
	r, ok := p.oldest(lines, receives)
	if !ok {
		p.add(lines, messages, post{op, sent})
		return -1
	}
	p.open[r.op] = false
	return r.op
}

// receive matches a Recv with the number of a message. ok is false if it has to wait.
func (p *posts) receive(op int32) (sent uint32, ok bool) {
	lines := p.linesOf(op)
	m, ok := p.oldest(lines, messages)
	if !ok {
		p.add(lines, receives, post{op, p.receives})
		p.receives++
		return 0, false
	}
	p.open[m.op] = false
	return m.order, true
}

// unmatched returns an error for operations that have not ended and messages that nobody has received.
func (m *maker) unmatched() error {
	if op := slices.Index(m.done, false); op >= 0 {
		return m.stuck(int32(op))
	}
	lost := slices.Index(m.posts.open, true)
	if lost < 0 {
		return nil
	}
	return fmt.Errorf("%s: no recv of rank %d takes this message", m.s.Where(lost), m.s.Ops[lost].Peer)
}

// stuck returns an error that names the reason why an operation has not ended.
func (m *maker) stuck(op int32) error {
	before := make([]int32, len(m.s.Ops)) // one that an operation requires and that has not ended, plus 1
	for _, e := range m.s.edges {
		if !m.done[e.from] && !(e.start && m.posts.open[e.from]) {
			before[e.to] = e.from + 1
		}
	}
	late := newPosts(m.s) // the messages that were not sent
	for i := range m.s.Ops {
		if m.s.Ops[i].Kind == Send && !m.done[i] {
			late.add(late.linesOf(int32(i)), messages, post{int32(i), uint32(i)})
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
		if !m.posts.open[op] {
			op = before[op] - 1
			continue
		}
		send, ok := late.oldest(late.linesOf(op), messages)
		if !ok {
			return fmt.Errorf("%s: no send matches this recv of rank %d", m.s.Where(int(op)), m.s.Ops[op].Rank)
		}
		op = send.op
	}
}
