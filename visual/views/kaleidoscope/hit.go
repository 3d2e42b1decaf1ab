package kaleidoscope

import (
	"slices"
	"sort"

	"whorl/tracer/derive/spawntree"
	"whorl/visual/layout/radial"
	"whorl/visual/view"
)

// reachEms is how far from a point the mouse may be.
const reachEms = 2

// Hit names the subtree of the node nearest to a pixel, within two ems. Nodes that are drawn as a spoke count too, each where it stands.
func (picture) Hit(f *view.Frame, geometry any, x, y float64) (view.Selection, bool) {
	g := geometry.(*Geometry)
	k, ok := g.nearest(f, x, y)
	if !ok {
		return view.Selection{}, false
	}
	return view.Subtree(f.Trace, g.tree.Task[g.levels.From[k]]), true
}

// nearest is the drawn node nearest to a pixel among those that are shown.
func (g *Geometry) nearest(f *view.Frame, x, y float64) (int32, bool) {
	k, d := g.layout.Nearest(g.circles, sight(f), x, y)
	return k, k >= 0 && d <= reachEms*float64(f.Style.Font)
}

// Locate returns a square around each selected point that is seen, and a rectangle around each spoke that holds a selected node. Nodes of
// levels that are left out are found at the nodes that stand for them.
func (picture) Locate(f *view.Frame, geometry any, s view.Selection) []view.Rect {
	if s.Empty() || s.Context != 0 || s.Trace != f.Trace {
		return nil
	}
	g := geometry.(*Geometry)
	m := &matcher{g: g, s: s, ranges: [][2]int32{{0, int32(g.layout.Len())}}}
	if len(s.Tasks) > 0 {
		m.ranges = g.drawn(s.Tasks)
	}
	b := &brush{Geometry: g, sight: sight(f)}
	var places []view.Rect
	for it := range g.layout.Items(b.sight) {
		if it.Shape == radial.Outside || !m.any(it.First, it.End) {
			continue
		}
		x, y := b.at(float64(it.Circle), it.Angle())
		r := view.Rect{X0: float64(x), Y0: float64(y), X1: float64(x), Y1: float64(y)}
		if it.Shape == radial.Spoke {
			x, y := b.at(float64(it.Outer), it.Angle())
			r = view.Rect{X0: min(r.X0, float64(x)), Y0: min(r.Y0, float64(y)), X1: max(r.X1, float64(x)), Y1: max(r.Y1, float64(y))}
		}
		places = append(places, r.Grow(1))
	}
	return places
}

// drawn returns the drawn nodes that selected tasks are or are stood for by, as ascending ranges from, to that do not touch.
func (g *Geometry) drawn(tasks []view.Tasks) [][2]int32 {
	subtrees := map[uint64]bool{}
	var spans []view.Tasks
	for _, t := range tasks {
		if t.Subtree {
			subtrees[t.First] = true
		} else {
			t.Last = max(t.Last, t.First)
			spans = append(spans, t)
		}
	}
	slices.SortFunc(spans, func(a, b view.Tasks) int {
		if a.First < b.First {
			return -1
		}
		return 1
	})
	for i := 1; i < len(spans); i++ { // so that the last span that begins before a task also ends last
		spans[i].Last = max(spans[i].Last, spans[i-1].Last)
	}
	whole := radial.Tree{Parent: g.tree.Parent, Size: g.tree.Size, Level: g.tree.Level}
	var ranges [][2]int32
	for i, task := range g.tree.Task {
		if subtrees[task] {
			first := g.levels.Find(whole, int32(i))
			to, _ := slices.BinarySearch(g.levels.From, int32(i)+g.tree.Size[i])
			if g.levels.From[first] != int32(i) { // its nodes that are left hang from others' point
				ranges = append(ranges, [2]int32{first, first + 1})
				from, _ := slices.BinarySearch(g.levels.From, int32(i))
				first = int32(from)
			}
			ranges = append(ranges, [2]int32{first, int32(to)})
		}
		if k := sort.Search(len(spans), func(k int) bool { return spans[k].First > task }); k > 0 && task <= spans[k-1].Last {
			at := g.levels.Find(whole, int32(i))
			ranges = append(ranges, [2]int32{at, at + 1})
		}
	}
	slices.SortFunc(ranges, func(a, b [2]int32) int { return int(a[0]) - int(b[0]) })
	merged := ranges[:0]
	for _, r := range ranges {
		if n := len(merged); n > 0 && r[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], r[1])
		} else if r[1] > r[0] {
			merged = append(merged, r)
		}
	}
	return merged
}

// A matcher says which drawn nodes a selection holds.
type matcher struct {
	g      *Geometry
	s      view.Selection
	ranges [][2]int32 // those that its tasks allow
}

// any says whether one of the drawn nodes from first to end-1 is selected.
func (m *matcher) any(first, end int32) bool {
	k := sort.Search(len(m.ranges), func(k int) bool { return m.ranges[k][1] > first })
	for ; k < len(m.ranges) && m.ranges[k][0] < end; k++ {
		for n := max(first, m.ranges[k][0]); n < min(end, m.ranges[k][1]); n++ {
			if m.has(m.g.tree, m.g.levels.From[n]) {
				return true
			}
		}
	}
	return false
}

func (m *matcher) has(t *spawntree.Tree, i int32) bool {
	if m.s.Time != nil && !m.s.Time.Has(t.Time[i]) {
		return false
	}
	if len(m.s.PEs) > 0 && !slices.ContainsFunc(m.s.PEs, func(p view.Span) bool { return p.Has(int64(t.PE[i])) }) {
		return false
	}
	return len(m.s.Codes) == 0 || slices.Contains(m.s.Codes, t.Code[i]) || slices.Contains(m.s.Codes, m.g.run.Owner(t.Code[i]))
}
