package halo

import "whorl/visual/view"

// Between returns a picture between two pictures. Nodes of both move straight to their new positions; new nodes come out of the ancestor
// that stood for them.
func (g *Geometry) Between(before view.Picture, t float64) view.Picture {
	a, ok := before.(*Geometry)
	if !ok || a.Nodes() != g.Nodes() {
		return nil
	}
	to := *g.shown
	to.x = make([]float64, len(g.x))
	to.width, to.depth = mix(a.width, g.width, t), mix(a.depth, g.depth, t)
	met := false
	for k, v := range g.nodes {
		to.x[k] = g.x[k]
		old := a.place[v]
		if old < 0 { // outside the previous subtree
			continue
		}
		to.x[k] = mix(a.x[old], g.x[k], t)
		if !met && a.nodes[old] == v {
			met = true
			to.rise = mix(float64(a.level[old])+a.rise-float64(g.level[k]), 0, t)
		}
	}
	if !met {
		return nil
	}
	for _, row := range to.rows { // searches need them in order
		for i := 1; i < len(row); i++ {
			to.x[row[i]] = max(to.x[row[i]], to.x[row[i-1]])
		}
	}
	on := &Geometry{drawing: g.drawing}
	on.shown, on.strip, on.placed = &to, mix(a.strip, g.strip, t), map[uint32]float64{}
	start := a.positions()
	for code, x := range g.positions() {
		if from, ok := start[code]; ok {
			x = mix(from, x, t)
		}
		on.placed[code] = x
	}
	return on
}

func mix(a, b, t float64) float64 { return a + (b-a)*t }

// positions returns the positions of the functions at the bottom by code, from 0 to 1.
func (g *Geometry) positions() map[uint32]float64 {
	if g.placed != nil {
		return g.placed
	}
	positions := make(map[uint32]float64, len(g.functions))
	for i := range g.functions {
		positions[g.functions[i].code] = (float64(i) + 0.5) / float64(len(g.functions))
	}
	return positions
}
