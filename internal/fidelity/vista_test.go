package fidelity

import (
	"fmt"
	"image/color"
	"io"
	"slices"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/fidelity/testdata/quicksort"
	"whorl/internal/figures"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/glyph"
	"whorl/visual/layout/radial"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/views/kaleidoscope"
)

// quickSortFidelity measures what the paper prints of its example: the tree, its weights and sectors, and the hash table.
func quickSortFidelity(t *testing.T, doc io.Writer) {
	tree, layout := treeOf(t, "../../benchmarks/fghc/qsort.fghc", "qsort([2,1,4,5,3], X)", "on-demand", 4, 1)
	row := func(what, paper, here string) { fmt.Fprintf(doc, "| %s | %s | %s |\n", what, paper, here) }
	row("reductions of quick sort of [2,1,4,5,3]", "23", fmt.Sprint(tree.Len()))
	row("its levels", "0 to 6", fmt.Sprintf("0 to %d", tree.Height))
	weights := weightsOf(tree)
	children := childrenOf(tree, 1)
	row("weights of the child of the root and of its children", "78: 15, 17, 40", fmt.Sprintf("%d: %s", weights[1], join(weights, children)))
	sums := func(v int32) string {
		high := int64(tree.Height - tree.Level.At(int(v)) + 1)
		return fmt.Sprintf("%d = %d + %d", weights[v], weights[v]-high, high)
	}
	e := children[2]
	row("as sums of the weights of children and of the height", "78 = 72 + 6, 40 = 35 + 5", sums(1)+", "+sums(e))
	row("weights of the children of E", "9, 13, 13", join(weights, childrenOf(tree, e)))
	row("their sectors, from and by how many degrees", "0+75, 75+85, 160+200", sectors(layout, children))
	start, sweep := layout.Sector(childrenOf(tree, e)[0])
	row("sector of J, the first child of E", "160+51", fmt.Sprintf("%.0f+%.2f", start, sweep))
	two := radial.Condensing{Height: tree.Height, Max: 3, C0: 2, Threshold: tree.Height}
	condensed := radial.Condense(radial.Tree{Parent: tree.Parent, Size: tree.Size, Level: tree.Level}, two)
	row("nodes after level condensing 2:1", "13", fmt.Sprint(len(condensed.Parent)))

	run := quicksort.Read(t, "../..")
	if !slices.Equal(run.Tree.Parent, tree.Parent) {
		t.Errorf("the tree of quicksort.vista differs from that of the run")
	}
	for name, weight := range map[string]int64{"C": 15, "D": 17, "E": 40, "J": 9} {
		if got := weights[run.Node(name)]; got != weight {
			t.Errorf("%s weighs %d, want %d", name, got, weight)
		}
	}
	table := run.Table(15)
	row("rows of the hash table after the 15th record", "12, one of them an erratum", fmt.Sprint(len(table)))
	var waiting []string
	for _, r := range table {
		if r.Children > 0 {
			waiting = append(waiting, fmt.Sprintf("(%d,%d)", r.PE, r.Number))
		}
	}
	row("entries that wait for children then", "(1,1), (2,1), (2,3)", strings.Join(waiting, ", "))
	c := radial.Fit(850, 4, 174, 0)
	row("levels that a window of 850 shows, 4 apart", "106", fmt.Sprint(c.Max))
	row("of 174 levels, those shown whole and those shown 2:1", "38; 136", fmt.Sprintf("%d; %d", c.Threshold, c.Height-c.Threshold))
	circles := map[int32]bool{}
	levels := 0
	for level := range c.Height + 1 {
		if circle, drawn := c.Drawn(level); drawn {
			levels++
			circles[circle] = true
		}
	}
	row("levels left of them with the root's, and circles that they take", "not printed", fmt.Sprintf("%d; %d", levels, len(circles)))
	if levels != len(circles) || !circles[c.Max] || len(circles) != int(c.Max)+1 {
		t.Errorf("%d levels lie on %d circles", levels, len(circles))
	}
	var hues []string
	for i := range 6 {
		hues = append(hues, fmt.Sprint(hue(palette.Schemes[0].Ramp(float64(i)/5, false))))
	}
	row("hues of the colours of time, in degrees", "blue, cyan, green, yellow, red, magenta: 240, 180, 120, 60, 0, 300", strings.Join(hues, ", "))
}

// hue returns the hue of a saturated colour in degrees.
func hue(c color.NRGBA) int {
	r, g, b := int(c.R), int(c.G), int(c.B)
	high, low := max(r, g, b), min(r, g, b)
	switch high {
	case r:
		return (60*(g-b)/(high-low) + 360) % 360
	case g:
		return 60*(b-r)/(high-low) + 120
	}
	return 60*(r-g)/(high-low) + 240
}

