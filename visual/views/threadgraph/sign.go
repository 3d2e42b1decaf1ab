package threadgraph

import (
	"math"

	"whorl/tracer/derive/threadgraph"
	"whorl/visual/scene"
)

// Signs of nodes.
const (
	startSign = iota
	forkSign
	beginSign // b-join
	joinSign  // a-join
	endSign
	stepSign
	numSigns
)

var signShapes = [numSigns]scene.Shape{scene.Disc, scene.Triangle, scene.Diamond, scene.Square, scene.Cross, scene.Disc}

// signSizes are relative sizes that make the signs look equally large.
var signSizes = [numSigns]float64{0.95, 1.1, 1.15, 0.85, 1, 0.5}

// signRanks decides which of several signs in one place is drawn: the highest.
var signRanks = [numSigns]int{startSign: 4, forkSign: 1, beginSign: 3, joinSign: 2, endSign: 5, stepSign: 0}

type marks struct {
	xy    []float32
	color []scene.Color
}

// mark collects the sign of a node and reports whether it has one. Of several nodes in one place, the sign of the highest rank is drawn.
func (b *brush) mark(v, end int32, x, y float64, c scene.Color) bool {
	const most = 16 // nodes compared in one place
	k := signOf(b.g, v)
	for u := v + 1; u < min(end, v+most) && b.nodeY(u)-y < 0.3*b.sign; u++ {
		if next := signOf(b.g, u); next >= 0 && (k < 0 || signRanks[next] > signRanks[k]) {
			k = next
		}
	}
	if k < 0 {
		return false
	}
	m := &b.marks[k]
	m.xy = append(m.xy, float32(x)+0.5, float32(math.Floor(y))+0.5)
	m.color = append(m.color, c.Mix(b.Style.Ink, 0.25))
	return true
}

// signOf returns the sign of a node, or -1 for none. A b-join merged with its a-join has the sign of the a-join.
func signOf(g *Geometry, v int32) int {
	switch g.graph.Kind[g.nodeOf(v)] {
	case threadgraph.Start:
		return startSign
	case threadgraph.Fork:
		return forkSign
	case threadgraph.BJoin:
		if int(v)+1 < len(g.rows.Merged) && g.rows.Merged[v+1] {
			return joinSign
		}
		return beginSign
	case threadgraph.AJoin:
		return joinSign
	case threadgraph.End:
		return endSign
	case threadgraph.Step, threadgraph.Wake:
		return stepSign
	}
	return -1
}
