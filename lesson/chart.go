package lesson

import (
	"math"
	"strconv"

	"whorl/visual/scene"
)

// Most returns the greatest height of a series and of the ideal line beside it.
func (s *Series) Most() (most float64) {
	for _, p := range s.Points {
		most = max(most, p.Y)
	}
	for _, p := range s.ideal() {
		most = max(most, p.Y)
	}
	return most
}

// Top returns the end of the y axis of a chart, which begins at 0: a round number above the greatest height. Its size says nothing more than the order of
// magnitude.
func (s *Series) Top() float64 {
	most := max(1.25*s.Most(), 1e-12)
	unit := math.Pow(10, math.Floor(math.Log10(most)))
	for _, f := range []float64{1, 2, 4, 6, 8} { // their quarters, at which the lines are, are round too
		if f*unit >= most {
			return f * unit
		}
	}
	return 10 * unit
}

// ideal returns the proportional line through the first point, nil for a series without one.
func (s *Series) ideal() (line []Point) {
	if s.Ideal != "linear" || len(s.Points) == 0 || s.Points[0].X == 0 {
		return nil
	}
	for _, p := range s.Points {
		line = append(line, Point{p.X, s.Points[0].Y / s.Points[0].X * p.X})
	}
	return line
}

// A Chart places the points of a series in a picture.
type Chart struct {
	Series *Series
	Area   scene.Rect // between the axes
	Top    float64    // the end of the y axis
}

// Margins of a chart in points: for the numbers and the names of the axes.
const (
	chartLeft, chartTop, chartRight, chartBottom = 58, 22, 16, 38
	chartText                                    = 12 // size
)

// NewChart returns the chart of a series in a rectangle, with some pixels per point.
func NewChart(s *Series, r scene.Rect, scale float64) *Chart {
	area := scene.Rect{X0: r.X0 + chartLeft*scale, Y0: r.Y0 + chartTop*scale, X1: r.X1 - chartRight*scale, Y1: r.Y1 - chartBottom*scale}
	return &Chart{s, area, s.Top()}
}

// scaled returns the place of x on an axis from 0 to 1.
func (c *Chart) scaled(x float64) float64 {
	points := c.Series.Points
	onAxis := func(x float64) float64 {
		if c.Series.Log {
			return math.Log(max(x, 1e-12))
		}
		return x
	}
	first, last := onAxis(points[0].X), onAxis(points[len(points)-1].X)
	if last <= first {
		return 0
	}
	return (onAxis(x) - first) / (last - first)
}

// X returns the pixel of a value of the x axis.
func (c *Chart) X(x float64) float32 { return float32(c.Area.X0 + c.scaled(x)*c.Area.W()) }

// Y returns the pixel of a height.
func (c *Chart) Y(y float64) float32 {
	return float32(c.Area.Y1 - min(max(y/c.Top, 0), 1)*c.Area.H())
}

// Height returns the height at a pixel.
func (c *Chart) Height(y float32) float64 {
	if c.Area.H() <= 0 {
		return 0
	}
	return min(max((c.Area.Y1-float64(y))/c.Area.H(), 0), 1) * c.Top
}

// ticks returns the numbers at the quarters of the y axis, with as few decimals as all of them need.
func (c *Chart) ticks() []string {
	unit, quarter := 1.0, c.Top/4
	if c.Series.Unit == "%" {
		unit = 100
	}
	decimals := 0
	for x := quarter * unit; decimals < 6 && math.Abs(x-math.Round(x)) > 1e-6; x *= 10 {
		decimals++
	}
	texts := make([]string, 5)
	for i := range texts {
		texts[i] = c.Series.show(quarter*float64(i), decimals)
	}
	return texts
}

// A ChartStyle has the colours of a chart. Those of curves that are not drawn are not used.
type ChartStyle struct {
	Text, Grid, Ideal, Drawn, True scene.Color
}

// Draw draws the axes, the ideal line, a drawn curve (NaN where nothing is drawn, nil for none) and, if truth is set, the curve of the series.
func (c *Chart) Draw(out *scene.List, text scene.Measurer, scale float64, style *ChartStyle, drawn []float64, truth bool) {
	s, a := c.Series, c.Area
	px := func(points float64) float32 { return float32(points * scale) }
	label := scene.TextStyle{Size: px(chartText), Color: style.Text, VAlign: scene.Center}
	write := func(x, y float32, words string, anchor scene.Anchor) {
		label.Anchor = anchor
		out.Text(x, y, words, label)
	}
	for i, words := range c.ticks() {
		y := c.Y(c.Top * float64(i) / 4)
		out.Line(float32(a.X0), y, float32(a.X1), y, max(px(0.75), 1), style.Grid)
		write(float32(a.X0)-px(6), y, words, scene.End)
	}
	last := float32(math.Inf(-1))
	for _, p := range s.Points {
		words := strconv.FormatFloat(p.X, 'g', -1, 64)
		half := text.Width(words, label.Size, label.Face)/2 + px(3)
		if x := c.X(p.X); x-half >= last {
			last = x + half
			write(x, float32(a.Y1)+px(10), words, scene.Middle)
		}
	}
	write(float32((a.X0+a.X1)/2), float32(a.Y1)+px(27), s.X, scene.Middle)
	write(float32(a.X0)-px(54), float32(a.Y0)-px(12), s.Y, scene.Start)
	c.line(out, s.ideal(), scene.Stroke{Width: px(1.5), Color: style.Ideal, Dash: []float32{px(2), px(4)}}, 0)
	var mine []Point
	for i, y := range drawn {
		if !math.IsNaN(y) {
			mine = append(mine, Point{s.Points[i].X, y})
		}
	}
	c.line(out, mine, scene.Stroke{Width: px(3), Color: style.Drawn}, px(3.5))
	if truth {
		c.line(out, s.Points, scene.Stroke{Width: px(1.5), Color: style.True}, px(2))
	}
}

// Line draws a curve in the chart.
func (c *Chart) Line(out *scene.List, curve []Point, width float32, ink scene.Color) {
	c.line(out, curve, scene.Stroke{Width: width, Color: ink}, 0)
}

// line draws a curve with circles of a radius at its points, 0 for none.
func (c *Chart) line(out *scene.List, curve []Point, s scene.Stroke, radius float32) {
	var points []float32
	for _, p := range curve {
		points = append(points, c.X(p.X), c.Y(p.Y))
	}
	if len(curve) > 1 {
		out.Polyline(points, s)
	}
	for i := 0; radius > 0 && i < len(points); i += 2 {
		out.Circle(points[i], points[i+1], radius, s.Color)
	}
}
