package detail

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// bars is the column of extremes: texts and, beside them, a stacked bar of the minimum and of the difference from it to the maximum.
type bars struct {
	l       *layout
	kinds   []int // indices of the shown texts in titles
	titles  []string
	widths  []float64
	names   [2]float64 // widths of the places of the PEs with the least and the most
	named   bool       // places are shown, not numbers
	right   []float64  // right ends of the texts
	x0, x1  float64    // both ends of the bars; equal if there are none
	least   float64    // least width of the bars
	between float64    // space after a text
	most    [2]float64 // largest mean and variance
}

// cells returns the texts of a row: minimum and its PE, maximum and its PE, mean, variance.
func (b *bars) cells(r *lineprofile.Row) [6]string {
	g := b.l.g
	return [6]string{
		g.Short(r.Min), b.pe(int(r.MinPE)), g.Short(r.Max), b.pe(int(r.MaxPE)), b.mean(r.Mean), b.variance(r.Variance),
	}
}

// pe returns the place of a PE or its number.
func (b *bars) pe(pe int) string {
	if b.named {
		return b.l.g.Run.Row(pe)
	}
	return strconv.Itoa(pe)
}

// widestPlace is the greatest width of a place, in ems; longer ones are shortened.
const widestPlace = 7

// mean formats a mean in the unit of the metric.
func (b *bars) mean(x float64) string {
	if b.l.g.timed() {
		return b.l.g.Short(int64(math.Round(x)))
	}
	return tenths(x, b.most[0])
}

// variance formats a variance. The variance of times is in ns².
func (b *bars) variance(x float64) string { return tenths(x, b.most[1]) }

// timed reports whether the metric is a time.
func (g *Geometry) timed() bool {
	s := g.Short(1)
	return s[len(s)-1] > '9'
}

// tenths formats a number of a column whose largest number is most. All numbers of the column have one decimal, none,
// or, from ten million on, a power of ten.
func tenths(x, most float64) string {
	switch {
	case most >= 9_999_999.5:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e")
		n, _ := strconv.Atoi(exponent)
		if n == 0 {
			return mantissa
		}
		return mantissa + "e" + strconv.Itoa(n)
	case most >= 99_999.5:
		return figures.Fixed(x, 0)
	}
	return figures.Fixed(x, 1)
}

var titles = []string{"min", "PE", "max", "PE", "mean", "variance"}

// newBars measures the widest texts of the whole table, so that columns stay in place while lines scroll.
func (l *layout) newBars() bars {
	b := bars{l: l, between: 0.7 * l.em, least: 5 * l.em}
	if l.size == 0 {
		return b
	}
	t := l.sums.Lines
	pe := strconv.Itoa(max(l.g.Profile.PEs-1, 0))
	most0 := t.Most
	if l.g.Compared() { // with a sign
		most0 = -most0
	}
	widest := [6]string{l.g.Short(most0), pe, l.g.Short(most0), pe, "", ""}
	most := [6]float64{}
	for k, s := range widest {
		most[k] = float64(l.f.Text.Width(s, l.size, scene.Regular))
	}
	for i := range t.Rows {
		for k, at := range []int32{t.Rows[i].MinPE, t.Rows[i].MaxPE} {
			if l.g.Run.Placed() {
				w := float64(l.f.Text.Width(l.g.Run.Row(int(at)), l.size, scene.Regular))
				b.names[k] = min(max(b.names[k], w), widestPlace*l.em)
			}
		}
		b.most[0], b.most[1] = max(b.most[0], math.Abs(t.Rows[i].Mean)), max(b.most[1], t.Rows[i].Variance)
	}
	mean := b.most[0]
	if l.g.Compared() {
		mean = -mean
	}
	for k, s := range []string{b.mean(mean), b.variance(b.most[1])} {
		most[4+k] = float64(l.f.Text.Width(s, l.size, scene.Regular))
		if b.most[k] >= 9_999_999.5 {
			most[4+k] = float64(l.f.Text.Width("-9.9e-99", l.size, scene.Regular))
		}
	}
	for k, title := range titles {
		b.kinds = append(b.kinds, k)
		b.titles = append(b.titles, title)
		b.widths = append(b.widths, math.Ceil(max(most[k], float64(l.f.Text.Width(title, 0.92*l.f.Style.Font, scene.Regular)))))
	}
	return b
}

