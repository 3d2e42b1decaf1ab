package kaleidoscope

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// labelsOf draws a frame and returns the texts of its labels, with the boxes behind them.
func labelsOf(t *testing.T, g *Geometry, f *view.Frame) (texts []string, boxes []scene.Rect) {
	t.Helper()
	l := scene.New(float32(f.Area.W()), float32(f.Area.H()))
	view.Draw(g, f, l)
	for i := range l.Len() {
		switch o := l.Op(i); o.Kind {
		case scene.OpText:
			_, _, s, _ := o.Text()
			texts = append(texts, string(s))
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			boxes = append(boxes, scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
		}
	}
	return texts, boxes
}

// TestLabels checks the labels of quick sort against Figures 8, 11 and 13, and that none lies on another or outside the picture.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		labels string
		want   []string
	}{
		{noLabels, nil},
		{procedure, []string{"main/1", "qsort/3", "part/4"}},
		{record, []string{"(main/1 1, 0, 1)", "(qsort/3 4, 3, 1)", "(qsort/3 5, 2, 1)", "(part/4 10, 2, 2)"}},
		{weight, []string{"78", "15", "17", "40"}},
		{sector, []string{"0° + 360°", "0° + 75°", "75° + 85°", "160° + 200°", "160° + 51.43°"}},
	} {
		g, f := shown(t, quickSortTrace(), 560, labelBy.Name, c.labels)
		texts, boxes := labelsOf(t, g, f)
		for _, want := range c.want {
			if !slices.Contains(texts, want) {
				t.Errorf("%s: no %q among %q", c.labels, want, texts)
			}
		}
		if len(c.want) == 0 && len(texts) > 0 || len(c.want) > 0 && len(texts) != len(quickSort) {
			t.Errorf("%s: %d labels", c.labels, len(texts))
		}
		for i, a := range boxes {
			if a.X0 < f.Clip.X0 || a.Y0 < f.Clip.Y0 || a.X1 > f.Clip.X1 || a.Y1 > f.Clip.Y1 {
				t.Errorf("%s: %q lies at %v, outside %v", c.labels, texts[i], a, f.Clip)
			}
			for k, b := range boxes[:i] {
				if a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1 {
					t.Errorf("%s: %q covers %q", c.labels, texts[i], texts[k])
				}
			}
		}
	}
}

// TestLabelsOfALargeTree checks that a tree with too many nodes has no labels, and that the legend says so.
func TestLabelsOfALargeTree(t *testing.T) {
	g, f := shown(t, large(5000), 900, labelBy.Name, weight)
	if texts, _ := labelsOf(t, g, f); len(texts) > 0 {
		t.Errorf("%d labels", len(texts))
	}
	const want = "Up to 400 nodes have labels; the picture shows 5,000."
	if text := fmt.Sprint(g.Legend(f)); !strings.Contains(text, want) {
		t.Errorf("the legend is %s, want %q", text, want)
	}
}

// TestOrdinal compares the numbers of nodes among those of their PE with the order of a sorted list, for a tree of one block, of several, and of many
// PEs.
func TestOrdinal(t *testing.T) {
	for _, c := range []struct{ nodes, pes, step int }{{3000, 16, 1}, {3*countedNodes + 5, 16, 61}, {3 * countedNodes, countedPEs, 61}, {2*countedNodes + 1, countedPEs + 50, 61}} {
		g, _ := shown(t, synthetic{bushy(100, c.pes, false), c.nodes}, 400)
		all := make([]int32, g.whole.Len())
		for i := range all {
			all[i] = int32(i)
		}
		slices.SortFunc(all, func(i, j int32) int {
			return cmp.Or(cmp.Compare(g.whole.Time.At(int(i)), g.whole.Time.At(int(j))), cmp.Compare(g.whole.Task.At(int(i)), g.whole.Task.At(int(j))))
		})
		last := map[int32]int{}
		for k, i := range all {
			pe := g.whole.PE.At(int(i))
			if last[pe]++; k%c.step == 0 && g.ordinal(i) != last[pe] {
				t.Fatalf("%d nodes: node %d has number %d on PE %d, want %d", c.nodes, i, g.ordinal(i), pe, last[pe])
			}
		}
		if len(last) < c.pes*9/10 || (g.counts().nodes == nil) != (c.pes > countedPEs) {
			t.Errorf("nodes on %d PEs, want %d, counted: %v", len(last), c.pes, g.counts().nodes != nil)
		}
	}
}
