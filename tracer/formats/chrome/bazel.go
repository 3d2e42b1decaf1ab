package chrome

import (
	"cmp"
	"slices"
	"strings"

	"whorl/tracer/formats/tracks"
)

// A bazel holds the parts of a profile that only Bazel writes. Its evaluators run one action after the other, so each action is a task. The profile has no
// dependencies, but a lane with the actions of the critical path, one after the other: each of them forks the next one. The main thread has slices around all
// actions; it forks the first action of the path, and waits until the last one is done.
type bazel struct {
	actions map[uint32]*actions // by name
	path    []lasting           // the lane
	main    tracks.ID           // 0 before its name is read
	around  []lasting           // slices of the main thread
}

// actions are the actions of one name, which finish visits in the order of time.
type actions struct {
	all     []lasting
	passed  int     // actions that begin before the end of a component
	longest lasting // of them the one that ends last
}

// A lasting is a slice.
type lasting struct {
	from, to int64
	name     tracks.Text
	text     uint32
	track    tracks.ID
}

const (
	componentCategory = "critical path component"
	actionCategory    = "action processing"
)

// otherData reads the description of the tool, to find out whether it is Bazel.
func (r *reader) otherData() {
	members(r.Scanner, func() {
		if name := string(r.Name); r.build == nil && (name == "bazel_version" || name == "build_id") {
			r.build = &bazel{actions: map[uint32]*actions{}}
		}
		r.Skip()
	})
}

// slice keeps a slice of the profile, and reports whether it must not be added yet.
func (b *bazel) slice(r *reader, t tracks.ID, name tracks.Text) bool {
	e := &r.e
	if e.dur < 0 || !e.lasts {
		return false
	}
	s := lasting{e.ts, e.ts + e.dur, name, e.name, t}
	switch r.out.Spelled(e.category) {
	case componentCategory:
		b.path = append(b.path, s)
		return true
	case actionCategory:
		r.out.Actions(t)
		a := b.actions[e.name]
		if a == nil {
			a = &actions{}
			b.actions[e.name] = a
		}
		a.all = append(a.all, s)
	}
	if t == b.main {
		b.around = append(b.around, s)
		return true
	}
	return false
}

// action returns the action of a component of the path: among those of its name, action 'NAME', the one that has most of the time in common with it.
// It is called for the components in the order of time. Of the actions that begin before a component it looks at the last one to end.
func (b *bazel) action(r *reader, c *lasting) (best lasting, ok bool) {
	name := strings.TrimSuffix(strings.TrimPrefix(r.out.Spelled(c.text), "action '"), "'")
	a := b.actions[r.out.String([]byte(name))]
	if a == nil {
		return best, false
	}
	best = a.longest
	for ; a.passed < len(a.all) && a.all[a.passed].from < c.to; a.passed++ {
		next := a.all[a.passed]
		if c.common(&next) > c.common(&best) {
			best = next
		}
		if next.to > a.longest.to {
			a.longest = next
		}
	}
	return best, c.common(&best) > 0
}

// common returns the time that two slices have in common, 0 or less for none.
func (s *lasting) common(o *lasting) int64 { return min(s.to, o.to) - max(s.from, o.from) }

// finish adds the critical path as flows, and the slices of the main thread.
func (b *bazel) finish(r *reader) {
	inOrder := func(x, y lasting) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) }
	slices.SortStableFunc(b.path, inOrder)
	for _, a := range b.actions {
		slices.SortStableFunc(a.all, inOrder)
	}
	var chain []lasting
	for i := range b.path {
		if a, ok := b.action(r, &b.path[i]); ok {
			chain = append(chain, a)
		} else {
			r.out.Dropped.Add("components of the critical path without their action", 1)
		}
	}
	if len(chain) == 0 {
		for _, s := range b.around {
			r.out.Complete(s.track, s.from, s.to-s.from, s.name, tracks.NoClock, -1, 0)
		}
		return
	}
	first, last := &chain[0], &chain[len(chain)-1]
	waits := false
	for _, s := range b.around {
		if s.from >= first.from || s.to <= last.to {
			r.out.Complete(s.track, s.from, s.to-s.from, s.name, tracks.NoClock, -1, 0)
			continue
		}
		r.out.Complete(s.track, s.from, first.from-s.from, s.name, tracks.NoClock, -1, 0)
		r.out.Complete(s.track, last.to, s.to-last.to, s.name, tracks.NoClock, -1, 0)
		waits = true
	}
	name := r.out.Text(r.out.String([]byte(componentCategory)), 0)
	flow := func(n int, from tracks.ID, at int64, to tracks.ID, until int64) {
		key := r.keyed('z', uint32(n))
		r.out.Flow(from, at, key, tracks.Out, name)
		r.out.Flow(to, until, key, tracks.In, name)
	}
	if waits {
		flow(0, b.main, first.from, first.track, first.from)
		flow(1, last.track, last.to, b.main, last.to)
	}
	for i := 1; i < len(chain); i++ {
		flow(i+1, chain[i-1].track, min(chain[i-1].to, chain[i].from), chain[i].track, chain[i].from)
	}
}
