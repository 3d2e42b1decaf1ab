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
	actions map[uint32][]lasting // by name
	path    []lasting            // the lane
	main    tracks.ID            // 0 before its name is read
	around  []lasting            // slices of the main thread
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

// otherData reads what a tool says of itself, to find out whether it is Bazel.
func (r *reader) otherData() {
	members(r.Scanner, func() {
		if name := string(r.Name); r.build == nil && (name == "bazel_version" || name == "build_id") {
			r.build = &bazel{actions: map[uint32][]lasting{}}
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
		b.actions[e.name] = append(b.actions[e.name], s)
	}
	if t == b.main {
		b.around = append(b.around, s)
		return true
	}
	return false
}

// action returns the action of a component of the path: that of its name, action 'NAME', which has most of the time in common with it.
func (b *bazel) action(r *reader, c *lasting) (best lasting, ok bool) {
	name := strings.TrimSuffix(strings.TrimPrefix(r.out.Spelled(c.text), "action '"), "'")
	most := int64(0)
	for _, a := range b.actions[r.out.String([]byte(name))] {
		if common := min(a.to, c.to) - max(a.from, c.from); common > most {
			best, most, ok = a, common, true
		}
	}
	return best, ok
}

// finish adds the critical path as flows, and the slices of the main thread.
func (b *bazel) finish(r *reader) {
	slices.SortStableFunc(b.path, func(x, y lasting) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
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
