package spans

import (
	"cmp"
	"slices"
)

// call reports whether a child is the server's side of a remote call of its parent.
func (r *Recording) call(p, s *span) bool {
	return p.process != s.process && p.kind == Client && s.kind == Server
}

// alone reports whether the parent cannot wait for a child.
func alone(p, s *span) bool { return s.kind == Consumer || s.is(follows) || s.start > p.end }

// sent returns when a parent causes a child. prev is the end of the child that it has waited for before.
func (r *Recording) sent(p, s *span, prev int64) int64 {
	switch {
	case alone(p, s):
		return min(p.end, s.start)
	case r.call(p, s):
		if prev > s.start {
			prev = p.start
		}
		return min(prev, s.start)
	}
	return s.start
}

// chain marks the children that their parents wait for, and finds when each task begins to exist: not later than its children.
func (r *Recording) chain() {
	var byEnd, all []uint32
	for i := range uint32(r.spans.Len()) {
		p := r.spans.Entry(i)
		kids := r.children(i)
		if len(kids) == 0 {
			continue
		}
		byEnd = append(byEnd[:0], kids...)
		slices.SortFunc(byEnd, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(r.spans.Entry(b).end, r.spans.Entry(a).end), r.compare(b, a))
		})
		cursor := p.end
		for _, k := range byEnd {
			s := r.spans.Entry(k)
			if s.end > cursor || alone(p, s) || s.end < p.start || s.end == p.start && s.start < p.start {
				continue
			}
			s.set(chained, true)
			cursor = max(s.start, p.start)
		}
		prev := p.start
		for _, k := range kids {
			s := r.spans.Entry(k)
			s.fork = r.sent(p, s, prev)
			if s.is(chained) {
				prev = s.end
			}
		}
	}
	for _, t := range r.sorted {
		all = all[:0] // parents before their children
		for _, n := range r.roots(t) {
			s := r.spans.Entry(n)
			s.fork = r.caused(n)
			all = append(all, n)
		}
		for i := 0; i < len(all); i++ {
			all = append(all, r.children(all[i])...)
		}
		for _, n := range slices.Backward(all) {
			if s := r.spans.Entry(n); s.parent != 0 {
				p := r.spans.Entry(s.parent - 1)
				p.fork = min(p.fork, s.fork)
			}
		}
	}
}

// roots returns the spans of a trace without a parent.
func (r *Recording) roots(trace uint32) (list []uint32) {
	for _, n := range r.members(trace) {
		s := r.spans.Entry(n)
		if s.parent != 0 {
			break
		}
		if !s.is(gone) {
			list = append(list, n)
		}
	}
	return list
}

// cause returns the link of a root that was sent last, + 1, and 0 for a span without one. The root waited for it.
func (r *Recording) cause(n uint32) (best uint32, at int64) {
	s := r.spans.Entry(n)
	from, to := r.linksOf(n)
	for i := from; i < to; i++ {
		l := r.links.Entry(i)
		if l.to == 0 || s.parent != 0 {
			continue
		}
		if sent := min(r.spans.Entry(l.to-1).end, s.start); best == 0 || sent > at {
			best, at = i+1, sent
		}
	}
	return best, at
}

// caused returns when a root begins to exist.
func (r *Recording) caused(n uint32) int64 {
	if best, at := r.cause(n); best != 0 {
		return at
	}
	return r.spans.Entry(n).start
}
