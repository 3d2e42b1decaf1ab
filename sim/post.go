package sim

// The kinds of envelopes.
const (
	program uint8 = iota // a message of the program
	placed               // new work for the receiver
	woken                // work that waited, for the receiver
	central              // new work for the central queue, which is at PE 0
	given                // answer to an ask: a chain of works in Data
	refused              // answer to an ask that found no work
	alarmed              // work that waits for a time
)

// An envelope is a message or work on its way, linked into the receiver's inbox or the sender's outbox.
type envelope struct {
	Message
	time        Time   // in an outbox: when it may leave, -1 if not known yet; in an inbox: when it arrives
	seq         uint64 // order of leaving, for envelopes that arrive at the same time
	to          int32
	kind        uint8
	child, next uint32
}

// A post holds all envelopes in one array, for the same reason as works.
type post struct {
	e    []envelope // e[0] is not used
	free uint32
	seq  uint64
}

func (o *post) add(e envelope) uint32 {
	i := o.free
	if i != 0 {
		o.free = o.e[i].next
		o.e[i] = e
		return i
	}
	if len(o.e) == 0 {
		o.e = append(o.e, envelope{})
	}
	o.e = append(o.e, e)
	return uint32(len(o.e) - 1)
}

func (o *post) release(i uint32) { o.e[i].next, o.free = o.free, i }

// An outbox is a list of envelopes in sending order.
type outbox struct{ head, tail uint32 }

func (o *post) append(b *outbox, e envelope) {
	e.time = -1
	i := o.add(e)
	if b.tail != 0 {
		o.e[b.tail].next = i
	} else {
		b.head = i
	}
	b.tail = i
}

// unlink removes the first envelope of b without freeing it.
func (o *post) unlink(b *outbox) uint32 {
	i := b.head
	if b.head = o.e[i].next; b.head == 0 {
		b.tail = 0
	}
	o.e[i].next = 0
	return i
}

// An inbox is the root of a pairing heap by arrival time (Fredman, Sedgewick, Sleator, Tarjan 1986), 0 when empty. It
// takes 4 bytes a PE, and a million messages to one PE stay cheap.

func (o *post) insert(root, i uint32) uint32 {
	o.seq++
	o.e[i].seq, o.e[i].child, o.e[i].next = o.seq, 0, 0
	if root == 0 {
		return i
	}
	return o.meld(root, i)
}

func (o *post) meld(a, b uint32) uint32 {
	x, y := &o.e[a], &o.e[b]
	if y.time < x.time || y.time == x.time && y.seq < x.seq {
		a, b, x, y = b, a, y, x
	}
	y.next, x.child = x.child, b
	return a
}

// remove removes the first arrival from the heap and returns the new root.
func (o *post) remove(root uint32) uint32 {
	var pairs uint32 // children melded in pairs, last pair first
	for c := o.e[root].child; c != 0; {
		a, b := c, o.e[c].next
		if b == 0 {
			o.e[a].next, pairs = pairs, a
			break
		}
		c = o.e[b].next
		a = o.meld(a, b)
		o.e[a].next, pairs = pairs, a
	}
	if pairs == 0 {
		return 0
	}
	root = pairs
	for c := o.e[pairs].next; c != 0; {
		n := o.e[c].next
		root = o.meld(root, c)
		c = n
	}
	o.e[root].next = 0
	return root
}
