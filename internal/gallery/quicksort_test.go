package gallery

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"whorl/internal/fidelity/testdata/quicksort"
	"whorl/visual/layout/tidy"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// drawHashTable draws Figure 6.
func drawHashTable(t *testing.T, _ *studio) *scene.List {
	run := quicksort.Read(t, root)
	table := run.Table(15)
	const w, row, top = 560, 26, 70
	s := view.NewStyle(false, 15)
	l := scene.New(w, float32(top+row*len(table)+44))
	l.Rect(0, 0, l.W, l.H, s.Ground)
	put := func(column int, y float32, text string, c scene.Color, face scene.Face) {
		l.Text(float32(50+75*column), y, text, scene.TextStyle{Size: s.Font, Color: c, Anchor: scene.Middle, Face: face})
	}
	for i, head := range []string{"i", "pe", "index", "level", "ccnt", "hindex", "nodeptr"} {
		put(i, 44, head, s.Muted, scene.Bold)
	}
	l.Line(16, 54, w-16, 54, 1, s.Line)
	for i, h := range table {
		y := float32(top + row*i + 6)
		if h.Children > 0 {
			l.Rect(16, y-18, w-16, y+7, scene.Hex(0xfff1c9))
		}
		for column, n := range []int{h.Index, h.PE, h.Number, h.Level, h.Children, h.Parent} {
			put(column, y, strconv.Itoa(n), s.Ink, scene.Regular)
		}
		put(6, y, run.Names[h.Node], s.Ink, scene.Bold)
	}
	l.Text(16, l.H-16, "Coloured: entries that wait for children.", scene.TextStyle{Size: 13, Color: s.Muted})
	return l
}

// drawLevels draws Figure 10: the tree as a binary tree whose levels are connected.
func drawLevels(t *testing.T, _ *studio) *scene.List {
	run := quicksort.Read(t, root)
	tree := run.Tree
	s := view.NewStyle(false, 13)
	const w, left, top, level = 1000, 120, 50, 92
	l := scene.New(w, top+level*float32(tree.Height)+60)
	l.Rect(0, 0, l.W, l.H, s.Ground)
	x, at := tidy.Place(tidy.Tree{Parent: tree.Parent, Gap: 0.4})
	widest := slices.Max(x)
	place := func(v int32) (float32, float32) {
		return left + 30 + float32((w-left-80)*x[v]/widest), top + level*float32(at[v])
	}
	record := map[uint64]string{}
	index := map[int32]int{}
	for i, e := range run.Records {
		index[e.PE]++
		record[e.Task] = fmt.Sprintf("%d, %d, %d", i+1, e.PE, index[e.PE])
	}
	solid := scene.Stroke{Width: 1.5, Color: s.Ink}
	dotted := scene.Stroke{Width: 1.5, Color: scene.Hex(0x2b7bd6), Dash: []float32{2, 4}}
	const r = 15
	arrow := func(x0, y0, x1, y1 float32, line scene.Stroke) {
		l.Polyline([]float32{x0, y0, x1, y1}, line)
		if y1 != y0 { // downwards
			l.Polygon([]float32{x1, y1, x1 - 4, y1 - 8, x1 + 4, y1 - 8}, scene.NonZero, line.Color)
		} else {
			l.Polygon([]float32{x1, y1, x1 - 8, y1 - 4, x1 - 8, y1 + 4}, scene.NonZero, line.Color)
		}
	}
	first, last := map[int32]int32{}, map[int32]int32{} // children
	for v := range tree.Parent {
		p := tree.Parent[v]
		if _, ok := first[p]; !ok {
			first[p] = int32(v)
		}
		last[p] = int32(v)
	}
	before := int32(-1)
	for _, v := range run.ByLevel() {
		vx, vy := place(v)
		if c, ok := first[v]; ok {
			cx, cy := place(c)
			l.Polyline([]float32{vx, vy + r, vx, (vy + cy) / 2, cx, (vy + cy) / 2}, solid)
			arrow(cx, (vy+cy)/2, cx, cy-r, solid)
		}
		switch {
		case before < 0 || at[before] != at[v]: // the level begins
			l.Frame(20, vy-14, 100, vy+14, 1, s.Line)
			l.Text(60, vy+5, fmt.Sprintf("level %d", at[v]), scene.TextStyle{Size: 13, Color: s.Muted, Anchor: scene.Middle})
			arrow(100, vy, vx-r, vy, dotted)
		case tree.Parent[before] == tree.Parent[v]:
			bx, _ := place(before)
			arrow(bx+r, vy, vx-r, vy, solid)
		default:
			bx, _ := place(before)
			arrow(bx+r, vy, vx-r, vy, dotted)
		}
		before = v
	}
	for v := range tree.Parent {
		vx, vy := place(int32(v))
		l.Circle(vx, vy, r, s.Ground)
		l.Ring(vx, vy, r, 1.5, s.Ink)
		task := tree.Task.At(v)
		l.Text(vx, vy+5, run.Names[task], scene.TextStyle{Size: 14, Color: s.Ink, Anchor: scene.Middle, Face: scene.Bold})
		l.Text(vx+5, vy+r+13, record[task], scene.TextStyle{Size: 11, Color: s.Muted})
	}
	l.Text(20, l.H-10, "Solid: the first child, and the right sibling. Dotted: the first node of a level, and the cousin. Below a node: its record, PE and number there.",
		scene.TextStyle{Size: 13, Color: s.Muted})
	return l
}
