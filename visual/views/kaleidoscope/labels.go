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
	i := g.levels.Original(k)
	switch g.labels {
	case record:
		return fmt.Sprintf("(%s %d, %d, %d)", g.run.Name(g.tree.Code.At(int(i))), g.tree.Task.At(int(i)), g.tree.PE.At(int(i)), g.ordinal(i))
	case weight:
		return figures.Count(g.layout.Weight(k))
	case sector:
		return g.sector(k)
	}
	return g.run.Name(g.tree.Code.At(int(i)))
}

// sector returns the start and the width of a node's sector.
func (g *Geometry) sector(k int32) string {
	degrees := func(d float64) string { return strconv.FormatFloat(math.Round(d*100)/100, 'f', -1, 64) }
	start, sweep := g.layout.Sector(k)
	return degrees(start) + "° + " + degrees(sweep) + "°"
}

// labelled returns the drawn nodes that may have labels, in the order of their levels, and the number of drawn nodes. There are none if too
// many nodes are drawn.
func (b *brush) labelled() (all []radial.Item, nodes int) {
	if b.labels == noLabels {
		return nil, 0
	}
	for _, it := range b.items {
		if it.Shape == radial.Outside || !b.shows(it.First) {
			continue
		}
		nodes += it.Count()
		if it.Count() == 1 {
			all = append(all, it)
		}
	}
	if nodes > mostLabels {
		return nil, nodes
	}
	slices.SortStableFunc(all, func(a, c radial.Item) int { return cmp.Compare(a.Circle, c.Circle) })
	return all, nodes
}

// writeLabels draws the labels that have room beside their nodes. A label covers no node and no other label. It lies outwards of its node if
// possible, else in the free direction nearest to that.
func (b *brush) writeLabels(f *view.Frame, out *scene.List) {
	all, _ := b.labelled()
	em := float64(f.Style.Font)
	var taken []scene.Rect
	for i := range all {
		x, y := b.pixel(float64(all[i].Circle), all[i].Angle())
		taken = append(taken, scene.Rect{X0: float64(x), Y0: float64(y), X1: float64(x), Y1: float64(y)}.Grow(b.biggest))
	}
	for i := range all {
		x, y := b.pixel(float64(all[i].Circle), all[i].Angle())
		text := b.label(all[i].First)
		w, h := float64(f.Text.Width(text, f.Style.Font, scene.Regular))+0.4*em, 1.2*em
		if w > f.Clip.W() || h > f.Clip.H() {
			continue
		}
		for box := range spots(float64(x), float64(y), w, h, all[i].Angle()*math.Pi/180, 8, 1.4*b.biggest, 1.4*b.biggest+0.8*em) {
			if box = moved(box, f.Clip); slices.ContainsFunc(taken, box.Meets) {
				continue
			}
			taken = append(taken, box)
			out.Rect(float32(box.X0), float32(box.Y0), float32(box.X1), float32(box.Y1), f.Style.Ground.Alpha(190))
			out.Text(float32(box.X0+0.2*em), float32(box.Y1-0.28*em), text, scene.TextStyle{Size: f.Style.Font, Color: f.Style.Ink})
			break
		}
	}
}

// unlabelled returns a note on labels that are left out because too many nodes are drawn.
func (g *Geometry) unlabelled(f *view.Frame) []string {
	if g.labels == noLabels {
		return nil
	}
	b := newBrush(f, g)
	b.collect()
	if _, nodes := b.labelled(); nodes > mostLabels {
		n := int64(nodes)
		return []string{"Up to " + figures.Count(mostLabels) + " nodes have labels; the picture shows " + figures.Count(n) + "."}
	}
	return nil
}
