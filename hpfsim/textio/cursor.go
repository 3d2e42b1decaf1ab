package textio

import "whorl/hpfsim/syntax"

// A cursor walks through the items of a format, each as often as it is repeated.
type cursor struct{ groups []group }

// A group is the items of a group that the cursor is in.
type group struct {
	items []syntax.FormatItem
	next  int
	left  int // repetitions of the item, 0 at the first
}

func cursorAt(items []syntax.FormatItem) cursor { return cursor{[]group{{items: items}}} }

// next returns the next item that is not a group, or false at the end.
func (c *cursor) next() (syntax.FormatItem, bool) {
	for len(c.groups) > 0 {
		g := &c.groups[len(c.groups)-1]
		if g.next == len(g.items) {
			c.groups = c.groups[:len(c.groups)-1]
			continue
		}
		it := g.items[g.next]
		if g.left == 0 {
			g.left = max(it.Repeat, 1)
		}
		if g.left--; g.left == 0 {
			g.next++
		}
		if it.Edit != '(' {
			return it, true
		}
		if len(it.Group) > 0 {
			c.groups = append(c.groups, group{items: it.Group})
		}
	}
	return syntax.FormatItem{}, false
}
