package kaleidoscope

import (
	"whorl/internal/packed"
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

// A bloom limits a frame to the nodes that ran by a moment, so that the tree unfolds in the order of time.
type bloom struct {
	limited bool
	until   int64
	times   *packed.Column[int64] // by drawn node
}

func (g *Geometry) bloom(f *view.Frame) bloom {
	l := bloom{times: &g.time}
	if f.Until != nil {
		l.limited, l.until = true, *f.Until
	}
	return l
}

// shows reports whether a drawn node ran by the limit.
func (l *bloom) shows(node int32) bool { return !l.limited || l.times.At(int(node)) <= l.until }

// siblings returns the first and the last shown node among an item's siblings, and whether there is one.
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

// shown counts the nodes of the tree that ran by a moment. For a condensed tree the count is an estimate.
func (g *Geometry) shown(until int64) (n int64) {
	for i, t := range g.tree.Time.All() {
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
