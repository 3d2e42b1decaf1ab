package kaleidoscope

import (
	"math"
	"slices"
	"sort"
	"sync"

	"whorl/internal/ranges"
	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// reachEms is the largest distance between the pointer and a node that it hits, in ems, while a part of the run is shown. A search without a
// limit might then visit all nodes.
const reachEms = 2

// Hit returns the subtree of the node nearest to a pixel, however far it is (section 3.3). Nodes in a spoke count too, each at its own position.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	k, ok := g.nearest(f, x, y)
	if !ok {
		return view.Selection{}, false
	}
	return view.Subtree(f.Trace, g.tree.Task.At(int(g.levels.Original(k)))), true
}

// nearest returns the shown node nearest to a pixel.
func (g *Geometry) nearest(f *view.Frame, x, y float64) (int32, bool) {
	var shown func(int32) bool
	reach := math.Inf(1)
	if l := g.bloom(f); l.limited {
		shown, reach = l.shows, reachEms*float64(f.Style.Font)
	}
	k, _ := g.layout.Nearest(g.circles(), sight(f), x, y, reach, shown)
	return k, k >= 0
}

// located caches the last result of Locate, because every move of the pointer asks for the same selection again.
type located struct {
	mu     sync.Mutex
	s      view.Selection
	sight  radial.View
	bloom  bloom
	places []scene.Rect
}

// Locate returns a square around each visible selected point and a rectangle around each spoke with several selected nodes. For a spoke with
// one selected node it returns a square at that node, so that zooming in there finds an outlier among a million. A node of a level that is
// left out is located at the node that represents it.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	if s.Empty() || s.Unknown() || s.Trace != f.Trace {
		return nil
	}
	b := newBrush(f, g)
	l := g.located
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.places == nil || !l.s.Equal(s) || l.sight != b.sight || l.bloom.limited != b.limited || l.bloom.until != b.until {
		l.s, l.sight, l.bloom, l.places = s, b.sight, b.bloom, b.locate(s)
	}
	return slices.Clone(l.places)
}

func (b *brush) locate(s view.Selection) []scene.Rect {
	m := newMatcher(b, s)
	var places []scene.Rect
	for it := range b.layout.Items(b.sight) {
		if it.Shape == radial.Outside || !m.any(it.First, it.End) {
			continue
		}
		if n, one := m.only(it.First, it.End); one && it.Shape == radial.Spoke {
			x, y := b.layout.Position(n, b.sight.Distance)
			x, y = x+b.sight.X, y+b.sight.Y
			places = append(places, scene.Rect{X0: x, Y0: y, X1: x, Y1: y}.Grow(1))
			continue
		}
		x, y := b.pixel(float64(it.Circle), it.Angle())
		r := scene.Rect{X0: float64(x), Y0: float64(y), X1: float64(x), Y1: float64(y)}
		if it.Shape == radial.Spoke {
			x, y := b.pixel(float64(it.Outer), it.Angle())
			r = scene.Rect{X0: min(r.X0, float64(x)), Y0: min(r.Y0, float64(y)), X1: max(r.X1, float64(x)), Y1: max(r.Y1, float64(y))}
		}
		places = append(places, r.Grow(1))
	}
	return places
}

// place returns the pixel of a task's node, or of the node that represents it, and false if the task is not in the tree or not shown.
func (b *brush) place(task uint64) (x, y float64, ok bool) {
	i := b.numbers().Node(task)
	if i < 0 {
		return 0, 0, false
	}
	k := b.levels.Find(radial.Tree{Parent: b.tree.Parent, Size: b.tree.Size, Level: b.tree.Level}, i)
	x, y = b.layout.Position(k, b.sight.Distance)
	return b.sight.X + x, b.sight.Y + y, b.shows(k)
}

// nodes returns the drawn nodes of selected tasks, or the nodes that represent them, as ascending ranges (from, to) that do not touch.
func (g *Geometry) nodes(tasks []view.Tasks) [][2]int32 {
	whole := radial.Tree{Parent: g.tree.Parent, Size: g.tree.Size, Level: g.tree.Level}
	index := g.numbers()
	var all [][2]int32
	one := func(i int32) {
		k := g.levels.Find(whole, i)
		all = append(all, [2]int32{k, k + 1})
	}
	for _, t := range tasks {
		if !t.Subtree {
			index.Each(t.First, max(t.First, t.Last), one)
			continue
		}
		i := index.Node(t.First)
		if i < 0 {
			continue
		}
		first := g.levels.Find(whole, i)
		to := g.levels.Before(i + g.tree.Size[i])
		if g.levels.Original(first) != i { // the root is left out: its remaining nodes follow elsewhere
			all = append(all, [2]int32{first, first + 1})
			first = g.levels.Before(i)
		}
		all = append(all, [2]int32{first, to})
	}
	return ranges.Join(all)
}

// A matcher finds the drawn nodes of a selection.
type matcher struct {
	*brush
	s      view.Selection
	codes  []bool     // by code, nil for all
	ranges [][2]int32 // nodes of the selected tasks
	free   bool       // only tasks limit the selection
}

func newMatcher(b *brush, s view.Selection) *matcher {
	s = b.run.Coded(s)
	m := &matcher{brush: b, s: s, ranges: [][2]int32{{0, int32(b.layout.Len())}}}
	if len(s.Tasks) > 0 {
		m.ranges = b.nodes(s.Tasks)
	}
	if len(s.Codes) > 0 {
		m.codes = b.run.Among(s.Codes)
	}
	m.free = m.codes == nil && s.Time == nil && len(s.PEs) == 0 && !b.limited
	return m
}

// only returns the selected node among the drawn nodes from first to end-1, and false if there are several. At least one has to be selected.
func (m *matcher) only(first, end int32) (int32, bool) {
	low := int32(-1)
	k := sort.Search(len(m.ranges), func(k int) bool { return m.ranges[k][1] > first })
	for ; k < len(m.ranges) && m.ranges[k][0] < end; k++ {
		for n := max(first, m.ranges[k][0]); n < min(end, m.ranges[k][1]); n++ {
			if !m.free && !m.matches(n) {
				continue
			}
			if low < 0 {
				low = n
			} else if n > low {
				return low, false
			}
		}
	}
	return low, low >= 0
}

// any reports whether a drawn node from first to end-1 is selected.
func (m *matcher) any(first, end int32) bool {
	k := sort.Search(len(m.ranges), func(k int) bool { return m.ranges[k][1] > first })
	for ; k < len(m.ranges) && m.ranges[k][0] < end; k++ {
		for n := max(first, m.ranges[k][0]); n < min(end, m.ranges[k][1]); n++ {
			if m.free || m.matches(n) {
				return true
			}
		}
	}
	return false
}

// matches reports whether a drawn node in ranges is selected.
func (m *matcher) matches(n int32) bool {
	if !m.shows(n) || m.s.Time != nil && !m.s.Time.Contains(m.time.At(int(n))) {
		return false
	}
	t, i := m.tree, m.levels.Original(n)
	if m.codes != nil && !m.codes[min(int(t.Code.At(int(i))), len(m.codes)-1)] {
		return false
	}
	return len(m.s.PEs) == 0 || slices.ContainsFunc(m.s.PEs, func(p view.Span) bool { return p.Contains(int64(t.PE.At(int(i)))) })
}
