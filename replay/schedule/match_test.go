package schedule

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A simple matches messages and receives by searching lists.
type simple struct {
	s                  *Schedule
	messages, receives []int32 // operations, the oldest first
}

// matches reports whether a Recv takes the message of a Send.
func (x *simple) matches(recv, send int32) bool {
	r, s := &x.s.Ops[recv], &x.s.Ops[send]
	return r.Rank == s.Peer && (r.Peer == Any || r.Peer == s.Rank) && (r.Tag == Any || s.Tag == Any || r.Tag == s.Tag)
}

// match returns the operation that another one is matched with, -1 for none.
func (x *simple) match(op int32) int32 {
	list, own := &x.receives, &x.messages
	if x.s.Ops[op].Kind == Recv {
		list, own = own, list
	}
	i := slices.IndexFunc(*list, func(other int32) bool {
		if x.s.Ops[op].Kind == Recv {
			return x.matches(op, other)
		}
		return x.matches(other, op)
	})
	if i < 0 {
		*own = append(*own, op)
		return -1
	}
	other := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return other
}

// Messages and receives with all kinds of sources and tags match as in a search of lists.
func TestPosts(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := &Schedule{Ranks: 1 + rng.IntN(3)}
		least := -rng.IntN(2) // -1 where some operations take Any
		number := func(most int) int { return least + rng.IntN(most-least) }
		for range 60 {
			if rng.IntN(2) == 0 {
				s.Add(Op{Kind: Send, Rank: int32(rng.IntN(s.Ranks)), Peer: int32(rng.IntN(s.Ranks)), Tag: int64(number(3))})
			} else {
				s.Add(Op{Kind: Recv, Rank: int32(rng.IntN(s.Ranks)), Peer: int32(number(s.Ranks)), Tag: int64(number(3))})
			}
		}
		p, want := newPosts(s), simple{s: s}
		var sent []int32 // operations of the messages
		for _, i := range rng.Perm(len(s.Ops)) {
			op, got := int32(i), int32(-1)
			if s.Ops[i].Kind == Send {
				got = p.send(op, uint32(len(sent)))
				sent = append(sent, op)
			} else if m, ok := p.receive(op); ok {
				got = sent[m]
			}
			if want := want.match(op); got != want {
				t.Fatalf("seed %d: %+v is matched with %d, want %d, in %+v", seed, s.Ops[i], got, want, s.Ops)
			}
		}
		for i, open := range p.open {
			if want := slices.Contains(want.messages, int32(i)) || slices.Contains(want.receives, int32(i)); open != want {
				t.Fatalf("seed %d: operation %d is open: %v, want %v", seed, i, open, want)
			}
		}
	}
}
