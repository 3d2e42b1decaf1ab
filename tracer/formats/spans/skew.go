package spans

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"whorl/tracer/derive/clocks"
)

// A bracket bounds the difference of two clocks: the clock of a host is from low to high ns behind that of another one.
type bracket struct {
	low, high         int64
	sent, received    int64 // of the request
	answered, arrived int64
	down              bool // the request went from the host with the lower number
}

// mostBrackets bounds the spans that are used for the clocks of two hosts.
const mostBrackets = 1 << 16

// rounding is the resolution of the times of most formats: times may contradict each other by that much.
const rounding = 1000

// A relation holds the evidence about the clocks of two hosts.
type relation struct {
	a, b     int32
	brackets []bracket
	low      int64 // the range of differences that most brackets allow
	high     int64
	most     int // brackets that allow it
	none     int // brackets that allow no difference
}

// even reports whether two clocks may be the same. A few spans that contradict it are children that were given up.
func (x *relation) even() bool { return x.none*20 >= x.most*19 }

// hosts numbers the hosts of the processes. A process without a host is one of its own.
func (r *Recording) hosts() (names []string) {
	numbers := map[string]int32{}
	for i := range r.processes {
		p := &r.processes[i]
		name := cmp.Or(p.host, p.name)
		n, ok := numbers[name]
		if !ok {
			n = int32(len(names))
			numbers[name] = n
			names = append(names, name)
		}
		p.machine = n
	}
	return names
}

// skewed corrects the clocks of hosts.
//
// A child that is no longer than its parent began after it and ended before it, unless the parent did not wait for it. Each such pair of spans on two
// hosts brackets the difference of their clocks, and most pairs agree on a range (K. Marzullo, S. Owicki, "Maintaining the Time in a Distributed
// System", PODC 1983). Hosts keep their times if nearly as many pairs allow a difference of 0 as any other one. Package clocks aligns the other hosts
// by the requests and answers that agree with the range.
func (r *Recording) skewed() {
	names, relations := r.hosts(), r.relate()
	same, uneven := sameClocks(len(names), relations)
	if !uneven {
		return
	}
	groups, titles := r.groups(names, same)
	ranges := make([]clocks.Range, len(titles))
	for i := range ranges {
		ranges[i] = clocks.Range{From: math.MaxInt64, To: math.MinInt64}
	}
	for i := range uint32(r.spans.Len()) {
		s := r.spans.Entry(i)
		x := &ranges[groups[r.processes[s.process].machine]]
		x.From, x.To = min(x.From, s.start), max(x.To, s.end)
	}
	found := clocks.Align(ranges, messages(relations, groups))
	for i := range found {
		found[i].Steady(ranges[i])
	}
	r.w.Meta.Extra = append(r.w.Meta.Extra, clocks.Corrections(found, titles)...)
	r.shift(func(host int32) *clocks.Clock { return &found[groups[host]] })
}

// sameClocks returns for each host the first one whose clock is the same, and whether two related clocks differ.
func sameClocks(hosts int, relations []*relation) (same []int32, uneven bool) {
	same = make([]int32, hosts)
	for h := range same {
		same[h] = int32(h)
	}
	find := func(h int32) int32 {
		for same[h] != h {
			same[h] = same[same[h]]
			h = same[h]
		}
		return h
	}
	for _, x := range relations {
		x.agree()
		if x.even() {
			a, b := find(x.a), find(x.b)
			same[max(a, b)] = min(a, b)
		} else {
			uneven = true
		}
	}
	for h := range same {
		same[h] = find(int32(h))
	}
	return same, uneven
}

