package kaleidoscope

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/layout/radial"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Values of labelBy.
const (
	noLabels  = "none"
	procedure = "procedure"
	record    = "record"
	weight    = "weight"
	sector    = "sector"
)

// mostLabels is the largest number of nodes that have labels.
const mostLabels = 400

// label returns the label of a drawn node in the form of Figure 8, 11 or 13.
func (g *Geometry) label(k int32) string {
	i := g.levels.From[k]
	switch g.labels {
	case record:
		return fmt.Sprintf("(%s %d, %d, %d)", g.run.Name(g.tree.Code[i]), g.tree.Task[i], g.tree.PE[i], g.ordinal(i))
	case weight:
		return figures.Count(g.layout.Weight(k))
	case sector:
		return g.sector(k)
	}
	return g.run.Name(g.tree.Code[i])
}

// sector returns the start and the width of a node's sector.
func (g *Geometry) sector(k int32) string {
	degrees := func(d float64) string { return strconv.FormatFloat(math.Round(d*100)/100, 'f', -1, 64) }
	start, sweep := g.layout.Sector(k)
	return degrees(start) + "° + " + degrees(sweep) + "°"
}

// ordinal returns the number of a node among those of its PE in the order of time, from 1.
func (g *Geometry) ordinal(node int32) (n int) {
	t := g.whole
	pe, time, task := g.tree.PE[node], g.tree.Time[node], g.tree.Task[node]
	for i, p := range t.PE {
		if p == pe && (t.Time[i] < time || t.Time[i] == time && t.Task[i] <= task) {
			n++
		}
	}
	return n
}

// A caption is the label of a node in a frame.
type caption struct {
	x, y float64 // pixel of the node
	turn float64 // the node's angle in radians
	text string
}

// captions lists the labels of a frame in the order of their levels. There are none if too many nodes are drawn.
func (b *brush) captions() (all []caption, nodes int) {
	if b.labels == noLabels {
		return nil, 0
	}
	var drawn []radial.Item
	for _, it := range b.items {
		if it.Shape == radial.Outside || !b.shows(it.First) {
			continue
		}
		nodes += it.Count()
		if it.Count() == 1 {
			drawn = append(drawn, it)
		}
	}
	if nodes > mostLabels {
		return nil, nodes
	}
	slices.SortStableFunc(drawn, func(a, c radial.Item) int { return cmp.Compare(a.Circle, c.Circle) })
	for _, it := range drawn {
		x, y := b.pixel(float64(it.Circle), it.Angle())
		all = append(all, caption{float64(x), float64(y), it.Angle() * math.Pi / 180, b.label(it.First)})
	}
	return all, nodes
}

// writeLabels draws the labels that have room beside their nodes. A label covers no node and no other label.
func (b *brush) writeLabels(f *view.Frame, out *scene.List) {
	all, _ := b.captions()
	em := float64(f.Style.Font)
	var taken []scene.Rect
	for _, c := range all {
		taken = append(taken, scene.Rect{X0: c.x, Y0: c.y, X1: c.x, Y1: c.y}.Grow(b.biggest))
	}
	for _, c := range all {
		box, ok := c.place(taken, f.Clip, float64(f.Text.Width(c.text, f.Style.Font, scene.Regular))+0.4*em, 1.2*em, 1.4*b.biggest)
		if !ok {
			continue
		}
		taken = append(taken, box)
		out.Rect(float32(box.X0), float32(box.Y0), float32(box.X1), float32(box.Y1), f.Style.Ground.Alpha(190))
		out.Text(float32(box.X0+0.2*em), float32(box.Y1-0.28*em), c.text, scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink})
	}
}

// place returns a free box of a size beside the node, gap pixels away: outwards if possible, else in the free direction nearest to that.
func (c *caption) place(taken []scene.Rect, clip scene.Rect, w, h, gap float64) (scene.Rect, bool) {
	for _, turn := range [8]float64{0, 1, -1, 2, -2, 3, -3, 4} {
		sin, cos := math.Sincos(c.turn + turn*math.Pi/4)
		x := max(min(c.x+cos*(gap+w/2), clip.X1-w/2), clip.X0+w/2)
		y := max(min(c.y+sin*(gap+h/2), clip.Y1-h/2), clip.Y0+h/2)
		box := scene.Rect{X0: x - w/2, Y0: y - h/2, X1: x + w/2, Y1: y + h/2}
		if !slices.ContainsFunc(taken, func(r scene.Rect) bool { return r.X0 < box.X1 && box.X0 < r.X1 && r.Y0 < box.Y1 && box.Y0 < r.Y1 }) {
			return box, true
		}
	}
	return scene.Rect{}, false
}

// unlabelled returns a note on labels that are left out because too many nodes are drawn.
func (g *Geometry) unlabelled(f *view.Frame) []string {
	b := newBrush(f, g)
	if b.labels == noLabels {
		return nil
	}
	b.collect()
	if _, nodes := b.captions(); nodes > mostLabels {
		n := int64(nodes)
		return []string{"Up to " + figures.Count(mostLabels) + " nodes have labels; the picture shows " + figures.Count(n) + "."}
	}
	return nil
}
