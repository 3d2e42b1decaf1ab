package spans

import (
	"cmp"
	"slices"
	"sort"
)

// group sorts the spans by trace and finds their parents.
func (r *Recording) group() {
	r.bounds = make([]uint32, len(r.ids)+1)
	for i := range uint32(r.spans.Len()) {
		r.bounds[r.spans.Entry(i).trace+1]++
	}
	for t := range r.ids {
		r.bounds[t+1] += r.bounds[t]
	}
	next := slices.Clone(r.bounds)
	r.order = make([]uint32, r.spans.Len())
	for i := range uint32(r.spans.Len()) {
		t := r.spans.Entry(i).trace
		r.order[next[t]] = i
		next[t]++
	}
	for t := range uint32(len(r.ids)) {
		all := r.members(t)
		slices.SortFunc(all, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(r.spans.Entry(a).id, r.spans.Entry(b).id), cmp.Compare(a, b))
		})
		r.halves(all)
		r.adopt(all)
		r.unloop(all)
	}
	r.follow()
}

// members returns the spans of a trace.
func (r *Recording) members(trace uint32) []uint32 { return r.order[r.bounds[trace]:r.bounds[trace+1]] }

// halves makes the server's span of a call a child of the client's span with the same id, and leaves out spans that occur twice.
func (r *Recording) halves(all []uint32) {
	for i := 0; i < len(all); {
		first := r.spans.Entry(all[i])
		j := i + 1
		for ; j < len(all) && r.spans.Entry(all[j]).id == first.id; j++ {
		}
		if same := all[i:j]; len(same) > 1 {
			r.pair(same)
			slices.SortStableFunc(same, func(a, b uint32) int { return cmp.Compare(r.spans.Entry(a).flags&gone, r.spans.Entry(b).flags&gone) })
		}
		i = j
	}
}

// pair handles several spans of the same id.
func (r *Recording) pair(same []uint32) {
	var client, server uint32 // numbers + 1
	for _, n := range same {
		s := r.spans.Entry(n)
		half := &client
		if s.is(shared) || s.kind == Server {
			half = &server
		}
		if *half != 0 {
			s.set(gone, true)
			r.Dropped.Add("spans occurring twice", 1)
			continue
		}
		*half = n + 1
	}
	if client == 0 || server == 0 {
		return
	}
	if s := r.spans.Entry(server - 1); s.is(shared) || r.spans.Entry(client-1).kind == Client {
		s.parent = client
		return
	}
	r.spans.Entry(max(client, server)-1).set(gone, true)
	r.Dropped.Add("spans occurring twice", 1)
}

// find returns the number of a span with an id, + 1, and 0 if there is none. all are the spans of a trace in the order of their ids; of equal ids, those that
// are gone come last. Of the two halves of a call find returns the server's, unless only the client's is of the process that asks.
func (r *Recording) find(all []uint32, id uint64, process uint32) (found uint32) {
	i := sort.Search(len(all), func(i int) bool { return r.spans.Entry(all[i]).id >= id })
	for ; i < len(all); i++ {
		s := r.spans.Entry(all[i])
		if s.id != id || s.is(gone) {
			break
		}
		if found != 0 {
			other := r.spans.Entry(found - 1)
			server, mine, its := s.parent == found, s.process == process, other.process == process
			if mine == its && !server || its && !mine {
				continue
			}
		}
		found = all[i] + 1
	}
	return found
}

// adopt finds the parents of the spans of a trace.
func (r *Recording) adopt(all []uint32) {
	for _, n := range all {
		s := r.spans.Entry(n)
		if s.parent != 0 || s.up == 0 || s.is(gone) {
			continue
		}
		if s.parent = r.find(all, s.up, s.process); s.parent == 0 {
			r.Dropped.Add("parents outside the file", 1)
		}
	}
}

// unloop cuts circles of parents.
func (r *Recording) unloop(all []uint32) {
	for _, n := range all { // first is the mark of those that lead to a root, task that of the walk
		for at := n; ; {
			s := r.spans.Entry(at)
			if s.first == 1 {
				break
			}
			if s.task == n+1 {
				s.parent = 0
				r.Dropped.Add("spans whose parents form a circle", 1)
				break
			}
			s.task = n + 1
			if s.parent == 0 {
				break
			}
			at = s.parent - 1
		}
		for at := n; ; {
			s := r.spans.Entry(at)
			if s.first == 1 {
				break
			}
			s.first = 1
			if s.parent == 0 {
				break
			}
			at = s.parent - 1
		}
	}
	for _, n := range all {
		s := r.spans.Entry(n)
		s.first, s.task = 0, 0
	}
}