// fit drops texts until the column fits beside the program's text: mean and variance first, the extremes last. It returns the least width
// of the column, 0 for no column. Beside a heat map the program's text has priority; otherwise the column has.
func (b *bars) fit(room, text float64, beside bool) float64 {
	for _, c := range []struct {
		texts []int
		bar   float64 // ems
		left  float64 // characters of the text
		named bool    // with places, not numbers
	}{
		{[]int{0, 1, 2, 3, 4, 5}, 5, 44, true},
		{[]int{0, 1, 2, 3, 4, 5}, 5, 44, false},
		{[]int{0, 1, 2, 3, 4, 5}, 2, 40, true},
		{[]int{0, 1, 2, 3, 4, 5}, 2, 40, false},
		{[]int{0, 1, 2, 3}, 5, 24, true},
		{[]int{0, 1, 2, 3}, 5, 24, false},
		{[]int{0, 1, 2, 3}, 2, 18, true},
		{[]int{0, 1, 2, 3}, 2, 18, false},
		{[]int{0, 2}, 2, 16, false},
		{nil, 5, 20, false},
	} {
		if len(c.texts) > len(b.titles) || c.named && !b.l.g.Run.Placed() {
			continue
		}
		b.least = c.bar * b.l.em
		w := b.least
		all := slices.Clone(b.widths)
		if c.named {
			all[1], all[3] = max(all[1], b.names[0]), max(all[3], b.names[1])
		}
		for _, k := range c.texts {
			w += all[k] + b.between
		}
		if room-w >= min(text, c.left*b.l.digit) || !beside && (c.texts == nil || len(c.texts) == 4 && room >= w) {
			titles, widths := b.titles, all
			b.named = c.named
			b.kinds, b.titles, b.widths = c.texts, nil, nil
			for _, k := range c.texts {
				b.titles, b.widths = append(b.titles, titles[k]), append(b.widths, widths[k])
			}
			return min(w, max(room, 0))
		}
	}
	return 0
}

// place puts the texts at the left end and gives the remaining width to the bars.
func (b *bars) place(x0, x1 float64) {
	for _, w := range b.widths {
		x0 += w
		b.right = append(b.right, math.Round(x0))
		x0 += b.between
	}
	b.x0, b.x1 = math.Round(x0), math.Max(math.Round(x1), math.Round(x0))
}

// colours returns the colours of the minimum and of the difference from it to the maximum.
func colours(s view.Style) (least, more scene.Color) {
	if s.Dark {
		return scene.Hex(0x2f6fd0), scene.Hex(0xa9cdfb)
	}
	return scene.Hex(0x1d4fa3), scene.Hex(0x9cc3f5)
}

// draw draws one row.
func (b *bars) draw(out *scene.List, row int, r *lineprofile.Row) {
	l := b.l
	if b.x1 <= b.x0 && len(b.right) == 0 {
		return
	}
	y0, y1 := l.y(row), l.y(row+1)
	gap := math.Round(0.16 * (y1 - y0))
	if l.size == 0 {
		gap = 0
	}
	if l.g.Compared() {
		b.difference(out, r, y0+gap, y1-gap)
	} else {
		b.extremes(out, r, y0+gap, y1-gap)
	}
	if l.size == 0 {
		return
	}
	texts := b.cells(r)
	for i, k := range b.kinds {
		s, color := texts[k], l.f.Style.Ink
		style := scene.TextStyle{Size: l.size, Color: color, Anchor: scene.End}
		if k == 1 || k == 3 {
			style.Color = l.f.Style.Muted
			l.f.WriteName(out, b.right[i], float64(l.baseline(row)), s, b.widths[i], style)
			continue
		}
		out.Text(float32(b.right[i]), l.baseline(row), s, style)
	}
}

// difference draws the differences of a row from the middle to the left or the right: pale up to the first PE, and then up to the last one.
func (b *bars) difference(out *scene.List, r *lineprofile.Row, y0, y1 float64) {
	middle, half := math.Round((b.x0+b.x1)/2), (b.x1-b.x0)/2
	end := func(n int64) float32 {
		return float32(middle + math.Round(half*float64(n)/float64(max(b.l.sums.Lines.Most, 1))))
	}
	colours := view.Diverging{Dark: b.l.f.Style.Dark}
	bar := func(from, to int64, t float64) {
		if x0, x1 := end(min(from, to)), end(max(from, to)); x1 > x0 {
			out.Rect(x0, float32(y0), x1, float32(y1), colours.Color(t))
		}
	}
	bar(0, min(r.Max, 0), -0.4)
	bar(min(r.Max, 0), min(r.Min, 0), -1)
	bar(0, max(r.Min, 0), 0.4)
	bar(max(r.Min, 0), max(r.Max, 0), 1)
	out.Rect(float32(middle), float32(y0), float32(middle)+1, float32(y1), b.l.f.Style.Line)
}

// extremes draws the minimum of a row and the difference from it to the maximum.
func (b *bars) extremes(out *scene.List, r *lineprofile.Row, y0, y1 float64) {
	l := b.l
	least, more := colours(l.f.Style)
	end := func(n int64) float64 {
		return math.Round(b.x0 + (b.x1-b.x0)*float64(max(n, 0))/float64(max(l.sums.Lines.Most, 1)))
	}
	low, high := end(r.Min), end(r.Max)
	if r.Max > 0 {
		high = max(high, b.x0+1)
	}
	if low > b.x0 {
		out.Rect(float32(b.x0), float32(y0), float32(low), float32(y1), least)
	}
	if high > low {
		out.Rect(float32(low), float32(y0), float32(high), float32(y1), more)
	}
}

// baseline returns the baseline of the text of a row.
func (l *layout) baseline(row int) float32 { return baseline(l.y(row), l.y(row+1), l.size) }
