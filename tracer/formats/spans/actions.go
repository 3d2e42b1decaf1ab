package spans

import "slices"

// An action becomes one event, or several at the same time.
type action struct {
	time  int64
	value int64
	a, b  uint32 // the span, and the other span, event or link
	what  what
}

type what uint8

const (
	forks     what = iota // b is the parent + 1
	sends                 // a to its child b
	expects               // a waits for its message
	receives              // a, from its parent b
	wakes                 // a, by its parent b; value is how long it waited
	starts                //
	marks                 // b is the event
	joins                 // a begins to wait for b
	joined                // a goes on after b
	suspends              // a waits for the answer of b
	resumes               // a has the answer of b; value is how long it waited
	worked                // a began to work for a time of value
	answers               // a to its parent b
	gets                  // a, from its child b
	ends                  //
	linkSends             // a; b is the link
	linkGets              // a; b is the link
	linkWakes             // a; b is the link; value is how long it waited
)

// A visit is a span whose children are being visited.
type visit struct {
	n     uint32
	kids  []uint32
	next  int
	prev  int64 // end of the child that it has waited for last
	since int64 // when it began to work
}

// A generator makes the actions of one trace.
type generator struct {
	r     *Recording
	brief bool // only forks, starts and ends
	out   actions
	stack []visit
}

// actions are those of a trace.
type actions struct {
	all    []action // in the order of causes
	byTime []moment
}

// A moment is the place of an action in the order of time. Actions at the same time stay in the order of causes.
type moment struct {
	time int64
	n    uint32
}

func compareMoments(a, b moment) int {
	if a.time != b.time {
		if a.time < b.time {
			return -1
		}
		return 1
	}
	return int(a.n) - int(b.n)
}

func (g *generator) add(at int64, w what, a, b uint32, value int64) {
	if g.brief && w != forks && w != starts && w != ends {
		return
	}
	g.out.byTime = append(g.out.byTime, moment{at, uint32(len(g.out.all))})
	g.out.all = append(g.out.all, action{time: at, what: w, a: a, b: b, value: value})
}

// trace returns the actions of a trace. It uses the memory of spare.
func (g *generator) trace(t uint32, spare actions) actions {
	r := g.r
	g.out = actions{spare.all[:0], spare.byTime[:0]}
	for _, root := range r.roots(t) {
		g.root(root)
		for len(g.stack) > 0 {
			v := &g.stack[len(g.stack)-1]
			if v.next < len(v.kids) {
				v.next++
				g.child(v, v.kids[v.next-1])
				continue
			}
			g.end(v)
		}
	}
	slices.SortFunc(g.out.byTime, compareMoments)
	return g.out
}

// push begins the visit of a span, which starts.
func (g *generator) push(n uint32) {
	s := g.r.spans.Entry(n)
	g.add(s.start, starts, n, 0, 0)
	from, to := g.r.eventsOf(n)
	for e := from; e < to; e++ {
		g.add(g.r.events.Entry(e).time, marks, n, e, 0)
	}
	for _, l := range g.r.targets[n] {
		g.add(min(s.end, g.r.spans.Entry(g.r.links.Entry(l).from).start), linkSends, n, l, 0)
	}
	g.stack = append(g.stack, visit{n: n, kids: g.r.children(n), prev: s.start, since: s.start})
}

// root visits a span without a parent.
func (g *generator) root(n uint32) {
	r := g.r
	s := r.spans.Entry(n)
	g.add(s.fork, forks, n, 0, 0)
	best, at := r.cause(n)
	waits := best != 0 && at < s.start
	if waits {
		g.add(at, expects, n, 0, 0)
	}
	g.linked(n, best)
	if best != 0 {
		g.add(s.start, linkGets, n, best-1, 0)
	}
	if waits {
		g.add(s.start, linkWakes, n, best-1, s.start-at)
	}
	g.push(n)
}

// linked adds the links of a span, but for one of them.
func (g *generator) linked(n, but uint32) {
	from, to := g.r.linksOf(n)
	for i := from; i < to; i++ {
		if g.r.links.Entry(i).to != 0 && i+1 != but {
			g.add(g.r.spans.Entry(n).start, linkGets, n, i, 0)
		}
	}
}

// child visits a child.
func (g *generator) child(v *visit, n uint32) {
	r := g.r
	p, s := r.spans.Entry(v.n), r.spans.Entry(n)
	at := r.sent(p, s, v.prev)
	call, tells := r.call(p, s), g.tells(p, s, at)
	g.add(s.fork, forks, n, v.n+1, 0)
	if tells {
		g.add(at, sends, v.n, n, 0)
	}
	switch from := max(s.start, p.start); {
	case !s.is(chained):
	case call:
		g.pause(v, max(at, p.start))
		g.add(max(at, p.start), suspends, v.n, n, 0)
	default:
		g.pause(v, from)
		g.add(from, joins, v.n, n, 0)
	}
	if tells {
		if at < s.start {
			g.add(at, expects, n, 0, 0)
		}
		g.add(s.start, receives, n, v.n, 0)
		if at < s.start {
			g.add(s.start, wakes, n, v.n, s.start-at)
		}
	}
	g.linked(n, 0)
	g.push(n)
}

// tells reports whether the parent sends a message to its child: because the child is in another process, or runs later.
func (g *generator) tells(p, s *span, at int64) bool {
	return s.start >= p.start && (p.process != s.process || at < s.start)
}

// pause adds the work of a span until it waits.
func (g *generator) pause(v *visit, at int64) {
	if at > v.since {
		g.add(v.since, worked, v.n, 0, at-v.since)
	}
}

// end ends the visit of a span, and the wait of its parent.
func (g *generator) end(v *visit) {
	r := g.r
	n := v.n
	s := r.spans.Entry(n)
	g.pause(v, s.end)
	g.stack = g.stack[:len(g.stack)-1]
	if s.parent == 0 || !s.is(chained) {
		g.add(s.end, ends, n, 0, 0)
		return
	}
	up := &g.stack[len(g.stack)-1]
	p := r.spans.Entry(up.n)
	prev := up.prev
	up.prev = s.end
	switch {
	case r.call(p, s):
		g.add(s.end, answers, n, up.n, 0)
		g.add(s.end, ends, n, 0, 0)
		up.since = g.arrives(up, p, s)
		g.add(up.since, gets, up.n, n, 0)
		g.add(up.since, resumes, up.n, n, up.since-max(r.sent(p, s, prev), p.start))
	case p.process != s.process:
		g.add(s.end, answers, n, up.n, 0)
		g.add(s.end, ends, n, 0, 0)
		g.add(s.end, gets, up.n, n, 0)
		g.add(s.end, joined, up.n, n, 0)
		up.since = s.end
	default:
		g.add(s.end, ends, n, 0, 0)
		g.add(s.end, joined, up.n, n, 0)
		up.since = s.end
	}
}

// arrives returns when the client of a call has the answer of its server: when it waits for another child, or at its end. A call right after this one
// has the whole time between them for its request.
func (g *generator) arrives(up *visit, p, s *span) int64 {
	for _, k := range up.kids[up.next:] {
		if next := g.r.spans.Entry(k); next.is(chained) {
			if g.r.call(p, next) {
				return s.end
			}
			return max(next.start, s.end)
		}
	}
	return p.end
}
