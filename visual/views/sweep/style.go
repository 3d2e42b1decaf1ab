package sweep

import (
	"whorl/visual/scene"
	"whorl/visual/view"
)

// styles tell series apart: the colour by the values of one column, the mark and the dashes by those of the other settings. If there is one column alone,
// both do, so that no one needs the colours.
type styles struct {
	color   int         // column, -1 for none
	names   []string    // of colours
	colorOf map[int]int // colour by row
	others  []string    // texts of the other settings
	marks   map[string]int
	rest    []int // columns
	subset  []scene.Color

	shown, shownMarks map[int]bool // styles of the rows that are shown
}

var (
	shapes = []scene.Shape{scene.Disc, scene.Square, scene.Triangle, scene.Diamond, scene.Cross}
	dashes = [][]float32{nil, {4, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}}
)

// style chooses the styles of all rows, shown or not: a run keeps its style when others are hidden. rest lists the settings that tell series
// apart besides the column of the colours.
func (g *Geometry) style(rows []int, color int, rest []int) {
	st := styles{color: color, marks: map[string]int{}, rest: rest, shown: map[int]bool{}, shownMarks: map[int]bool{}}
	all := make([]int, g.data.table.Rows)
	for row := range all {
		all[row] = row
	}
	for _, c := range g.scheme.Set(g.dark) {
		st.subset = append(st.subset, scene.NRGBA(c))
	}
	if color >= 0 {
		var s scale
		s, st.colorOf = g.data.categories(color, all)
		st.names = s.names
	}
	for _, row := range all {
		if text, key := g.data.combination(rest, row); len(rest) > 0 {
			if _, ok := st.marks[key]; !ok {
				st.marks[key] = len(st.others)
				st.others = append(st.others, text)
			}
		}
	}
	g.styles = st
	for _, row := range rows {
		c, m := g.styleOf(row)
		st.shown[c], st.shownMarks[m] = true, true
	}
}

// of returns the indices of the colour and of the mark of a row.
func (g *Geometry) styleOf(row int) (color, mark int) {
	st := &g.styles
	if st.color >= 0 {
		color = st.colorOf[g.data.distinct[st.color][row]]
	}
	if len(st.others) > 1 {
		_, key := g.data.combination(st.rest, row)
		return color, st.marks[key]
	}
	return color, color
}

func (st *styles) ink(color int) scene.Color { return st.subset[color%len(st.subset)] }

func shapeOf(mark int) scene.Shape { return shapes[mark%len(shapes)] }

// dashOf returns the dashes of a line of a width.
func dashOf(mark int, width float32) []float32 {
	var out []float32
	for _, d := range dashes[mark%len(dashes)] {
		out = append(out, d*width)
	}
	return out
}

// blocks returns the parts of the legend that explain the styles.
func (g *Geometry) blocks() (out []view.Block) {
	st := &g.styles
	apart := len(st.others) > 1
	if len(st.names) > 1 {
		b := view.Block{Title: view.Capital(label(g.data.name(st.color)))}
		for k, name := range st.names {
			if !st.shown[k] {
				continue
			}
			s := view.Swatch{Colors: []scene.Color{st.ink(k)}, Label: name}
			if !apart && g.chart != parallel && g.chart != boxes {
				s.Sign = &view.Sign{Shape: shapeOf(k), Size: 0.6}
			}
			b.Swatches = append(b.Swatches, s)
		}
		out = append(out, b)
	}
	if apart && g.chart != parallel && g.chart != boxes {
		b := view.Block{Title: "Marks"}
		for k, name := range st.others {
			if !st.shownMarks[k] {
				continue
			}
			b.Swatches = append(b.Swatches, view.Swatch{Colors: []scene.Color{scene.RGB(0x80, 0x80, 0x80)}, Label: name, Sign: &view.Sign{Shape: shapeOf(k), Size: 0.6}})
		}
		if len(st.others) > len(shapes) {
			b.Notes = []string{"Marks return after five values."}
		}
		out = append(out, b)
	}
	return out
}
