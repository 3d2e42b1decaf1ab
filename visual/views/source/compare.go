package source

import (
	"fmt"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// compare makes the picture one of the differences to another run, which is nil for none, or could not be read.
func (g *Geometry) compare(name string, other *program, err error) {
	switch {
	case err != nil:
		g.wrong = fmt.Errorf("against %s: %w", name, err)
	case other == nil:
		g.wrong = view.ErrAlone
	case (g.prof == nil) != (other.prof == nil):
		g.wrong = fmt.Errorf("against %s: one of the runs was sampled, and the other was not", name)
	case g.noun(2) != other.noun(2) || g.timed != other.timed:
		g.wrong = fmt.Errorf("against %s: that run has no %s of its lines", name, g.noun(2))
	default:
		g.other, g.otherName, g.twin = other, name, make([]int32, len(g.parts))
		for k := range g.parts {
			g.twin[k] = g.twinOf(int32(k))
		}
	}
}

// twinOf returns the part of the other run that begins on the same line of the same file, or else on the line with the same text nearest to it; -1 if
// there is none.
func (g *Geometry) twinOf(k int32) int32 {
	row := g.parts[k].first
	line, ok := g.lineOf(row)
	if !ok {
		return -1
	}
	for _, f := range g.other.files {
		if !view.SameFile(f.name, line.File) {
			continue
		}
		best, least := int32(-1), int32(0)
		for i := f.begin; i < f.end; i++ {
			r := &g.other.rows[i]
			if r.part < 0 || g.other.parts[r.part].first != i || r.text != g.rows[row].text {
				continue
			}
			if far := max(r.line-line.First, line.First-r.line); best < 0 || far < least {
				best, least = r.part, far
			}
		}
		return best
	}
	return -1
}

// shown returns the counts of the parts in the time of a frame, or their differences to those of the other run.
func (g *Geometry) shown(f *view.Frame) []total {
	counts := g.counts(f.Counted())
	if g.other == nil {
		return counts
	}
	theirs := g.other.counts(f.Counted())
	differences := make([]total, len(counts))
	for k, c := range counts {
		if t := g.twin[k]; t >= 0 {
			c.nodes, c.cost = c.nodes-theirs[t].nodes, c.cost-theirs[t].cost
		}
		differences[k] = c
	}
	return differences
}

// ran reports whether a part ran in one of the runs.
func (g *Geometry) ran(f *view.Frame, k int32, c total) bool {
	return c.nodes != 0 || g.other != nil && g.counts(f.Counted())[k].nodes != 0
}

// colour returns the colour of a cost, or of a difference. Numbers stay legible on it.
func (g *Geometry) colour(s view.Style, cost, most int64) scene.Color {
	if g.other == nil {
		return heat(s, cost, most)
	}
	return view.Diverging{Dark: s.Dark}.Color(0.6 * float64(cost) / float64(most))
}

// Wrong returns the reason why the run is not compared with another, or nil.
func (g *Geometry) Wrong() error { return g.wrong }
