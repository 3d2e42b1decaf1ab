package sim

// What an envelope carries.
const (
	program uint8 = iota // a message of the program's
	placed               // new work for the receiver
	woken                // work that waited at the receiver
	central              // new work for the central queue, which PE 0 keeps
	given                // the answer to an ask: a chain of works in Data
	refused              // the answer to an ask that found nothing
)

// envelope is something on its way. The pairing heap of the receiver's inbox, or the list of the sender's outbox, runs through it.
type envelope struct {
	Message
	at          Time   // in an outbox: when it may leave, -1 if not known yet; in an inbox: when it arrives
	seq         uint64 // order of leaving, for those that arrive together
	to          int32
	kind        uint8
	child, next uint32
}

// post holds all envelopes in one array, for the same reason as works.
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

// outbox is a list of envelopes in the order of their sending.
type outbox struct{ head, tail uint32 }

func (o *post) append(b *outbox, e envelope) {
	e.at = -1
	i := o.add(e)
	if b.tail != 0 {
		o.e[b.tail].next = i
	} else {
		b.head = i
	}
	b.tail = i
}

// unlink takes the first envelope out of b without freeing it.
func (o *post) unlink(b *outbox) uint32 {
	i := b.head
	if b.head = o.e[i].next; b.head == 0 {
		b.tail = 0
	}
	o.e[i].next = 0
	return i
}

// An inbox is a pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986) by arrival, 0 when empty: 4 bytes a PE, and a million messages to
// one PE stay cheap.

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
	if y.at < x.at || y.at == x.at && y.seq < x.seq {
		a, b, x, y = b, a, y, x
	}
	y.next, x.child = x.child, b
	return a
}

// remove takes the first arrival out of the heap and returns the new root.
func (o *post) remove(root uint32) uint32 {
	var pairs uint32 // children melded two by two, last pair first
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