// pascalFidelity measures what the paper says of the tree of Pascal's triangle.
func pascalFidelity(t *testing.T, doc io.Writer) {
	tree, trace := pascalOf(t)
	fmt.Fprintf(doc, "| reductions of Pascal's triangle, row 35 | 2,235 | %s |\n", figures.Count(int64(tree.Len())))
	fmt.Fprintf(doc, "| its height | 56 | %d |\n", tree.Height)
	row := func(what, paper, here string) { fmt.Fprintf(doc, "| %s | %s | %s |\n", what, paper, here) }
	name := func(v int32) string { // of the node's procedure
		c := trace.Dict().Code(tree.Code.At(int(v)))
		return trace.Dict().Code(c.Parent).Name
	}
	counts, order := map[string]int{}, []string(nil)
	pes := make([]int, trace.Meta().PEs)
	for v := range int32(tree.Len()) {
		if counts[name(v)] == 0 {
			order = append(order, name(v))
		}
		counts[name(v)]++
		pes[tree.PE.At(int(v))]++
	}
	var parts, rows, each []string
	for _, n := range order {
		parts = append(parts, fmt.Sprintf("%s %d", n, counts[n]))
	}
	row("its reductions by procedure", "not printed", strings.Join(parts, ", "))
	for v := range int32(tree.Len()) { // a makeRow below a makeRows is a row; its additions are below it
		if name(v) != "makeRow/3" || name(tree.Parent[v]) != "makeRows/4" {
			continue
		}
		n := 0
		for u := v; u < v+tree.Size[v]; u++ {
			if name(u) == "bigPlus/3" {
				n++
			}
		}
		rows = append(rows, fmt.Sprint(n))
		if n != (len(rows)+1)/2 {
			t.Errorf("row %d of the triangle has %d additions", len(rows), n)
		}
	}
	row("coefficients that rows 1, 2, 3, ... compute", "one more for every two rows", strings.Join(rows[:6], ", ")+", ..., "+strings.Join(rows[len(rows)-2:], ", "))
	row("reductions of the two lines at the east", "not printed", fmt.Sprintf("rev/3 %d, concat/3 %d", counts["rev/3"], counts["concat/3"]))
	for _, n := range pes {
		each = append(each, fmt.Sprint(n))
	}
	row("reductions of PEs 0 to 4", "almost evenly distributed", strings.Join(each, ", "))
}

// starFidelity measures the size of the tree of Semigroup, and what a picture of the paper's size leaves out of it.
func starFidelity(t *testing.T, doc io.Writer) {
	r := experiment.Defaults("fghc/semigroup")
	r.PEs = 5
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatal(result.Err)
	}
	tree := must.Get(spawntree.Grow(trace, nil, nil))(t)
	fmt.Fprintf(doc, "| reductions of Semigroup (the paper's vectors are not known; these are others) | 15,419 | %s |\n", figures.Count(int64(tree.Len())))
	fmt.Fprintf(doc, "| height of Semigroup | 174 | %d |\n", tree.Height)
	o := must.Get(view.Open(kaleidoscope.Kind(), trace, glyph.New()))(t)
	defer o.Close()
	const side = 850
	picture := must.Get(o.Geometry(t.Context(), 0, side))(t).Value
	area := scene.Rect{X1: side, Y1: side}
	f := &view.Frame{Area: area, Clip: area, Camera: view.Fit(picture.Bounds(), area, 0), Style: view.NewStyle(false, 13), Text: glyph.New(), Trace: "t"}
	var notes []string
	for _, b := range picture.Legend(f).Blocks {
		if b.Title == "Condensed" {
			notes = append(notes, b.Notes...)
		}
	}
	if len(notes) != 2 {
		t.Fatalf("the legend of Semigroup says %q", notes)
	}
	fmt.Fprintf(doc, "| what a window of 850 x 850 leaves out of it | whole levels, and subtrees thinner than a pixel | %s |\n", strings.Join(notes, " "))
}

// pascalOf returns the tree of Pascal's triangle on five PEs, with its trace.
func pascalOf(t *testing.T) (*spawntree.Tree, *tracer.Memory) {
	t.Helper()
	r := experiment.Defaults("fghc/pascal")
	r.PEs = 5
	result, trace := run(t, r)
	if result.Outcome != tracer.Done {
		t.Fatal(result.Err)
	}
	return must.Get(spawntree.Grow(trace, nil, nil))(t), trace
}
