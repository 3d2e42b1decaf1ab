package timeline

import (
	"math"
	"slices"

	"whorl/visual/view"
	"whorl/visual/view/match"
)

// meets reports whether a selection contains a task of a row of tasks, or their function.
func (g *Geometry) meets(row int, m *match.Steps, s view.Selection) bool {
	t := g.Rows
	return m.Admits(t.Groups[t.Group(row)].Code) && (len(s.Tasks) == 0 || slices.ContainsFunc(t.Members(row), m.Task))
}

// taskLabels draws the names of tasks beside rows that have room for them. Otherwise it draws those of functions, with the number of their tasks, at
// the middle of their rows, as far as there is room.
func (b *brush) taskLabels() {
	t := b.g.Rows
	line := 1.25 * b.Em
	if b.pitch >= line {
		first, end := b.visible()
		for i := first; i < end; i++ {
			y0, y1 := max(b.y(float64(i)), b.In.Y0), min(b.y(float64(i+1)), b.In.Y1)
			if y1-y0 >= 0.7*b.Em {
				b.Label(b.out, (y0+y1)/2, t.Name(b.g.Run, i), b.Style.Muted)
			}
		}
		return
	}
	last := math.Inf(-1)
	for k := range t.Groups {
		first, end := t.Rows(k)
		y0, y1 := max(b.y(float64(first)), b.In.Y0), min(b.y(float64(end)), b.In.Y1)
		if y1 <= y0 {
			continue
		}
		y := (y0 + y1) / 2
		if y-last < line || y < b.In.Y0+0.4*b.Em || y > b.In.Y1-0.4*b.Em {
			continue
		}
		last = y
		b.Label(b.out, y, t.GroupName(b.g.Run, k), b.Style.Muted)
	}
}
