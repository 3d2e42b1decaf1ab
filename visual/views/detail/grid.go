package detail

import (
	"math"
	"slices"
	"strconv"

	"whorl/internal/ranges"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// A grid lays out the columns of the heat map in a frame.
type grid struct {
	f      *view.Frame
	g      *Geometry
	em     float64
	size   float32 // font size of rows, 0 if text does not fit
	heat   float64 // left end, in pixels
	cell   float64 // width of a column
	across *lineplot.Across
}

// place lays out columns from x on in at most room pixels, for counts up to most.
func (g *grid) place(x, room float64, most int64) {
	width := func(s string) float64 { return float64(g.f.Text.Width(s, max(g.size, leastEm), scene.Regular)) }
	if g.g.Compared() { // with a sign
		most = -most
	}
	good := max(width(g.g.Short(most))+0.8*g.em, width(strconv.Itoa(g.g.Profile.PEs-1))+0.6*g.em, 2.2*g.em)
	g.heat = x
	each, groups := max(int(room/3), 1), max(int(room/max(0.8*g.em, 4)), 4)
	if g.g.mode == lineplot.Groups || g.g.Profile.PEs > each { // as many groups as have room for numbers, or FewGroups if more
		groups = min(groups, max(int(room/good), lineplot.FewGroups))
	}
	g.across = lineplot.NewAcross(g.g.mode, g.g.order.In(g.f.Window), each, groups)
	if g.cell = min(good, room/float64(max(g.across.N, 1))); g.cell > 4 {
		g.cell = math.Floor(g.cell)
	}
}

// x returns the left end of a column.
func (g *grid) x(column int) float64 { return g.heat + math.Round(float64(column)*g.cell) }

// end returns the right end of the last column.
func (g *grid) end() float64 { return g.x(g.across.N) }

// column returns the column at a pixel, or -1 for none.
func (g *grid) column(x float64) int {
	if g.across.N == 0 || x < g.heat || x >= g.heat+g.cell*float64(g.across.N) {
		return -1
	}
	return min(int((x-g.heat)/g.cell), g.across.N-1)
}

// cells draws the heat of a row, and the numbers that fit.
func (g *grid) cells(out *scene.List, y0, y1 float64, counts []int64, scale lineplot.Scale) {
	rule := 0.0 // space between cells
	if g.cell >= 8 && y1-y0 >= 6 {
		rule = 1
	}
	for k := 0; k < len(counts); {
		color, from := scale.Color(counts[k]), k
		for k++; rule == 0 && k < len(counts) && scale.Color(counts[k]) == color; k++ {
		}
		if color == scale.None {
			continue
		}
		x1 := g.x(k)
		if k < len(counts) {
			x1 -= rule
		}
		out.Rect(float32(g.x(from)), float32(y0), float32(max(x1, g.x(from)+1)), float32(max(y1-rule, y0+1)), color)
	}
	if g.size == 0 || g.cell < 1.2*g.em {
		return
	}
	size := min(g.size, 0.95*g.f.Style.Font)
	for k, n := range counts {
		room := g.x(k+1) - g.x(k) - 0.4*g.em
		s := g.g.Short(n)
		if n == 0 {
			s = "0"
		}
		if float64(g.f.Text.Width(s, size, scene.Regular)) > room {
			if s = short(n); n == 0 || g.g.timed() || float64(g.f.Text.Width(s, size, scene.Regular)) > room {
				continue
			}
		}
		out.Text(float32(g.x(k+1)-math.Round(0.3*g.em)), baseline(y0, y1, g.size), s, scene.TextStyle{Size: size, Color: inkOn(scale.Color(n), n), Anchor: scene.End})
	}
}

// baseline returns the baseline of text in a row.
func baseline(y0, y1 float64, size float32) float32 {
	return float32(math.Round((y0+y1)/2 + 0.34*float64(size)))
}

// short rounds a number to thousands, millions and so on: 12k.
func short(n int64) string {
	if n < 0 {
		return "-" + short(-n)
	}
	for _, u := range []struct {
		size int64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= u.size {
			return strconv.FormatInt((n+u.size/2)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// inkOn returns a legible colour of text for count n on the heat colour c.
func inkOn(c scene.Color, n int64) scene.Color {
	switch {
	case n == 0:
		return scene.Hex(0x8a8f98)
	case 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B) > 125:
		return scene.Hex(0x000000)
	}
	return scene.Hex(0xffffff)
}

// headings draws the labels of the columns on the baseline lower and, unless upper is 0, a title on the baseline upper. Texts do not exceed end.
func (g *grid) headings(out *scene.List, upper, lower float32, end float64) {
	muted := scene.TextStyle{Size: 0.92 * g.f.Style.Font, Color: g.f.Style.Muted, Anchor: scene.Middle}
	if upper > 0 {
		title := "PE"
		if g.across.Ranked() {
			title = "ranks of the PEs"
		} else if g.across.Size > 1 {
			title = "groups of " + strconv.Itoa(g.across.Size) + " PEs"
		}
		bold := scene.TextStyle{Size: muted.Size, Color: g.f.Style.Ink, Face: scene.Bold}
		g.f.Write(out, g.heat, float64(upper), title, max(g.end(), end)-g.heat, bold)
	}
	widest := 0.0
	for k := range g.across.N {
		widest = max(widest, float64(g.f.Text.Width(g.across.Label(k), muted.Size, muted.Face)))
	}
	step := 1
	for _, step = range []int{1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1 << 20} {
		if g.cell*float64(step) >= widest+0.5*g.em {
			break
		}
	}
	free := g.heat - 0.4*g.em
	for k := 0; k < g.across.N; k += step {
		s := g.across.Label(k)
		w := float64(g.f.Text.Width(s, muted.Size, muted.Face))
		mid := (g.x(k) + g.x(k+1)) / 2
		if k == 0 {
			mid = max(mid, free+w/2)
		}
		if mid-w/2 >= free-1e-6 && mid+w/2 <= max(g.end(), end) {
			out.Text(float32(mid), lower, s, muted)
			free = mid + w/2 + 0.3*g.em
		}
	}
}

// selects reports whether a column has any of the PEs.
func (g *grid) selects(pes []view.Span, column int) bool {
	for _, pe := range g.across.PEsOf(column) {
		for _, s := range pes {
			if s.Contains(int64(pe)) {
				return true
			}
		}
	}
	return false
}

// frame frames the columns of the PEs from y0 to y1. Adjacent columns share a frame.
func (g *grid) frame(out *scene.List, pes []view.Span, y0, y1 float64, color scene.Color) {
	if g.across.Ranked() || len(pes) == 0 || y1 <= y0 {
		return
	}
	for k := 0; k < g.across.N; k++ {
		from := k
		for k < g.across.N && g.selects(pes, k) {
			k++
		}
		if k > from {
			out.Frame(float32(g.x(from))+0.5, float32(y0)+0.5, float32(g.x(k))-0.5, float32(y1)-0.5, 1, color)
		}
	}
}

// mark underlines the headings of the columns of the PEs.
func (g *grid) mark(out *scene.List, pes []view.Span, bottom float64, color scene.Color) {
	for k := range g.across.N {
		if !g.across.Ranked() && g.selects(pes, k) {
			out.Rect(float32(g.x(k)), float32(bottom-math.Round(0.25*g.em)), float32(g.x(k+1)), float32(bottom), color)
		}
	}
}

// permute moves the dragged column to the column below the pointer, or to the end on that side if there is none.
func (g *grid) permute(in view.Input) []view.Action {
	from, to := g.column(in.FromX), g.column(in.X)
	if to < 0 {
		if to = 0; in.X >= g.heat {
			to = g.across.N - 1
		}
	}
	if from < 0 || from == to || g.across.Ranked() {
		return nil
	}
	var columns [][]int32
	for k := range g.across.N {
		columns = append(columns, g.across.PEsOf(k))
	}
	moved := columns[from]
	columns = slices.Insert(slices.Delete(columns, from, from+1), to, moved)
	return lineplot.First.Set(in.Pane, ranges.FormatNumbers(slices.Concat(columns...)))
}

// key handles columnKeys. It returns nil for other keys.
func (g *grid) key(in view.Input) []view.Action {
	switch in.Key {
	case "p":
		switch {
		case g.across.Ranked():
			return lineplot.Processors.Set(in.Pane, lineplot.Each)
		case g.across.Size > 1:
			return lineplot.Processors.Set(in.Pane, lineplot.Ranks)
		}
		return lineplot.Processors.Set(in.Pane, lineplot.Groups)
	case "q":
		return g.g.Resort(g.f, g.g.order, in.Pane)
	case "a", view.CompareKey.Key:
		return g.g.Press(g.f, in, g.g.normalised, g.across)
	}
	return nil
}
