package utilisation

import (
	"math"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// A curve is the plot of a frame with its visible columns.
type curve struct {
	*timeplot.Plot
	g      *Geometry
	bounds []int64
	states timeplot.States
	colors []scene.Color // by layer
}

func layout(f *view.Frame, g *Geometry) *curve {
	c := &curve{
		Plot: g.Plot(f), g: g,
		states: g.States(f.Style.Dark), colors: g.Colors(f.Style.Dark),
	}
	c.bounds = c.Seen(c.Last(g.other.To(g.Act.To)))
	return c
}

func (c *curve) shares(t *activity.Track) []activity.Share {
	shares := make([]activity.Share, len(c.bounds)-1)
	timeplot.Shares(t, c.bounds, shares)
	for k := range shares {
		shares[k] = c.scaled(shares[k], k)
	}
	return shares
}

// scaled lets a column of tasks be filled by as many as the chart is high.
func (c *curve) scaled(s activity.Share, k int) activity.Share {
	if c.g.most > 0 {
		from, to := timeplot.Column(c.bounds, k)
		s.Idle = max(int64(c.g.most)*(to-from)-s.Busy-s.Over, 0)
	}
	return s
}

// height returns the number of PEs or tasks at the top of the chart.
func (g *Geometry) height() int {
	if g.most > 0 {
		return g.most
	}
	return g.Act.PEs
}

// times returns the busy time in ns of each layer in each column between bounds, column by column.
func (c *curve) times(bounds []int64) []int64 {
	n, layers := len(bounds)-1, len(c.g.layers)
	times := make([]int64, n*layers)
	if c.g.Classes != nil {
		for pe := range c.g.Act.Lanes {
			c.g.Classes.Columns(pe, bounds, times)
		}
		return times
	}
	shares := make([]activity.Share, n)
	for k := range c.g.layers {
		timeplot.Shares(&c.g.layers[k].track, bounds, shares)
		for i, s := range shares {
			times[i*layers+k] = s.Busy
		}
	}
	return times
}

// Base draws the areas, a grid over them, the mean and both axes.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	c := layout(f, g)
	n := len(c.bounds) - 1
	out.Rect(float32(c.In.X0), float32(c.In.Y0), float32(c.In.X0)+float32(n), float32(c.In.Y1), c.states.Idle)
	if g.other.Compared() {
		c.compared(out)
	} else {
		c.areas(out)
	}
	c.grid(out)
	c.mean(out)
	c.Axis(out, false)
}

// compared fills the columns with the PEs that are busy in both runs, and above them with those that are busy in one of them.
func (c *curve) compared(out *scene.List) {
	n := len(c.bounds) - 1
	mine, theirs := c.shares(c.g.groups.All()), make([]activity.Share, n)
	c.g.other.AllShares(c.bounds, theirs)
	both, more, less := make([]int, n), make([]int, n), make([]int, n)
	for k := range mine {
		a, _ := timeplot.Heights(mine[k], int(c.In.H()))
		b, _ := timeplot.Heights(theirs[k], int(c.In.H()))
		both[k], more[k], less[k] = min(a, b), a, max(a, b)
	}
	colours := view.Diverging{Dark: c.Style.Dark}
	c.Fill(out, c.In.Y1, make([]int, n), both, c.Style.Ground.Mix(c.Style.Muted, 0.4))
	c.Fill(out, c.In.Y1, both, more, colours.Color(1))
	c.Fill(out, c.In.Y1, more, less, colours.Color(-1))
}

// areas fills the columns from the bottom: the layers, then overhead.
func (c *curve) areas(out *scene.List) {
	h, layers := int(c.In.H()), len(c.g.layers)
	all := c.shares(c.g.groups.All())
	times := c.times(c.bounds)
	base := make([]int, len(all))    // filled pixels by column
	below := make([]int64, len(all)) // time of the layers so far by column, in ns
	for k := range layers {
		tops := make([]int, len(all))
		for i, s := range all {
			below[i] += times[i*layers+k]
			whole := s.Busy + s.Over + s.Idle
			most, _ := timeplot.Heights(s, h)
			tops[i] = min(int(math.Round(float64(below[i])/float64(max(whole, 1))*float64(h))), most)
			if k == layers-1 {
				tops[i] = most
			}
		}
		c.Fill(out, c.In.Y1, base, tops, c.colors[k])
		base = tops
	}
	tops := make([]int, len(all))
	for i, s := range all {
		busy, over := timeplot.Heights(s, h)
		tops[i] = busy + over
	}
	c.Fill(out, c.In.Y1, base, tops, c.states.Over)
}

// grid draws and labels lines at quarters of the PEs.
func (c *curve) grid(out *scene.List) {
	parts := []int{0, 25, 50, 75, 100}
	if c.In.H() < 9*c.Em {
		parts = []int{0, 50, 100}
	}
	if c.g.most > 0 {
		parts = parts[:0]
		step := max((c.g.most+3)/4, 1)
		if c.In.H() < 9*c.Em {
			step = c.g.most
		}
		for n := 0; n <= c.g.most; n += step {
			parts = append(parts, n)
		}
	}
	whole := c.g.most
	if whole == 0 {
		whole = 100
	}
	line := float32(max(math.Round(c.Em/14), 1))
	for _, p := range parts {
		y := math.Round(c.In.Y1 - c.In.H()*float64(p)/float64(whole))
		if p > 0 && p < whole {
			out.Rect(float32(c.In.X0), float32(y), float32(c.In.X1), float32(y)+line, c.Style.Ground.Alpha(110))
		}
		if c.In.X0-c.Area.X0 > c.Em {
			label := strconv.Itoa(p) + " %"
			if c.g.most > 0 {
				label = figures.Count(int64(p))
			}
			c.Label(out, min(y, c.In.Y1-0.2*c.Em), label, c.Style.Muted)
		}
	}
}

