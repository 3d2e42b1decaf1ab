package halo

// Between is the picture on the way from one to another: nodes that both have go straight to their new places, and those that are new come
// out of the ancestor that stood for them.
func (picture) Between(before, after any, t float64) any {
	a, ok := before.(*Geometry)
	b, ok2 := after.(*Geometry)
	if !ok || !ok2 || a.Nodes() != b.Nodes() {
		return nil
	}
	to := *b.shown
	to.x = make([]float64, len(b.x))
	to.width, to.depth = mix(a.width, b.width, t), mix(a.depth, b.depth, t)
	met := false
	for k, v := range b.nodes {
		to.x[k] = b.x[k]
		old := a.at[v]
		if old < 0 { // it was outside of what was shown
			continue
		}
		to.x[k] = mix(a.x[old], b.x[k], t)
		if !met && a.nodes[old] == v {
			met = true
			to.rise = mix(float64(a.level[old])+a.rise-float64(b.level[k]), 0, t)
		}
	}
	if !met {
		return nil
	}
	for _, row := range to.rows { // their order is one that places are looked up by
		for i := 1; i < len(row); i++ {
			to.x[row[i]] = max(to.x[row[i]], to.x[row[i-1]])
		}
	}
	g := &Geometry{drawing: b.drawing}
	g.shown, g.strip, g.placed = &to, mix(a.strip, b.strip, t), map[uint32]float64{}
	stood := a.stand()
	for code, x := range b.stand() {
		if from, ok := stood[code]; ok {
			x = mix(from, x, t)
		}
		g.placed[code] = x
	}
	return g
}

func mix(a, b, t float64) float64 { return a + (b-a)*t }

// stand is where the functions at the bottom stand, from 0 to 1.
func (g *Geometry) stand() map[uint32]float64 {
	if g.placed != nil {
		return g.placed
	}
	at := make(map[uint32]float64, len(g.functions))
	for i := range g.functions {
		at[g.functions[i].code] = (float64(i) + 0.5) / float64(len(g.functions))
	}
	return at
}
