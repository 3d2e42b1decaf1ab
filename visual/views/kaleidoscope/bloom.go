package kaleidoscope

import (
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

// A bloom is the moment up to which nodes are shown: the bloom of the tree in the order of time.
type bloom struct {
	limited bool
	until   int64
	times   []int64
}

func (g *Geometry) bloom(f *view.Frame) bloom {
	l := bloom{times: g.time}
	if f.Until != nil {
		l.limited, l.until = true, *f.Until
	}
	return l
}

// shows says whether a drawn node is shown.
func (l *bloom) shows(node int32) bool { return !l.limited || l.times[node] <= l.until }

// siblings returns the first and the last of an item's siblings that are shown, false where none is.
func (b *brush) siblings(it *radial.Item) (first, last int32, any bool) {
	if !b.limited || it.First == it.Last {
		return it.First, it.Last, b.shows(it.First)
	}
	for n := it.First; n <= it.Last; n += b.layout.Size[n] {
		if b.shows(n) {
			if !any {
				first, any = n, true
			}
			last = n
		}
	}
	return first, last, any
}

// shown counts the nodes of the tree that are shown. Those of a condensed tree are an estimate.
func (g *Geometry) shown(until int64) (n int64) {
	for i, t := range g.tree.Time {
		switch {
		case t > until:
		case g.tree.Stands == nil:
			n++
		default:
			n += g.tree.Stands[i]
		}
	}
	return n
}