// groups numbers the groups of hosts with the same clock, those with the most spans first, and returns the number of the group of each host and the titles
// of the groups.
func (r *Recording) groups(names []string, same []int32) (numbers []int32, titles []string) {
	type group struct {
		host  int32 // the first one
		spans int
		names []string
	}
	by := make([]group, len(names)) // by the first host
	for h, name := range names {
		g := &by[same[h]]
		g.host, g.names = same[h], append(g.names, name)
	}
	for i := range uint32(r.spans.Len()) {
		by[same[r.processes[r.spans.Entry(i).process].machine]].spans++
	}
	list := slices.DeleteFunc(by, func(g group) bool { return len(g.names) == 0 })
	for i := range list {
		slices.Sort(list[i].names)
	}
	slices.SortFunc(list, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.spans, a.spans), cmp.Compare(a.names[0], b.names[0]))
	})
	numbers = make([]int32, len(names))
	for i, g := range list {
		numbers[g.host] = int32(i)
		title := g.names[0]
		if n := len(g.names); n > 1 {
			title += fmt.Sprintf(" and %d more", n-1)
		}
		titles = append(titles, title)
	}
	for h, first := range same { // a first host comes before the others of its group
		numbers[h] = numbers[first]
	}
	return numbers, titles
}

// messages returns the requests and answers between groups of hosts that agree with most others.
func messages(relations []*relation, groups []int32) (list []clocks.Message) {
	for _, x := range relations {
		a, b := groups[x.a], groups[x.b]
		if a == b {
			continue
		}
		for i := range x.brackets {
			k := &x.brackets[i]
			if k.low > x.low || k.high < x.high {
				continue
			}
			from, to := a, b
			if !k.down {
				from, to = b, a
			}
			list = append(list, clocks.Message{From: from, To: to, Sent: k.sent, Received: k.received},
				clocks.Message{From: to, To: from, Sent: k.answered, Received: k.arrived})
		}
	}
	return list
}

// shift corrects the times of spans and their events by the clocks of their hosts. Spans keep their lengths.
func (r *Recording) shift(clockOf func(host int32) *clocks.Clock) {
	for i := range uint32(r.spans.Len()) {
		s := r.spans.Entry(i)
		c := clockOf(r.processes[s.process].machine)
		if !c.Known {
			continue
		}
		length := s.end - s.start
		s.start = c.Time(s.start)
		s.end = s.start + length
		from, to := r.eventsOf(i)
		for e := from; e < to; e++ {
			r.events.Entry(e).time = c.Time(r.events.Entry(e).time)
		}
	}
}

// relate returns the relations of the clocks of hosts that follow from pairs of spans.
func (r *Recording) relate() []*relation {
	by := map[[2]int32]*relation{}
	var list []*relation
	for _, n := range r.order {
		s := r.spans.Entry(n)
		if s.parent == 0 || s.kind == Consumer || s.is(follows) {
			continue
		}
		p := r.spans.Entry(s.parent - 1)
		a, b := r.processes[p.process].machine, r.processes[s.process].machine
		if a == b || s.end-s.start > p.end-p.start+2*rounding {
			continue
		}
		k := bracket{low: p.start - s.start - rounding, high: p.end - s.end + rounding, sent: p.start, received: s.start, answered: s.end, arrived: p.end, down: true}
		if a > b {
			a, b, k.low, k.high, k.down = b, a, -k.high, -k.low, false
		}
		x := by[[2]int32{a, b}]
		if x == nil {
			x = &relation{a: a, b: b}
			by[[2]int32{a, b}] = x
			list = append(list, x)
		}
		if len(x.brackets) < mostBrackets {
			x.brackets = append(x.brackets, k)
		}
	}
	return list
}

// agree finds the range of differences that most brackets allow.
func (x *relation) agree() {
	type edge struct {
		offset int64
		by     int
	}
	edges := make([]edge, 0, 2*len(x.brackets))
	for i := range x.brackets {
		k := &x.brackets[i]
		edges = append(edges, edge{k.low, 1}, edge{k.high, -1})
		if k.low <= 0 && k.high >= 0 {
			x.none++
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(b.by, a.by)) })
	n := 0
	for i, e := range edges {
		if n += e.by; n > x.most {
			x.most, x.low, x.high = n, e.offset, edges[i+1].offset
		}
	}
}

// contradictions counts the spans that begin before their parents although the clocks are corrected.
func (r *Recording) contradictions() {
	early := int64(0)
	for i := range uint32(r.spans.Len()) {
		if s := r.spans.Entry(i); s.parent != 0 && r.spans.Entry(s.parent-1).start > s.start+rounding {
			early++
		}
	}
	if early > 0 {
		r.w.Extra("spans that begin before their parents", fmt.Sprint(early))
	}
}