// follow finds the spans that links lead to.
func (r *Recording) follow() {
	for i := range uint32(r.links.Len()) {
		l := r.links.Entry(i)
		t, ok := r.traces[l.trace]
		from := r.spans.Entry(l.from)
		if from.is(gone) {
			continue
		}
		if ok {
			l.to = r.find(r.members(t), l.id, from.process)
		}
		switch {
		case l.to == 0:
			r.Dropped.Add("links to spans that are not in the file", 1)
		case l.to == l.from+1:
			l.to = 0
		}
	}
}

// compare orders spans by the beginning, the end and the id.
func (r *Recording) compare(a, b uint32) int {
	x, y := r.spans.Entry(a), r.spans.Entry(b)
	return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end), cmp.Compare(x.id, y.id), cmp.Compare(x.parent, y.parent))
}

// arrange sorts the spans of each trace by parent and time, and the traces by time.
func (r *Recording) arrange() {
	r.begins, r.sorted = make([]int64, len(r.ids)), make([]uint32, 0, len(r.ids))
	for t := range uint32(len(r.ids)) {
		all := r.members(t)
		slices.SortFunc(all, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(r.spans.Entry(a).parent, r.spans.Entry(b).parent), r.compare(a, b))
		})
		begin := int64(mostTime)
		for i, n := range all {
			s := r.spans.Entry(n)
			if s.is(gone) {
				continue
			}
			begin = min(begin, s.start)
			from, to := r.eventsOf(n)
			for e := from; e < to; e++ {
				begin = min(begin, r.events.Entry(e).time)
			}
			if s.parent != 0 {
				if p := r.spans.Entry(s.parent - 1); p.first == 0 {
					p.first = r.bounds[t] + uint32(i) + 1
				}
			}
		}
		if r.begins[t] = begin; begin < mostTime {
			r.sorted = append(r.sorted, t)
		}
	}
	slices.SortFunc(r.sorted, func(a, b uint32) int {
		x, y := r.ids[a], r.ids[b]
		return cmp.Or(cmp.Compare(r.begins[a], r.begins[b]), cmp.Compare(x.High, y.High), cmp.Compare(x.Low, y.Low))
	})
	for i := range uint32(r.links.Len()) {
		l := r.links.Entry(i)
		if l.to == 0 {
			continue
		}
		if r.spans.Entry(l.to-1).start > r.spans.Entry(l.from).start {
			l.to = 0
			r.Dropped.Add("links to spans that begin later", 1)
			continue
		}
		r.targets[l.to-1] = append(r.targets[l.to-1], i)
	}
}

// eventsOf returns the numbers of the first event of a span and of the first one after its events.
func (r *Recording) eventsOf(n uint32) (from, to uint32) {
	if int(n)+1 < r.spans.Len() {
		return r.spans.Entry(n).events, r.spans.Entry(n + 1).events
	}
	return r.spans.Entry(n).events, uint32(r.events.Len())
}

func (r *Recording) attributesOf(n uint32) (from, to uint32) {
	if int(n)+1 < r.spans.Len() {
		return r.spans.Entry(n).attributes, r.spans.Entry(n + 1).attributes
	}
	return r.spans.Entry(n).attributes, uint32(r.attrs.Len())
}

func (r *Recording) linksOf(n uint32) (from, to uint32) {
	if int(n)+1 < r.spans.Len() {
		return r.spans.Entry(n).links, r.spans.Entry(n + 1).links
	}
	return r.spans.Entry(n).links, uint32(r.links.Len())
}

// children returns the children of a span by time, in the places from first on.
func (r *Recording) children(n uint32) []uint32 {
	s := r.spans.Entry(n)
	if s.first == 0 {
		return nil
	}
	rest := r.order[s.first-1 : r.bounds[s.trace+1]]
	return rest[:sort.Search(len(rest), func(i int) bool { return r.spans.Entry(rest[i]).parent != n+1 })]
}