// Ghost draws the busy PEs of another run as a line, and its end. The value of the mean lies over these lines.
func (g *Geometry) Ghost(f *view.Frame, before view.Picture, out *scene.List) {
	b, ok := before.(*Geometry)
	if !ok {
		return
	}
	c := layout(f, g)
	p := c.Plot
	bounds := p.Seen(p.Last(b.Act.To))
	shares := make([]activity.Share, len(bounds)-1)
	timeplot.Shares(b.groups.All(), bounds, shares)
	tops := make([]int, len(shares))
	for i, s := range shares {
		if b.most > 0 {
			from, to := timeplot.Column(bounds, i)
			s.Idle = max(int64(g.height())*(to-from)-s.Busy-s.Over, 0)
		}
		tops[i], _ = timeplot.Heights(s, int(p.In.H()))
	}
	p.GhostTops(out, p.In.Y1, tops)
	_, ground := c.labelled()
	p.GhostEnd(out, b.Act.To, ground)
	c.label(out, 255)
}

// seen returns the shares of all PEs in the visible time of the run.
func (c *curve) seen() (s activity.Share) {
	own := *c
	own.bounds = c.Seen(c.Last(c.g.Act.To))
	c = &own
	for _, x := range c.shares(c.g.groups.All()) {
		s = timeplot.Plus(s, x)
	}
	return s
}

// mean draws the mean busy share of the visible time as a line with its value.
func (c *curve) mean(out *scene.List) {
	s := c.seen()
	whole := s.Busy + s.Over + s.Idle
	if whole <= 0 || len(c.bounds) < 2 {
		return
	}
	y := c.meanY(s)
	width := float32(max(math.Round(c.Em/9), 1))
	em := float32(c.Em)
	out.Polyline([]float32{float32(c.In.X0), y, c.end(), y}, scene.Stroke{Width: width, Color: c.Style.Ink, Dash: []float32{0.5 * em, 0.35 * em}})
	c.label(out, 225)
}

// end returns the right side of the last column, and meanY the height of the line of the mean share s.
func (c *curve) end() float32 { return float32(c.In.X0) + float32(len(c.bounds)-1) }

func (c *curve) meanY(s activity.Share) float32 {
	return float32(math.Round(c.In.Y1 - c.In.H()*float64(s.Busy)/float64(s.Busy+s.Over+s.Idle)))
}

// label draws the value of the mean on a ground of some opacity, if there is room.
func (c *curve) label(out *scene.List, opacity uint8) {
	if text, r := c.labelled(); text != "" {
		out.Fill(r, c.Style.Ground.Alpha(opacity))
		out.Text(float32(r.X0)+0.5*c.Style.Font, float32(r.Y0)+0.75*c.Style.Font, text, scene.TextStyle{Size: 0.92 * c.Style.Font, Color: c.Style.Ink, VAlign: scene.Center})
	}
}

// labelled returns the value of the mean as text, and its ground. Both are empty if there is no room.
func (c *curve) labelled() (text string, ground scene.Rect) {
	s := c.seen()
	whole := s.Busy + s.Over + s.Idle
	if whole <= 0 || len(c.bounds) < 2 {
		return "", ground
	}
	y, end, em := c.meanY(s), c.end(), float32(c.Em)
	text = "mean " + figures.Percent(s.Busy, whole) + " busy"
	if c.g.most > 0 {
		text = "mean " + mean(s.Busy, c.bounds[len(c.bounds)-1]-c.bounds[0]) + " run"
	}
	w := c.Text.Width(text, 0.92*c.Style.Font, scene.Regular) + em
	right := end + w + em
	if right > float32(c.In.X1) { // no room after the end
		right = end
	}
	if c.In.H() < 8*c.Em || right == end && 2*w > end-float32(c.In.X0) { // the label would hide much of the curve
		return "", ground
	}
	top := y + 0.4*em // below the line, or above a low line
	if float64(top+1.5*em) > c.In.Y1 {
		top = y - 1.9*em
	}
	if right > end {
		top = y - 0.75*em
	}
	x0 := scene.Round(right - w - 0.5*em)
	if x0 < float32(c.In.X0) {
		x0 = float32(c.In.X0)
	}
	top = scene.Round(top)
	ground = scene.Rect{X0: float64(x0), Y0: float64(top), X1: float64(x0 + w), Y1: float64(top + 1.5*em)}
	return text, ground
}

// Overlay dims what lies outside the time window and marks the selection and the hovered part.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	c := layout(f, g)
	out.ClipTo(c.In)
	c.Outside(out)
	g.mark(c, out, f.State.Shared.Selection, true)
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		g.mark(c, out, h, false)
	}
	out.Pop()
}

// mark marks a time alone as a band, and anything else as the part of the curve that it takes. A selection veils the rest.
func (g *Geometry) mark(c *curve, out *scene.List, s view.Selection, selected bool) {
	m := match.New(c.g.Run, c.g.index, c.Trace, s)
	if m == nil {
		return
	}
	places := g.Locate(c.Frame, s)
	if m.OnlyPlace() && len(s.PEs) == 0 {
		for _, p := range places {
			c.Band(out, p)
		}
		return
	}
	if selected {
		out.Fill(c.In, c.Style.Ground.Alpha(170))
	}
	color := timeplot.StateColours(c.Style.Dark).Busy
	if !selected {
		color = c.Style.Accent.Alpha(90)
	}
	for _, p := range places {
		out.Fill(p, color)
	}
}
